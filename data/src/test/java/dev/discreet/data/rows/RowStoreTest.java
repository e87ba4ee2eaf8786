package dev.discreet.data.rows;

import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.format.Refusals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowStoreTest {
  /** The rows' bytes are a function of their place, so that every mistake of place shows. */
  private static byte[] row(int i, int length) {
    byte[] row = new byte[length];
    for (int j = 0; j < length; j++) {
      row[j] = (byte) (i * 31 + (i >> 8) + j);
    }
    return row;
  }

  @TempDir Path folder;

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() {
    Path gone = folder.resolve("gone");
    RowStore store = new RowStore(1, 0, gone);
    refused(
        () -> {
          store.append(new byte[1]);
          store.finish();
        },
        gone,
        "must be writable and have room");
  }

  @ParameterizedTest
  @CsvSource({
    "3, 10, 1000000000", // all in the heap
    "3000, 5000, 0", // all in the file
    "3000, 5000, 5000000", // one chunk in the heap
    "3072, 1365, 0", // exactly one full chunk
    "5000000, 3, 0", // rows larger than a chunk
    "1, 1, 0"
  })
  void rowsComeBack(int length, int count, long heap) throws IOException {
    RowStore store = new RowStore(length, heap, folder);
    byte[] reused = new byte[length];
    for (int i = 0; i < count; i++) {
      System.arraycopy(row(i, length), 0, reused, 0, length);
      store.append(reused);
    }
    Examples examples =
        new ByteImages(Shape.vector(length), store.finish(), new float[count], identity());
    // The name is gone while the rows are still there. (Windows keeps what is mapped to the end.)
    if (!System.getProperty("os.name").startsWith("Windows")) {
      assertEquals(0, files());
    }
    IntStream.range(0, count)
        .parallel()
        .forEach(
            i -> {
              byte[] expected = row(i, length);
              float[] got = input(examples, i);
              for (int j = 0; j < length; j += Math.max(1, length / 1000)) {
                assertEquals(expected[j] & 0xff, got[j], "row " + i + " at " + j);
              }
            });
  }

  /** Every byte is itself. */
  private static float[][] identity() {
    float[][] value = new float[1][256];
    for (int v = 0; v < 256; v++) {
      value[0][v] = v;
    }
    return value;
  }

  @ParameterizedTest
  @CsvSource({"0", "10000000000"})
  void floatsComeBackExactly(long heap) throws IOException {
    RowsBuilder rows = new RowsBuilder(new RowStore(3 * Float.BYTES, heap));
    for (int i = 0; i < 500_000; i++) {
      rows.add(new float[] {i, -i, 1f / (i + 1)}, i % 7, i);
    }
    Examples examples =
        rows.table(Shape.vector(3), Column.parse("y={0..6}").task(), null).examples();
    for (int i = 0; i < 500_000; i += 997) {
      assertArrayEquals(new float[] {i, -i, 1f / (i + 1)}, input(examples, i));
      assertEquals(i % 7, Refusals.target(examples, i));
    }
  }
}
