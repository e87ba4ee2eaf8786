package dev.discreet.data.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.data.Column;
import dev.discreet.data.Rows;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.internal.RowFingerprint;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks read by several threads are, to the bit and to the word, the lines read one by one. */
class CsvBlocksTest {
  private static final long HEAP = 1 << 24;

  @TempDir private Path folder;

  private static final TableColumns DECLARED =
      declared(
          "sick=no|yes",
          "age=0..120",
          "weight=0..200,missing=indicator(70),missing-cells=NA|99",
          "size=s<m<l",
          "seen=2015-01-01..2024-12-31+weekday",
          "region=north|süd,other=elsewhere,missing=own",
          "note=text,hash=4,words=1..2,missing=own");

  private static TableColumns declared(String label, String... columns) {
    return new TableColumns(
        Column.label(label, NumberMarks.PLAIN), Arrays.stream(columns).map(Column::parse).toList());
  }

  /** All there is to tell of a reading: what it gave, or how it refused. */
  private static String told(Reading reading) {
    Rows rows;
    try {
      rows = reading.rows();
    } catch (IOException | IllegalArgumentException e) {
      return e.getClass() + " " + e.getMessage();
    }
    StringBuilder all = new StringBuilder();
    int width = rows.examples().input().size();
    float[] input = new float[width + 1];
    for (int i = 0; i < rows.examples().size(); i++) {
      rows.examples().input(i, input, 0);
      rows.examples().target(i, input, width);
      for (float each : input) {
        all.append(Integer.toHexString(Float.floatToRawIntBits(each))).append(' ');
      }
      all.append(rows.fingerprints()[i])
          .append(rows.unitOf() == null ? "" : " of " + rows.unitOf()[i])
          .append('\n');
    }
    return all + rows.misfits().rows().toString() + rows.misfits().first();
  }

  private interface Reading {
    Rows rows() throws IOException;
  }

  private static String lines(
      Path path, TextDialect dialect, TableColumns declared, Optional<String> unit) {
    return told(
        () -> {
          try (CsvLines lines = CsvLines.open(path, dialect)) {
            return TableReading.read(lines, declared, unit, HEAP);
          }
        });
  }

