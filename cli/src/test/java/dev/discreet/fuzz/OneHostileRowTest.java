package dev.discreet.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.data.DataOptions;
import dev.discreet.data.FileRows;
import dev.discreet.data.Rows;
import dev.discreet.data.table.CsvFormat;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever one row of a table holds, it is read or counts as zero: nothing is refused because of
 * it, and no other row is another for it. A quote is the exception, because where the next row
 * starts then depends on it; tables with one that is left open are refused as a whole.
 */
class OneHostileRowTest {
  private static final DataOptions OPTIONS =
      DataOptions.builder()
          .label("y=no|yes")
          .columns(List.of("a=0..9,missing=3", "b=u|v,missing=own,missing-cells=NA"))
          .build();
  private static final String HEADER = "y,a,b\n";
  private static final String BEFORE = "no,1,u\nyes,2,v\n";
  private static final String AFTER = "no,3,u\nyes,4,v\n";

  @TempDir Path folder;

  private Rows read(byte[] row) throws IOException {
    return read((HEADER + BEFORE).getBytes(StandardCharsets.UTF_8), row, OPTIONS);
  }

  private Rows read(byte[] start, byte[] row, DataOptions options) throws IOException {
    Path file = folder.resolve("t.csv");
    byte[] end = ("\n" + AFTER).getBytes(StandardCharsets.UTF_8);
    Files.write(file, HostileFiles.joined(start, row, end));
    FileRows rows = new CsvFormat().read(file, options);
    return rows.train();
  }

  /** Without a header the hostile row may be the first: not even then does it decide anything. */
  @Test
  void noOtherRowIsTouchedWithoutAHeader() throws IOException {
    TextDialect dialect =
        TextDialect.STANDARD
            .quotedBy("")
            .in("windows-1252")
            .numbers(new NumberMarks(NumberMarks.Decimal.COMMA, NumberMarks.Thousands.POINT))
            .named(List.of("y", "a", "b"));
    DataOptions options =
        DataOptions.builder()
            .label("y=no|yes")
            .columns(List.of("a=0..9", "b=u|v"))
            .dialect(dialect)
            .build();
    Rows good = read(new byte[0], "yes,5,v".getBytes(StandardCharsets.UTF_8), options);
    for (int i = 0; i < 500; i++) {
      SplittableRandom random = new SplittableRandom(i);
      byte[] row = Mutations.bytes(random, "yes,5,v".getBytes(StandardCharsets.UTF_8));
      byte[] kept = withoutLines(row);
      Rows rows = read(new byte[0], kept, options);
      int last = rows.examples().size();
      assertEquals(kept.length == 0 ? 2 : 3, last);
      for (int same : new int[] {0, 1}) {
        assertArrayEquals(
            values(good.examples(), 2 - same), values(rows.examples(), last - 1 - same));
      }
    }
  }

  @Test
  void noOtherRowIsTouched() throws IOException {
    Rows good = read("yes,5,v".getBytes(StandardCharsets.UTF_8));
    int misfits = 0;
    for (int i = 0; i < 500; i++) {
      SplittableRandom random = new SplittableRandom(i);
      byte[] row = Mutations.text(random, "yes,5,v".getBytes(StandardCharsets.UTF_8));
      row = i % 2 == 0 ? row : Mutations.bytes(random, row);
      byte[] kept = withoutLines(row);
      Rows rows = read(kept);
      assertEquals(good.examples().size() - (kept.length == 0 ? 1 : 0), rows.examples().size());
      int last = rows.examples().size();
      for (int same : new int[] {0, 1}) {
        assertArrayEquals(values(good.examples(), same), values(rows.examples(), same));
        assertArrayEquals(
            values(good.examples(), 4 - same), values(rows.examples(), last - 1 - same));
      }
      assertTrue(rows.misfits().count() <= 1);
      misfits += rows.misfits().count();
    }
    assertTrue(misfits > 100 && misfits < 500, misfits + " of them did not fit");
  }

  /** What ends a line makes two rows of one, and a quote may take in the next. */
  private static byte[] withoutLines(byte[] row) {
    byte[] kept = row.clone();
    for (int i = 0; i < kept.length; i++) {
      kept[i] = kept[i] == '\n' || kept[i] == '\r' || kept[i] == '"' ? (byte) '.' : kept[i];
    }
    return kept;
  }

  private static float[] values(Examples examples, int row) {
    float[] values = new float[examples.input().size() + 1];
    examples.input(row, values, 0);
    examples.target(row, values, examples.input().size());
    return values;
  }
}
