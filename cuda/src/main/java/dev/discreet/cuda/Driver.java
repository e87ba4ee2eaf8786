package dev.discreet.cuda;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;

/** Functions of NVIDIA's driver, as it names them. Loading this class loads the driver. */
final class Driver {
  /** Since CUDA 11.4, driver 470: the oldest that has every function here. */
  static final int LEAST_VERSION = 11040;

  static {
    Native.register(
        Driver.class, NativeLibrary.getInstance(Platform.isWindows() ? "nvcuda" : "libcuda.so.1"));
  }

  private Driver() {}

  static native int cuInit(int flags);

  static native int cuDriverGetVersion(int[] version);

  static native int cuGetErrorName(int error, long[] name);

  static native int cuDeviceGetCount(int[] count);

  static native int cuDeviceGet(int[] device, int ordinal);

  static native int cuDeviceGetName(byte[] name, int length, int device);

  static native int cuDeviceGetAttribute(int[] value, int attribute, int device);

  static native int cuDevicePrimaryCtxRetain(long[] context, int device);

  static native int cuCtxSetCurrent(Pointer context);

  static native int cuMemGetInfo_v2(long[] free, long[] total);

  static native int cuMemAlloc_v2(long[] address, long bytes);

  static native int cuMemFree_v2(long address);

  static native int cuMemHostAlloc(long[] memory, long bytes, int flags);

  static native int cuMemFreeHost(Pointer memory);

  static native int cuMemcpyHtoDAsync_v2(long to, Pointer from, long bytes, Pointer stream);

  static native int cuMemcpyDtoHAsync_v2(Pointer to, long from, long bytes, Pointer stream);

  static native int cuMemsetD8Async(long at, byte value, long bytes, Pointer stream);

  static native int cuModuleLoadData(long[] module, byte[] image);

  static native int cuModuleGetFunction(long[] function, Pointer module, String name);

  static native int cuStreamCreate(long[] stream, int flags);

  static native int cuStreamDestroy_v2(Pointer stream);

  static native int cuStreamSynchronize(Pointer stream);

  static native int cuStreamBeginCapture_v2(Pointer stream, int mode);

  static native int cuStreamEndCapture(Pointer stream, long[] graph);

  static native int cuGraphInstantiateWithFlags(long[] executable, Pointer graph, long flags);

  static native int cuGraphLaunch(Pointer executable, Pointer stream);

  static native int cuGraphExecDestroy(Pointer executable);

  static native int cuGraphDestroy(Pointer graph);

  static native int cuLaunchKernel(
      Pointer function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      Pointer stream,
      Pointer arguments,
      Pointer extra);
}