  private static String blocks(
      Path path, TextDialect dialect, TableColumns declared, Optional<String> unit, int bytes) {
    return told(
        () -> {
          try (CsvBlocks blocks = CsvBlocks.open(path, dialect, bytes)) {
            return BlockReading.read(blocks, declared, unit, HEAP);
          }
        });
  }

  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "NA",
          "99",
          "99.0",
          "1e1",
          "+5",
          "-0",
          ".5",
          "5.",
          ".",
          "1_0",
          "0x1",
          "1,5",
          "12345678901234567890",
          "0.1234567890123456789",
          "\"7\"",
          "\"a\"\"b\"",
          "\"two\nlines\"",
          "\"tail\" x",
          "x\"y",
          "süd",
          "\uFFFD",
          "\uFEFF",
          "20\u00A0",
          "\u001c5",
          "no",
          "\r",
          "\n");

  private static String cell(SplittableRandom random, String usual) {
    return random.nextInt(30) == 0 ? ODD.get(random.nextInt(ODD.size())) : usual;
  }

  private static String table(SplittableRandom random, String between, String end) {
    StringBuilder text = new StringBuilder();
    text.append(String.join(between, "id", "age", "weight", "size", "seen", "region", "note"))
        .append(between)
        .append("sick")
        .append(end);
    for (int rows = 1 + random.nextInt(60); rows > 0; rows--) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  "p" + random.nextInt(20),
                  Integer.toString(random.nextInt(140)),
                  String.format(Locale.ROOT, "%.2f", 220 * random.nextDouble()),
                  List.of("s", "m", "l").get(random.nextInt(3)),
                  "20%02d-0%d-1%d"
                      .formatted(10 + random.nextInt(20), 1 + random.nextInt(9), random.nextInt(9)),
                  List.of("north", "south", "west").get(random.nextInt(3)),
                  "has fever " + random.nextInt(5),
                  random.nextBoolean() ? "no" : "yes"));
      cells.replaceAll(each -> cell(random, each));
      if (random.nextInt(40) == 0) {
        cells.remove(random.nextInt(cells.size()));
      }
      text.append(String.join(between, cells)).append(rows == 1 && random.nextBoolean() ? "" : end);
      if (random.nextInt(20) == 0) {
        text.append(end);
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void blocksAreLines(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    int read = 0;
    for (int i = 0; i < 250; i++) {
      String between = List.of(",", ";", "\t").get(random.nextInt(3));
      String end = List.of("\n", "\n", "\r\n", "\r").get(random.nextInt(4));
      byte[] bytes = table(random, between, end).getBytes(StandardCharsets.UTF_8);
      for (int hits = random.nextInt(3) == 0 ? random.nextInt(4) : 0; hits > 0; hits--) {
        bytes[random.nextInt(bytes.length)] =
            random.nextBoolean()
                ? (byte) random.nextInt(256)
                : (byte) "\"\r\n,;".charAt(random.nextInt(5));
      }
      Path path = Files.write(folder.resolve("t.csv"), bytes);
      TextDialect dialect = TextDialect.STANDARD;
      if (random.nextInt(4) == 0) {
        dialect = dialect.delimitedBy(between);
      }
      if (random.nextInt(8) == 0) {
        dialect = dialect.quotedBy(random.nextBoolean() ? "" : "'");
      }
      if (random.nextInt(8) == 0) {
        dialect =
            dialect.named(List.of("id", "age", "weight", "size", "seen", "region", "note", "sick"));
      }
      Optional<String> unit = random.nextBoolean() ? Optional.of("id") : Optional.empty();
      String expected = lines(path, dialect, DECLARED, unit);
      read += expected.startsWith("class") ? 0 : 1;
      for (int size : new int[] {1 << 20, 16 + random.nextInt(200), 1000}) {
        assertEquals(
            expected,
            blocks(path, dialect, DECLARED, unit, size),
            () -> size + " " + new String(bytes, StandardCharsets.UTF_8));
      }
    }
    assertTrue(read > 100, "refusals alone compare nothing: " + read);
  }

  /** A row that spans blocks, one longer than they may be, and one as long as none may be. */
  @Test
  void longRecordsAreLinesToo() throws IOException {
    TableColumns declared = declared("sick=no|yes", "age=0..120");
    for (int length : new int[] {100, 5000, 200_000, (1 << 24) + 10}) {
      String text =
          "age,note,sick\n1,a,no\n2,%s,yes\n3,\"%s\",no\n4,b,yes\n"
              .formatted("x".repeat(length), "y\n".repeat(length / 2));
      Path path = Files.writeString(folder.resolve("t.csv"), text);
      String expected = lines(path, TextDialect.STANDARD, declared, Optional.empty());
      for (int size : new int[] {1 << 20, 1 << 10}) {
        assertEquals(
            expected, blocks(path, TextDialect.STANDARD, declared, Optional.empty(), size));
      }
    }
  }

  @Test
  void encodingsAndGzipAreReadAsBefore() throws IOException {
    TableColumns declared = declared("sick=no|yes", "region=süd|north");
    byte[] bytes = "region,sick\nsüd,no\nnorth,yes\n".getBytes(StandardCharsets.ISO_8859_1);
    Path path = Files.write(folder.resolve("t.csv"), bytes);
    TextDialect latin = TextDialect.STANDARD.in("ISO-8859-1");
    String expected = lines(path, latin, declared, Optional.empty());
    assertTrue(expected.endsWith("{}[]"), expected);
    assertEquals(expected, blocks(path, latin, declared, Optional.empty(), 16));
  }

  /** With several blocks there are several threads, and one that is cut short ends them all. */
  @Test
  void blocksAreCutAtRecords() throws IOException {
    String text = "age,sick\n" + "12,no\n\"1\n2\",yes\n".repeat(100);
    Path path = Files.writeString(folder.resolve("t.csv"), text);
    int count = 0;
    int bytes = 0;
    try (CsvBlocks blocks = CsvBlocks.open(path, TextDialect.STANDARD, 64)) {
      for (CsvBlocks.Block each = blocks.next(); each != null; each = blocks.next()) {
        count++;
        bytes += each.length();
        assertEquals('\n', each.bytes()[each.length() - 1]);
      }
      assertEquals(null, blocks.rest(0));
    }
    assertEquals(text.length() - "age,sick\n".length(), bytes);
    assertTrue(count > 15, "blocks: " + count);
  }

  /** Some readers fail where they are asked again. */
  @Test
  void aTableIsNotAskedBehindItsEnd() throws IOException {
    Path path = Files.writeString(folder.resolve("t.csv"), "age,sick\n" + "1,no\n".repeat(3000));
    TableColumns declared = declared("sick=no|yes", "age=0..120");
    for (int rows : new int[] {1, 1023, 1024, 1025, 2048, 3000}) {
      try (CsvLines lines = CsvLines.open(path, TextDialect.STANDARD)) {
        TableRows some =
            new TableRows() {
              private int left = rows;

              @Override
              public List<?> next() throws IOException {
                assertTrue(left >= 0, "asked behind the end");
                return left-- > 0 ? lines.next() : null;
              }

              @Override
              public String name() {
                return lines.name();
              }

              @Override
              public List<String> header() {
                return lines.header();
              }

              @Override
              public String place() {
                return lines.place();
              }

              @Override
              public void close() {}
            };
        Rows read = TableReading.read(some, declared, Optional.empty(), HEAP);
        assertEquals(rows, read.examples().size());
      }
    }
  }

  @Test
  void numbersAreThoseOfTheirTexts() {
    SplittableRandom random = new SplittableRandom(7);
    int read = 0;
    for (int i = 0; i < 300_000; i++) {
      String text;
      switch (random.nextInt(4)) {
        case 0:
          text = Double.toString(Double.longBitsToDouble(random.nextLong()));
          break;
        case 1:
          text = Long.toString(random.nextLong() >> random.nextInt(64));
          break;
        case 2:
          text =
              String.format(
                  Locale.ROOT, "%." + random.nextInt(18) + "f", random.nextGaussian() * 1e4);
          break;
        default:
          StringBuilder odd = new StringBuilder();
          for (int k = random.nextInt(8); k >= 0; k--) {
            odd.append(" 0123456789.-+e".charAt(random.nextInt(15)));
          }
          text = odd.toString();
      }
      byte[] bytes = ("x" + text + "y").getBytes(StandardCharsets.US_ASCII);
      double value = ByteNumber.of(bytes, 1, bytes.length - 1);
      if (!Double.isNaN(value)) {
        read++;
        assertEquals(
            Double.doubleToRawLongBits(CellNumber.of(text)),
            Double.doubleToRawLongBits(value),
            text);
      }
    }
    assertTrue(read > 120_000, "few are read that way: " + read);
  }

  @Test
  void fingerprintsAreThoseOfOthers() {
    RowFingerprint row = new RowFingerprint("row");
    byte[] cells = "a,bc,,".repeat(2000).getBytes(StandardCharsets.US_ASCII);
    for (int length : new int[] {0, 3, 700, 12_000}) {
      row.clear();
      row.add(cells, 0, length);
      row.add(cells, 1, 2);
      assertEquals(
          Fingerprint.of("row", Arrays.copyOf(cells, length), new byte[] {','}), row.value());
    }
    assertEquals(Fingerprint.ofUnit("ü"), new RowFingerprint("unit").of("ü"));
  }
}
