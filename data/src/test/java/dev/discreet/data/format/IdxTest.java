package dev.discreet.data.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Shape;
import dev.discreet.data.rows.ByteImages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxTest {
  @TempDir Path folder;

  /** The header of the format's description, written by hand. */
  static byte[] file(int type, int[] dimensions, int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * dimensions.length + values.length);
    bytes.put((byte) 0).put((byte) 0).put((byte) type).put((byte) dimensions.length);
    for (int dimension : dimensions) {
      bytes.putInt(dimension);
    }
    for (int value : values) {
      bytes.put((byte) value);
    }
    return bytes.array();
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  @Test
  void plainAndPackedAreTheSame() throws IOException {
    byte[] bytes = file(8, new int[] {2, 1, 3}, 0, 1, 2, 3, 255, 5);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    for (Path path :
        new Path[] {write("images", bytes), write("images.gz", packed.toByteArray())}) {
      Idx idx = Idx.read(path);
      assertArrayEquals(new int[] {2, 1, 3}, idx.dimensions());
      assertArrayEquals(new byte[] {0, 1, 2, 3, -1, 5}, idx.values());
    }
  }

  @Test
  void whatIsNoIdxIsRefused() throws IOException {
    byte[][] wrong = {
      {},
      {0, 0, 8},
      file(9, new int[] {1}, 1),
      file(8, new int[] {2}, 1),
      file(8, new int[] {1}, 1, 2),
      file(8, new int[] {-1}),
      file(8, new int[] {1 << 20, 1 << 20}),
      Arrays.copyOf(file(8, new int[] {1, 1}), 7)
    };
    for (int i = 0; i < wrong.length; i++) {
      Path path = write("wrong" + i, wrong[i]);
      String message = assertThrows(IOException.class, () -> Idx.read(path)).getMessage();
      assertTrue(message.startsWith(path.toString()), message);
    }
  }

  @Test
  void pixelsAreScaledByPublicFigures() {
    ByteImages images =
        new ByteImages(
            new Shape(1, 2, 2),
            new byte[] {0, 51, -1, 102},
            new byte[] {7},
            new double[] {0.5, 0.2},
            new double[] {0.5, 0.1});
    float[] values = new float[5];
    images.input(0, values, 1);
    assertArrayEquals(new float[] {0, -1, 0, 1, 2}, values, 1e-6f);
    images.target(0, values, 0);
    assertEquals(7, values[0]);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new ByteImages(
                new Shape(1, 2, 2), new byte[3], new byte[1], new double[2], new double[2]));
  }
}
