package dev.discreet.cuda;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/**
 * One launch of a kernel, with its arguments in the form that the driver reads.
 *
 * @param kernel its name in step.cu
 * @param grid blocks along x, y and z
 * @param block threads of a block along x and y
 * @param arguments addresses and numbers in order; bytes for structures
 */
record Launch(String kernel, int[] grid, int[] block, Object... arguments) {
  private static final int MOST_ALONG_Y = 65_535;

  Launch {
    for (int side = 0; side < grid.length; side++) {
      if (grid[side] < 1 || (side > 0 && grid[side] > MOST_ALONG_Y)) {
        throw new IllegalArgumentException(
            "blocks of " + kernel + " must be in [1, 65535]. Provided value: " + grid[side]);
      }
    }
  }

  /** In blocks of 256 threads, four values of an example for each. */
  static Launch values(String kernel, int examples, int size, Object... arguments) {
    return new Launch(kernel, new int[] {examples, blocks(size, 1024)}, new int[] {256}, arguments);
  }

  static int blocks(long size, int each) {
    return (int) ((size + each - 1) / each);
  }

  private static int at(int[] sides, int side) {
    return side < sides.length ? sides[side] : 1;
  }

  /** Ready to run; the memory of the arguments lives as long as this does. */
  Ready on(Device device) {
    Memory values = new Memory(16L * arguments.length + 256);
    Memory pointers = new Memory((long) Native64.BYTES * arguments.length);
    long at = 0;
    for (int i = 0; i < arguments.length; i++) {
      pointers.setPointer((long) Native64.BYTES * i, values.share(at));
      Object argument = arguments[i];
      if (argument instanceof Long number) {
        values.setLong(at, number);
      } else if (argument instanceof Integer number) {
        values.setInt(at, number);
      } else if (argument instanceof Float number) {
        values.setFloat(at, number);
      } else if (argument instanceof Double number) {
        values.setDouble(at, number);
      } else {
        byte[] bytes = ((ByteBuffer) argument).array();
        values.write(at, bytes, 0, bytes.length);
        at += (bytes.length + 7) / 8 * 8 - 8;
      }
      at += 8;
    }
    return new Ready(this, device.function(kernel), values, pointers);
  }

  private static final class Native64 {
    private static final int BYTES = 8;
  }

  /** With its function and arguments where the driver finds them. */
  record Ready(Launch launch, Pointer function, Memory values, Memory pointers) {
    void run(Pointer stream) {
      Device.check(
          Driver.cuLaunchKernel(
              function,
              at(launch.grid, 0),
              at(launch.grid, 1),
              at(launch.grid, 2),
              at(launch.block, 0),
              at(launch.block, 1),
              1,
              0,
              stream,
              pointers,
              null),
          "kernel " + launch.kernel);
    }
  }
}
