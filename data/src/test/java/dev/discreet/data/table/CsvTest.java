package dev.discreet.data.table;

import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.misfit;
import static dev.discreet.data.format.Refusals.refused;
import static dev.discreet.data.format.Refusals.target;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.Column;
import dev.discreet.data.Rows;
import dev.discreet.data.Split;
import dev.discreet.data.format.Refusals;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTest {
  private static final Column LABEL = Column.parse("ok=no|yes");
  private static final List<Column> COLUMNS =
      List.of(Column.parse("age=0..100"), Column.parse("town=Ulm|Bad Ems"));

  @TempDir Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Rows read(Path path) throws IOException {
    return Csv.read(path, LABEL, COLUMNS, Optional.empty());
  }

  @Test
  void quotesDelimitersAndLineEnds() throws IOException {
    List<Column> columns =
        List.of(Column.parse("age=0..100"), Column.parse("town=Ulm|\"Bad\", Ems"));
    String plain = "id,age,\"town\",ok\n1,50,Ulm,yes\n\n2,200,\"\"\"Bad\"\", Ems\",no\n";
    Path[] paths = {
      write("a.csv", plain),
      write("b.csv", "\uFEFF" + plain.replace("\n", "\r\n")),
      write("c.csv", plain.strip()),
      write("d.csv", plain.replace("\n", "\r")),
      write("e.tsv", plain.replace(",", "\t").replace("\t Ems", ", Ems")),
      write("f.txt", plain.replace(",", "\t").replace("\t Ems", ", Ems")),
      Files.write(folder.resolve("g.csv.gz"), Refusals.gzip(plain.getBytes(StandardCharsets.UTF_8)))
    };
    for (Path path : paths) {
      Rows rows = Csv.read(path, LABEL, columns, Optional.empty());
      assertEquals(2, rows.examples().size(), path.toString());
      assertEquals(Shape.vector(3), rows.examples().input());
      assertEquals(new Task.Classes(List.of("no", "yes")), rows.task());
      assertArrayEquals(new float[] {0.5f, 1, 0}, input(rows.examples(), 0));
      assertArrayEquals(new float[] {1, 0, 1}, input(rows.examples(), 1));
      assertEquals(1, target(rows.examples(), 0));
      assertEquals(0, target(rows.examples(), 1));
      assertNull(rows.unitOf());
      assertArrayEquals(
          Csv.read(paths[0], LABEL, columns, Optional.empty()).fingerprints(), rows.fingerprints());
    }
  }

  @Test
  void quotedLineEndsCountAsLines() throws IOException {
    Path path =
        write("a.csv", "note,ok,age\n\"one\ntwo\r\nthree\",yes,1\n\"\n\n\",no,2\nx,no,old\n");
    misfit(
        () -> Csv.read(path, LABEL, COLUMNS.subList(0, 1), Optional.empty()),
        path,
        "line 8, column age must be a number",
        "old");
  }

  @Test
  void unitsAreNumberedAndFingerprintedByName() throws IOException {
    Path path = write("a.csv", "who,age,ok\nbo,1,yes\nal,2,no\n bo ,3,no\n");
    Rows rows = Csv.read(path, LABEL, COLUMNS.subList(0, 1), Optional.of("who"));
    assertArrayEquals(new int[] {0, 1, 0}, rows.unitOf());
    assertEquals(Fingerprint.ofUnit("bo"), rows.fingerprints()[0]);
    assertEquals(rows.fingerprints()[0], rows.fingerprints()[2]);
    assertNotEquals(rows.fingerprints()[0], rows.fingerprints()[1]);
    Path empty = write("b.csv", "who,age,ok\n ,1,yes\n");
    misfit(
        () -> Csv.read(empty, LABEL, COLUMNS.subList(0, 1), Optional.of("who")),
        empty,
        "line 2",
        "unit column");
    refused(
        () -> Csv.read(empty, LABEL, COLUMNS.subList(0, 1), Optional.of("person")),
        "must have the unit column person. Its columns: who, age, ok");
  }

  /** Another row, before or after, moves no fingerprint; another cell or another cut does. */
  @Test
  void fingerprintsDependOnTheRowAlone() throws IOException {
    List<Column> age = COLUMNS.subList(0, 1);
    Rows one = Csv.read(write("a.csv", "x,age,ok\nab,1,yes\n"), LABEL, age, Optional.empty());
    Rows more =
        Csv.read(
            write(
                "b.csv",
                "x,age,ok\nq,5,no\nab,1,yes\nab,1,no\nab1,,yes\n".replace("b1,,", "b1,0,")),
            LABEL,
            age,
            Optional.empty());
    assertEquals(one.fingerprints()[0], more.fingerprints()[1]);
    assertEquals(4, Arrays.stream(more.fingerprints()).distinct().count());
    assertNotEquals(
        Fingerprint.of("row", new byte[] {1}, new byte[] {2, 3}),
        Fingerprint.of("row", new byte[] {1, 2}, new byte[] {3}));
  }

  @Test
  void badTablesAreRefusedAndBadRowsCountAsZero() throws IOException {
    String head = "age,town,ok\n";
    Path ragged = write("ragged.csv", head + "1,Ulm,yes\n2,Ulm\n");
    misfit(() -> read(ragged), ragged, "line 3: must have 3 fields", "Provided: 2");
    Path wide = write("wide.csv", head + "1,Ulm,yes,\n1,Ulm,yes\n");
    misfit(() -> read(wide), wide, "line 2: must have 3 fields", "Provided: 4");
    Path category = write("category.csv", head + "1,Köln,yes\n");
    misfit(() -> read(category), category, "line 2, column town must be one of Ulm,", "Köln");
    Path label = write("label.csv", head + "1,Ulm,perhaps\n");
    misfit(() -> read(label), label, "line 2, column ok must be one of no, yes", "perhaps");
    for (String cell : List.of("NaN", "", "ten", "1e999")) {
      Path path = write("number.csv", head + "1,Ulm,no\n" + cell + ",Ulm,yes\n");
      String told = cell.isEmpty() ? "an empty cell" : '"' + cell + '"';
      misfit(() -> read(path), path, "line 3, column age must be a number", told);
    }
    Path missing = write("missing.csv", "age,town,OK\n1,Ulm,yes\n");
    refused(() -> read(missing), missing, "must have the label column ok", "age, town, OK");
    Path twice = write("twice.csv", "age,town,age,ok\n");
    refused(() -> read(twice), twice, "distinct", "age");
    Path open = write("open.csv", head + "1,\"Ulm,yes\n2,Ulm,no\n");
    refused(() -> read(open), open, "line 2: a quoted field must end with a quote");
    Path after = write("after.csv", head + "1,\"U\nlm\"x,yes\n");
    refused(() -> read(after), after, "line 3", "must end with its quote");
    Path none = write("none.csv", head);
    refused(() -> read(none), none, "at least one row");
    Path empty = write("empty.csv", "");
    refused(() -> read(empty), empty, "it is empty");
    Path latin = Files.write(folder.resolve("latin.csv"), new byte[] {'a', (byte) 0xfc, 'b', 10});
    refused(() -> read(latin), latin, "must have the label column ok");
    Path evil = write("evil.csv", head + "\"x\nprivacy: none\",Ulm,yes\n");
    misfit(() -> read(evil), evil, "x?privacy: none");
    refused(() -> read(folder.resolve("gone.csv")), "gone.csv does not exist.");
    refused(() -> read(folder), folder, "must be a file");
  }

  /** What is wrong inside one row, even its bytes or its length, touches no other. */
  @Test
  void garbledAndEndlessRowsCountAsZero() throws IOException {
    Path latin = folder.resolve("latin.csv");
    byte[] bytes =
        "age,town,ok\n1,Ulm,yes\n2,Uüm,no\n3,Ulm,no\n".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(latin, bytes);
    misfit(() -> read(latin), latin, "line 3, column town");
    Path endless =
        write("long.csv", "age,town,ok\n1,Ulm,yes\n2," + "x".repeat(1 << 24) + ",no\n3,Ulm,no\n");
    misfit(() -> read(endless), endless, "line 3: must have 3 fields");
    assertEquals(3, read(endless).examples().size());
  }

  /** Text after a closing quote is the fault of its own row: the next begins on the next line. */
  @Test
  void aQuoteOutOfPlaceCountsAsZero() throws IOException {
    for (String row :
        List.of("2,\"Ulm\" x,no", "2,\"Ulm\" \"x,no", "\"2\" ,Ulm,no", "2,Ulm,\"no\"o")) {
      Path path = write("quote.csv", "age,town,ok\n1,Ulm,yes\n" + row + "\n3,Ulm,no\n");
      misfit(() -> read(path), path, "line 3, column");
      assertEquals(3, read(path).examples().size());
      assertEquals(0.03f, input(read(path).examples(), 2)[0], 1e-6);
    }
  }

  /** Where a column says whose rows are, one that does not say it is no one's. */
  @Test
  void rowsOfNoOne() throws IOException {
    byte[] garbled =
        "who,age,ok\nann,1,yes\n,2,no\nann,old,no\nbü,3,no\nbob\neve,4,no\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    Path path = Files.write(folder.resolve("who.csv"), garbled);
    Rows rows = Csv.read(path, LABEL, COLUMNS.subList(0, 1), Optional.of("who"));
    assertArrayEquals(new int[] {0, -1, 0, -1, 1, 2}, rows.unitOf());
    assertEquals(4, rows.misfits().count());
    Units units = Split.whole(rows, false).units();
    assertEquals(3, units.count());
    assertArrayEquals(new int[] {1, 0, 1}, IntStream.range(0, 3).map(units::size).toArray());
    Split.Parts parts = Split.of(rows, 0.5, Neighbouring.ADD_REMOVE, false);
    assertEquals(3, parts.train().units().count() + parts.test().orElseThrow().units().count());
  }

  @Test
  void badDeclarationsAreRefused() throws IOException {
    Path path = write("a.csv", "age,ok\n1,yes\n");
    refused(() -> Csv.read(path, LABEL, List.of(), Optional.empty()), "columns must be");
    refused(() -> Csv.read(path, LABEL, List.of(LABEL), Optional.empty()), "distinct", "ok");
    refused(
        () -> Csv.read(path, LABEL, List.of(COLUMNS.get(0), COLUMNS.get(0)), Optional.empty()),
        "distinct",
        "age");
    refused(() -> read(path), path, "must have the column town. Its columns: age, ok");
  }

  @Test
  void oneRowIsFineAndRegressionIsScaled() throws IOException {
    Path path = write("a.csv", "age,income\n30,2500\n");
    Rows rows =
        Csv.read(path, Column.parse("income=0..10000"), COLUMNS.subList(0, 1), Optional.empty());
    assertEquals(new Task.Number("income", 0, 10000), rows.task());
    assertEquals(0.25f, target(rows.examples(), 0));
  }

  /** Cells cut by the parser's buffer, and rows that do not fit into the memory they may have. */
  @Test
  void longTablesSpill() throws IOException {
    Random random = new Random(1);
    int count = 30_000;
    int width = 40;
    StringBuilder text = new StringBuilder("y");
    List<Column> columns = new ArrayList<>();
    for (int c = 0; c < width; c++) {
      text.append(",x").append(c);
      columns.add(Column.parse("x" + c + "=0..999"));
    }
    int[][] values = new int[count][width];
    for (int i = 0; i < count; i++) {
      text.append('\n').append(i % 2);
      for (int c = 0; c < width; c++) {
        values[i][c] = random.nextInt(1000);
        text.append(',').append(values[i][c]);
      }
    }
    Path path = write("long.csv", text.toString());
    Rows rows =
        Csv.read(
            path,
            TextDialect.STANDARD,
            new TableColumns(Column.parse("y=0|1"), columns),
            Optional.empty(),
            4_300_000);
    assertEquals(count, rows.examples().size());
    for (int i = 0; i < count; i += 17) {
      float[] got = input(rows.examples(), i);
      for (int c = 0; c < width; c++) {
        assertEquals(values[i][c] / 999.0, got[c], 1e-6);
      }
      assertEquals(i % 2, target(rows.examples(), i));
    }
  }

  @Test
  void pumsIsRead() throws IOException {
    Path path = Refusals.real("pums/FultonPUMS5full.csv");
    Rows rows =
        Csv.read(
            path,
            Column.parse("employed=0|1"),
            List.of(
                Column.parse("age=0..120"),
                Column.parse("educ={1..16}"),
                Column.parse("income=0..200000")),
            Optional.empty());
    assertEquals(25_766, rows.examples().size());
    float[] first = input(rows.examples(), 0);
    assertEquals(51 / 120f, first[0], 1e-6);
    assertEquals(1, first[11]);
    assertEquals(2200 / 200000f, first[17], 1e-6);
    assertEquals(0, target(rows.examples(), 0));
    assertEquals(1, target(rows.examples(), 1));
  }
}
