package dev.discreet.cuda;

import com.sun.jna.Pointer;
import dev.discreet.accounting.Check;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The first GPU that the driver names, with our kernels on it. One for a process; whoever uses it
 * from a thread makes it that thread's own first ({@link #enter}).
 */
final class Device {
  /** The lowest compute capability that our PTX was compiled for, times ten. */
  static final int LEAST_CAPABILITY = 75;

  private static final int MULTIPROCESSORS = 16;
  private static final int CAPABILITY_MAJOR = 75;
  private static final int CAPABILITY_MINOR = 76;

  private final String name;
  private final int driver;
  private final int multiprocessors;
  private final Pointer context;
  private final Pointer module;
  private final Map<String, Pointer> functions = new ConcurrentHashMap<>();

  private Device() {
    int[] number = new int[1];
    check(Driver.cuInit(0), "cuInit");
    check(Driver.cuDriverGetVersion(number), "cuDriverGetVersion");
    driver = number[0];
    Check.that(
        driver >= Driver.LEAST_VERSION,
        "driver of the GPU",
        "of CUDA 11.4 (470) or later",
        "CUDA " + driver / 1000 + "." + driver % 1000 / 10);
    check(Driver.cuDeviceGetCount(number), "cuDeviceGetCount");
    Check.that(number[0] > 0, "GPUs that the driver shows", "at least one", 0);
    check(Driver.cuDeviceGet(number, 0), "cuDeviceGet");
    int device = number[0];
    byte[] text = new byte[128];
    check(Driver.cuDeviceGetName(text, text.length, device), "cuDeviceGetName");
    name = new String(text, StandardCharsets.UTF_8).replaceAll("\0.*", "");
    int capability = 10 * attribute(CAPABILITY_MAJOR, device) + attribute(CAPABILITY_MINOR, device);
    Check.that(
        capability >= LEAST_CAPABILITY,
        "compute capability of the GPU",
        "at least 7.5",
        capability / 10 + "." + capability % 10 + " of " + name);
    multiprocessors = attribute(MULTIPROCESSORS, device);
    long[] found = new long[1];
    check(Driver.cuDevicePrimaryCtxRetain(found, device), "cuDevicePrimaryCtxRetain");
    context = new Pointer(found[0]);
    enter();
    check(Driver.cuModuleLoadData(found, ptx()), "cuModuleLoadData");
    module = new Pointer(found[0]);
  }

  private static final class Found {
    private static final Device DEVICE;
    private static final String WHY_NOT;

    static {
      Device device = null;
      String reason = null;
      try {
        device = new Device();
      } catch (UnsatisfiedLinkError e) {
        reason = "no driver of NVIDIA's on this machine";
      } catch (IllegalArgumentException | DeviceException e) {
        reason = e.getMessage();
      }
      DEVICE = device;
      WHY_NOT = reason;
    }
  }

  /** The device, where there is one that serves. */
  static Optional<Device> find() {
    return Optional.ofNullable(Found.DEVICE);
  }

  /** The device, or a refusal that says what is missing. */
  static Device required() {
    return find()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "GPU of the engine " + CudaEngine.NAME + " must be there: " + Found.WHY_NOT));
  }

  /** What is loaded: the kernels as text for the driver's own compiler, with a zero at the end. */
  private static byte[] ptx() {
    try (InputStream in = Device.class.getResourceAsStream("step.ptx")) {
      byte[] text = in.readAllBytes();
      return java.util.Arrays.copyOf(text, text.length + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int attribute(int which, int device) {
    int[] value = new int[1];
    check(Driver.cuDeviceGetAttribute(value, which, device), "cuDeviceGetAttribute");
    return value[0];
  }

  static void check(int error, String what) {
    if (error != 0) {
      long[] name = new long[1];
      String known =
          Driver.cuGetErrorName(error, name) == 0 ? new Pointer(name[0]).getString(0) : "error";
      throw new DeviceException(what + " failed on the GPU: " + known + " (" + error + ")");
    }
  }

  String name() {
    return name;
  }

  int multiprocessors() {
    return multiprocessors;
  }

  /** As people write it. */
  String driverVersion() {
    return "CUDA " + driver / 1000 + "." + driver % 1000 / 10;
  }

  /** From here on the calling thread's calls of the driver are about this device. */
  void enter() {
    check(Driver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  /** Bytes that are free. */
  long freeBytes() {
    long[] free = new long[1];
    check(Driver.cuMemGetInfo_v2(free, new long[1]), "cuMemGetInfo");
    return free[0];
  }

  Pointer function(String kernel) {
    return functions.computeIfAbsent(
        kernel,
        each -> {
          long[] found = new long[1];
          check(Driver.cuModuleGetFunction(found, module, each), "kernel " + each);
          return new Pointer(found[0]);
        });
  }
}
