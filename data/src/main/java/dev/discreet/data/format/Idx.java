package dev.discreet.data.format;

import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Gzip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The format of MNIST: unsigned bytes with their dimensions, plain or gzip.
 *
 * @param dimensions at least one; the first counts the items
 */
public record Idx(int[] dimensions, byte[] values) {

  /** Reads a whole file. */
  public static Idx read(Path path) throws IOException {
    try (InputStream in = Gzip.open(path)) {
      int[] dimensions = dimensions(path, in);
      long count = count(dimensions, 0);
      if (count > Integer.MAX_VALUE - 8) {
        throw FileErrors.file(
            path, "must have at most 2^31 values. Provided: " + Arrays.toString(dimensions));
      }
      // readNBytes grows as data arrive, so a forged header cannot make us allocate what is not
      // there.
      byte[] values = in.readNBytes((int) count);
      checkEnd(path, in, count, values.length);
      return new Idx(dimensions, values);
    }
  }

  /** Reads what stands before the values. */
  static int[] dimensions(Path path, InputStream in) throws IOException {
    byte[] magic = in.readNBytes(4);
    if (magic.length < 4 || magic[0] != 0 || magic[1] != 0 || magic[2] != 8 || magic[3] < 1) {
      throw FileErrors.file(path, "must be an IDX file of unsigned bytes (magic 0x000008NN).");
    }
    byte[] sizes = in.readNBytes(4 * magic[3]);
    if (sizes.length < 4 * magic[3]) {
      throw FileErrors.file(path, "ends before its " + magic[3] + " dimensions.");
    }
    int[] dimensions = new int[magic[3]];
    ByteBuffer.wrap(sizes).asIntBuffer().get(dimensions);
    for (int dimension : dimensions) {
      if (dimension < 0) {
        throw FileErrors.file(
            path, "must have dimensions below 2^31. Provided: " + Arrays.toString(dimensions));
      }
    }
    return dimensions;
  }

  /** The product of the dimensions from one on, or the largest long. */
  static long count(int[] dimensions, int from) {
    long count = 1;
    for (int dimension : Arrays.copyOfRange(dimensions, from, dimensions.length)) {
      if (dimension != 0 && count > Long.MAX_VALUE / dimension) {
        return Long.MAX_VALUE;
      }
      count *= dimension;
    }
    return count;
  }

  static void checkEnd(Path path, InputStream in, long count, long read) throws IOException {
    if (read < count || in.read() >= 0) {
      throw FileErrors.file(
          path,
          "must hold "
              + count
              + " values, as its dimensions say; it has "
              + (read < count ? "only " + read : "more")
              + ".");
    }
  }
}
