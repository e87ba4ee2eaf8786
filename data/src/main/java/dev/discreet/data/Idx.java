package dev.discreet.data;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The format of MNIST: unsigned bytes with their dimensions, plain or gzip.
 *
 * @param dimensions at least one; the first counts the items
 */
public record Idx(int[] dimensions, byte[] values) {

  /** Reads a file; one that ends in {@code .gz} is unpacked. */
  public static Idx read(Path path) throws IOException {
    try (InputStream file = Files.newInputStream(path);
        InputStream in =
            path.toString().endsWith(".gz") ? new GZIPInputStream(file, 1 << 16) : file) {
      return read(path, new DataInputStream(in));
    }
  }

  private static Idx read(Path path, DataInputStream in) throws IOException {
    byte[] magic = in.readNBytes(4);
    if (magic.length < 4 || magic[0] != 0 || magic[1] != 0 || magic[2] != 8 || magic[3] < 1) {
      throw new IOException(path + " must be an IDX file of unsigned bytes (magic 0x000008NN).");
    }
    byte[] sizes = in.readNBytes(4 * magic[3]);
    if (sizes.length < 4 * magic[3]) {
      throw new IOException(path + " ends before its " + magic[3] + " dimensions.");
    }
    int[] dimensions = new int[magic[3]];
    ByteBuffer.wrap(sizes).asIntBuffer().get(dimensions);
    long count = 1;
    for (int dimension : dimensions) {
      count = dimension < 0 || count > Integer.MAX_VALUE ? Long.MAX_VALUE : count * dimension;
    }
    if (count > Integer.MAX_VALUE - 8) {
      throw new IOException(
          path + " must have at most 2^31 values. Provided: " + Arrays.toString(dimensions));
    }
    // readNBytes grows as data arrive, so a forged header cannot make us allocate what is not
    // there.
    byte[] values = in.readNBytes((int) count);
    if (values.length < count || in.read() >= 0) {
      throw new IOException(
          path
              + " must hold "
              + count
              + " values, as its dimensions say; it has "
              + (values.length < count ? "only " + values.length : "more")
              + ".");
    }
    return new Idx(dimensions, values);
  }
}
