package dev.discreet.data.table;

import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.refused;
import static dev.discreet.data.format.Refusals.target;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.model.NumberMarks.Decimal;
import dev.discreet.core.model.NumberMarks.Thousands;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Rows;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextDialectTest {
  private static final TextDialect STANDARD = TextDialect.STANDARD;

  @TempDir Path folder;

  private Rows read(String text, TextDialect dialect) throws IOException {
    Path file = folder.resolve("t.csv");
    Files.write(file, text.getBytes(Charset.forName(dialect.charset())));
    return new CsvFormat().read(file, options(dialect)).train();
  }

  private static DataOptions options(TextDialect dialect) {
    return DataOptions.builder()
        .label("income=0..10000")
        .columns(List.of("grade=0.5|1", "town=Köln|Ulm, alt"))
        .unit("id")
        .dialect(dialect)
        .build();
  }

  /** However a table is written, its rows become the same examples and the same people. */
  @Test
  void theSameRowsInEveryDialect() throws IOException {
    Rows plain = read("id,income,grade,town\nä1,1234.5,0.5,Köln\nb2,10,1,\"Ulm, alt\"\n", STANDARD);
    NumberMarks german = new NumberMarks(Decimal.COMMA, Thousands.POINT);
    NumberMarks swiss = new NumberMarks(Decimal.POINT, Thousands.APOSTROPHE);
    List<Rows> others =
        List.of(
            read(
                "id;income;grade;town\r\nä1;1.234,5;0,5;Köln\r\nb2;10;1,0;Ulm, alt\r\n",
                STANDARD.numbers(german).in("windows-1252")),
            read(
                "id|income|grade|town\nä1|1'234.5|0.5|Köln\nb2|10|1|Ulm, alt\n",
                STANDARD.delimitedBy("|").quotedBy("").numbers(swiss).in("IBM850")),
            read(
                "ä1 'x' 1234.5 0.5 Köln\nb2 '' 10 1 'Ulm, alt'\n",
                STANDARD
                    .delimitedBy(" ")
                    .quotedBy("'")
                    .named(List.of("id", "note", "income", "grade", "town"))),
            read(
                "\"ä1\"\t1234.50\t.5\tKöln\n\nb2\t1e1\t1\t\"Ulm, alt\"",
                STANDARD.delimitedBy("\t").named(List.of("id", "income", "grade", "town"))));
    for (Rows rows : others) {
      assertEquals(0, rows.misfits().count(), rows.misfits().first().toString());
      assertArrayEquals(plain.unitOf(), rows.unitOf());
      assertArrayEquals(plain.fingerprints(), rows.fingerprints());
      for (int row = 0; row < 2; row++) {
        assertArrayEquals(input(plain.examples(), row), input(rows.examples(), row));
        assertEquals(target(plain.examples(), row), target(rows.examples(), row));
      }
    }
    assertEquals((float) 0.12345, target(plain.examples(), 0));
  }

  /** The first line is somebody's row then, and decides nothing about another. */
  @Test
  void withoutAHeaderTheFirstRowDecidesNothing() throws IOException {
    TextDialect named = STANDARD.named(List.of("id", "income", "grade", "town"));
    for (String first : List.of("a\tb;c", "id,income,grade", "x;y;z;w", "\t\t\t", "1")) {
      Rows rows = read(first + "\nb2,10,1,Köln\n", named);
      assertEquals(2, rows.examples().size());
      assertEquals(1, rows.misfits().count());
      assertEquals(0.001f, target(rows.examples(), 1));
    }
  }

  @Test
  void otherMarksDoNotFit() throws IOException {
    String text = "id;income;grade;town\na;1.234,5;1;Köln\nb;10;1;Köln\n";
    assertEquals(1, read(text, STANDARD).misfits().count());
    TextDialect comma = STANDARD.numbers(new NumberMarks(Decimal.COMMA, Thousands.NONE));
    assertEquals(1, read(text, comma).misfits().count());
    String told = read(text, comma).misfits().first().get(0);
    assertEquals(
        folder.resolve("t.csv")
            + " line 2, column income must be a number with a decimal comma."
            + " Provided value: \"1.234,5\"",
        told);
    assertTrue(
        read("id;income;grade;town\na;;1;Köln\n", comma)
            .misfits()
            .first()
            .get(0)
            .endsWith("a number with a decimal comma. Provided value: an empty cell"));
  }

  @Test
  void columnsWithoutNamesAreNumbered() throws IOException {
    TextDialect numbered = STANDARD.named(List.of("c1..c3", "x08..x10"));
    assertEquals(List.of("c1", "c2", "c3", "x08", "x09", "x10"), numbered.header());
    Path file = Files.writeString(folder.resolve("n.csv"), "1,2,3,4,5,6\n");
    DataOptions options =
        DataOptions.builder()
            .label("c1=0..10")
            .columns(List.of("x10=0..10"))
            .dialect(numbered)
            .build();
    Rows rows = new CsvFormat().read(file, options).train();
    assertArrayEquals(new float[] {0.6f}, input(rows.examples(), 0));
    assertEquals(0.1f, target(rows.examples(), 0));
  }

  @Test
  void aFewWordsDoNotBecomeMillionsOfNames() {
    List<String> ranges = Collections.nCopies(1000, "c1..c99999");
    refused(() -> STANDARD.named(ranges), "names of columns", "at most 100000");
    // Every name of a range would have its beginning.
    String begin = "c".repeat(101);
    List<String> one = List.of(begin + "1.." + begin + "9999");
    assertEquals(one, STANDARD.named(one).header());
  }

  @Test
  void whatMeansTwoThingsIsRefused() {
    refused(() -> STANDARD.delimitedBy("\""), "quote", "another character");
    refused(() -> STANDARD.delimitedBy("ab"), "delimiter", "one character");
    refused(() -> STANDARD.delimitedBy("\n"), "delimiter", "one character");
    refused(() -> STANDARD.delimitedBy("1"), "delimiter", "no letter, digit");
    // In the others one row's bytes could change how the rows after it are read.
    for (String other :
        List.of("latin-77", "UTF-16LE", "ISO-2022-JP", "Shift_JIS", "x-JISAutoDetect")) {
      refused(() -> STANDARD.in(other), "charset", other);
    }
    refused(() -> STANDARD.named(List.of("a", "a")), "names of columns", "distinct");
    refused(() -> STANDARD.named(List.of("c5..c1")), "range of names", "rising");
  }

  /** As a cluster's table has numbers beside text. */
  @Test
  void aCellThatIsANumberHasNoMarks() {
    TextDialect german =
        STANDARD.numbers(new NumberMarks(Decimal.COMMA, Thousands.POINT)).delimitedBy(";");
    TableColumns columns =
        TableColumns.declared(
            "people",
            DataOptions.builder()
                .label("class=1.234|1234")
                .columns(List.of("a=0..2000", "w=0..2000,missing=0", "grade=0.5<1<1000"))
                .dialect(german)
                .build());
    float[] expected = {1.234f / 2000, 1.234f / 2000, 0, 0, 0};
    for (Object[] cells :
        new Object[][] {
          {1.234, 1.234, 1.234, 0.5},
          {1.234, new BigDecimal("1.234"), new BigDecimal("1.234"), 0.5f},
          {"1,234", "1,234", "1,234", "0,5"},
        }) {
      float[] read = new float[expected.length];
      columns.read(column -> cells[column], read);
      assertArrayEquals(expected, read);
      assertTrue(columns.fits(0, cells[0]) && columns.fits(3, cells[3]));
    }
    assertFalse(columns.fits(3, 0.75));
  }
}
