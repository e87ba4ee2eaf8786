package dev.discreet.cuda;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;

/** What one source has on the device and beside it; all of it is given back at once. */
final class DeviceMemory implements AutoCloseable {
  /** What is asked for comes from pieces of this size, for each call of the driver takes long. */
  private static final long PIECE = 1L << 22;

  private static final long EVEN = 256;

  private final List<Long> here = new ArrayList<>();
  private final List<Pointer> pinned = new ArrayList<>();
  private final Pointer stream;
  private long bytes;
  private long piece;
  private long pieceLeft;
  private Pointer pinnedPiece;
  private long pinnedLeft;

  DeviceMemory() {
    long[] made = new long[1];
    // Not ordered with other streams of the process.
    Device.check(Driver.cuStreamCreate(made, 1), "cuStreamCreate");
    stream = new Pointer(made[0]);
  }

  Pointer stream() {
    return stream;
  }

  /** Bytes that were asked for on the device. */
  long bytes() {
    return bytes;
  }

  /** Room on the device. */
  long allocate(long size) {
    long even = even(size);
    if (even > pieceLeft) {
      long taken = Math.max(even, PIECE);
      long[] address = new long[1];
      Device.check(Driver.cuMemAlloc_v2(address, taken), "memory of " + taken + " bytes");
      here.add(address[0]);
      bytes += taken;
      if (taken > PIECE) {
        return address[0];
      }
      piece = address[0];
      pieceLeft = taken;
    }
    long at = piece;
    piece += even;
    pieceLeft -= even;
    return at;
  }

  private static long even(long size) {
    return Math.max(EVEN, (size + EVEN - 1) / EVEN * EVEN);
  }

  long floats(long count) {
    return allocate(Float.BYTES * count);
  }

  /** Room on the host that the device reads and writes by itself. */
  Pointer pin(long size) {
    long even = even(size);
    if (even > pinnedLeft) {
      long taken = Math.max(even, PIECE / 4);
      long[] made = new long[1];
      Device.check(Driver.cuMemHostAlloc(made, taken, 0), "pinned memory of " + taken + " bytes");
      pinnedPiece = new Pointer(made[0]);
      pinned.add(pinnedPiece);
      pinnedLeft = taken;
    }
    Pointer at = pinnedPiece.share(0);
    pinnedPiece = pinnedPiece.share(even);
    pinnedLeft -= even;
    return at;
  }

  void toDevice(long to, Pointer from, long size) {
    if (size > 0) {
      Device.check(Driver.cuMemcpyHtoDAsync_v2(to, from, size, stream), "copy to the device");
    }
  }

  void toHost(Pointer to, long from, long size) {
    Device.check(Driver.cuMemcpyDtoHAsync_v2(to, from, size, stream), "copy from the device");
  }

  void clear(long at, long size) {
    Device.check(Driver.cuMemsetD8Async(at, (byte) 0, size, stream), "clearing");
  }

  /** Waits until all that was asked for is done. */
  void await() {
    Device.check(Driver.cuStreamSynchronize(stream), "a step");
  }

  /** A device that was lost cannot give memory back, and need not: errors are passed over. */
  @Override
  public void close() {
    Driver.cuStreamSynchronize(stream);
    here.forEach(Driver::cuMemFree_v2);
    pinned.forEach(Driver::cuMemFreeHost);
    here.clear();
    pinned.clear();
    Driver.cuStreamDestroy_v2(stream);
  }
}
