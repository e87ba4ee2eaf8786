package dev.discreet.fuzz;

import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.DataFormats;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Readers of tables, of declared columns, and of the table that says whose rows are. */
final class TableParsers {
  /** Stands in every row, and in no header. */
  static final String MARK = "Qx7mark";

  private static final List<String> COLUMNS =
      List.of("id", "age", "sex", "grade", "seen", "ill", "note");

  private static final DataOptions OPTIONS =
      DataOptions.builder()
          .label("ill=no|yes")
          .columns(List.of("age=0..120", "sex=male|female", "grade={1..16}"))
          .unit("id")
          .testShare(0)
          .build();

  private static final List<String> TABLES =
      List.of(
          table(",", "\n"),
          table(";", "\r\n"),
          table("\t", "\n"),
          table(",", "\r"),
          "\uFEFF" + table(",", "\n"),
          "id,age,sex,grade,seen,ill,note\n\""
              + MARK
              + "1\",\" 7 \",male,3,2024-02-29,yes,\"a \"\"b\"\",\nc\"\n");

  private static final Set<String> HEADERS =
      Set.of(",", ";", "\t").stream()
          .map(between -> String.join(between, COLUMNS))
          .collect(Collectors.toSet());

  private TableParsers() {}

  private static String table(String between, String end) {
    StringBuilder text = new StringBuilder();
    text.append(String.join(between, COLUMNS)).append(end);
    for (int i = 0; i < 6; i++) {
      String sex = i % 2 == 0 ? "male" : "female";
      String ill = i % 3 == 0 ? "yes" : "no";
      text.append(
              String.join(
                  between,
                  MARK + i / 2,
                  "" + 11 * i,
                  sex,
                  "" + (i + 1),
                  "2024-02-2" + i + " 10:00",
                  ill,
                  "\"" + MARK + "\""))
          .append(end);
    }
    return text.toString();
  }

  static List<HostileParser> all() {
    return List.of(
        new Table("csv", ".csv"),
        new Table("csv-gz", ".csv.gz"),
        new Dialects(),
        HostileParser.ofFiles(
            "csv-cells",
            random -> HostileFiles.of("t.tsv", changed(random)),
            (folder, files) -> {
              Path file = folder.resolve("t.tsv");
              DataFormats.table(file).checkColumns(file, DataOptions.none(), List.of("age", "id"));
              DataFormats.table(file)
                  .readCells(file, DataOptions.none(), List.of("age", "id"), cells -> {});
            }),
        HostileParser.ofFiles("xlsx", HostileSheets::next, HostileSheets::read),
        HostileParser.ofFiles(
            "json-table",
            random -> HostileFiles.of("t.json", Mutations.text(random, json(random))),
            (folder, files) -> {
              String file = folder.resolve("t.json").toString();
              touch(DataSets.open(file, OF_JSON));
              DataSets.openInputs(file, OF_JSON);
            }),
        new UnitMaps(),
        HostileParser.ofText(
            "column", TableParsers::column, (folder, files) -> readColumn(files.text())),
        HostileParser.ofText(
            "shape", TableParsers::shape, (folder, files) -> readShape(files.text())));
  }

  private static final DataOptions OF_JSON =
      DataOptions.builder()
          .label("ill=no|yes")
          .columns(List.of("age=0..120"))
          .unit("id")
          .testShare(0)
          .build();

  /** Objects in an array, or on a line each. */
  private static String json(SplittableRandom random) {
    String object = "{\"id\":\"" + MARK + "%d\",\"age\":%d.5,\"ill\":\"no\",\"more\":[{}]}";
    List<String> objects =
        List.of(object.formatted(1, 30), object.formatted(2, 40), object.formatted(1, 50));
    return Mutations.chance(random, 2)
        ? "[" + String.join(",", objects) + "]"
        : String.join("\n", objects);
  }

  private static byte[] changed(SplittableRandom random) {
    String table = Mutations.pick(random, TABLES);
    byte[] bytes = table.getBytes(StandardCharsets.UTF_8);
    return Mutations.chance(random, 4)
        ? Mutations.bytes(random, bytes)
        : Mutations.text(random, bytes);
  }

  /** What a split, a training and a summary ask of the rows. */
  static void touch(DataSet set) {
    var examples = set.train().examples();
    float[] input = new float[examples.input().size()];
    float[] target = new float[1];
    for (int i = 0; i < Math.min(20, examples.size()); i++) {
      examples.input(i, input, 0);
      examples.target(i, target, 0);
    }
  }

  private record Table(String name, String suffix) implements HostileParser {
    @Override
    public HostileFiles next(SplittableRandom random) {
      byte[] table = changed(random);
      if (suffix.endsWith(".gz")) {
        table = HostileArchives.gzip(table);
        table = Mutations.chance(random, 2) ? table : Mutations.bytes(random, table);
      }
      return HostileFiles.of("table" + suffix, table);
    }

    @Override
    public void read(Path folder, HostileFiles files) throws IOException {
      Path file = folder.resolve("table" + suffix);
      touch(DataSets.open(file.toString(), OPTIONS));
      DataSets.openInputs(file.toString(), OPTIONS);
    }

    @Override
    public void checkMessage(HostileFiles files, String message) {
      String header = files.text().split("[\r\n]", 2)[0];
      // A table without its header is the exception: then the first row is taken for it. What
      // does not fit is told where rows to predict are read, which are the caller's own.
      if (message.contains(MARK) && HEADERS.contains(header) && !message.contains(", column ")) {
        throw new AssertionError(message);
      }
    }
  }

  /**
   * However a table is declared to be written, and whatever it is: what its bytes say is one way.
   */
  private record Dialects() implements HostileParser {
    @Override
    public String name() {
      return "csv-dialect";
    }

    @Override
    public HostileFiles next(SplittableRandom random) {
      return HostileFiles.of("table.csv", changed(random))
          .with("dialect", new byte[] {(byte) random.nextInt(256)});
    }

    @Override
    public void read(Path folder, HostileFiles files) throws IOException {
      int kind = files.get("dialect")[0];
      TextDialect dialect =
          new TextDialect(
              List.of("", ";", " ", "|").get(kind & 3),
              List.of("\"", "'").get(kind >> 2 & 1),
              new NumberMarks(
                  NumberMarks.Decimal.COMMA, NumberMarks.Thousands.values()[(kind >> 3 & 1) * 2]),
              List.of("UTF-8", "windows-1252", "UTF-16", "Shift_JIS").get(kind >> 4 & 3),
              (kind >> 6 & 1) == 0 ? List.of() : COLUMNS);
      String file = folder.resolve("table.csv").toString();
      DataOptions options =
          DataOptions.builder()
              .label("ill=no|yes")
              .columns(
                  List.of(
                      "age=0..120,missing=indicator(40),missing-cells=11|NA",
                      "sex=male|other,other=else,missing=own",
                      "grade=1<2<3<4<5,missing=3,missing-cells=6",
                      (kind & 128) == 0
                          ? "seen=2015-01-01..2024-12-31+month+weekday"
                          : "seen=weekday,missing=29.02.2024,pattern=dd.MM.yyyy"))
              .unit("id")
              .testShare(0)
              .dialect(dialect)
              .build();
      touch(DataSets.open(file, options));
    }

    @Override
    public void checkMessage(HostileFiles files, String message) {
      // Read as declared, and that is wrongly, the first line may hold more than the names.
      if (message.contains(MARK) && (files.get("dialect")[0] >> 6 & 1) == 1) {
        throw new AssertionError(message);
      }
    }
  }

  // ---- unit maps

  private record UnitMaps() implements HostileParser {
    @Override
    public String name() {
      return "unit-map";
    }

    @Override
    public HostileFiles next(SplittableRandom random) {
      String last = Mutations.chance(random, 4) ? MARK + ",cat" : "3,";
      String map = "row,unit\n0,%s1\n1,%s1\n2,%s2\n%s\n".formatted(MARK, MARK, MARK, last);
      return ArrayParsers.arrays()
          .with("units.csv", Mutations.text(random, map).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void read(Path folder, HostileFiles files) throws IOException {
      touch(
          DataSets.open(
              folder.resolve("x.npy").toString(),
              DataOptions.builder()
                  .label("0|1|2")
                  .labels(folder.resolve("y.npy"))
                  .unitMap(folder.resolve("units.csv"))
                  .testShare(0)
                  .build()));
    }

    @Override
    public void checkMessage(HostileFiles files, String message) {
      String header =
          new String(files.get("units.csv"), StandardCharsets.UTF_8).split("[\r\n]", 2)[0];
      if (message.contains(MARK) && header.equals("row,unit")) {
        throw new AssertionError(message);
      }
    }
  }

  // ---- texts

  private static HostileFiles column(SplittableRandom random) {
    String text =
        Mutations.pick(
            random,
            List.of(
                "age=0..120",
                "sex=male|female",
                "grade={1..16}",
                "x=-1.5e3..+.25",
                "0..1",
                "a|b|c",
                "{0..9}",
                "age=0..120,missing=40,missing-cells=NA|99",
                "sex=f|m,missing=own",
                "region=n|s,other=else,missing=indicator(n)",
                "size=low<mid<high,missing-cells=?",
                "visit=2015-01-01..2024-12-31+month,pattern=dd.MM.yyyy",
                "visit=weekday,missing=2020-02-29",
                "note=text,hash=64,words=1..2,letters=3..4,missing=none",
                "note=tokens,length=8,vocabulary=fever|cough|straße,missing=cough",
                "visit=month,pattern=[d/M/uuuu][yyyyMMdd HH:mm]['day' D yyyy]",
                "x = -1 .. 1"));
    return HostileFiles.of("column", Mutations.text(random, text));
  }

  private static void readColumn(String text) {
    refusedOrNot(() -> Column.bounds(text));
    refusedOrNot(() -> Column.categories(text));
    Column column = Column.parse(text);
    Column again = Column.parse(column.input().text());
    same(column.input().text(), again.input().text());
    refusedOrNot(() -> column.target(text));
    refusedOrNot(() -> column.target(1e300));
    refusedOrNot(() -> column.input(text, new float[column.width()], 0));
    refusedOrNot(() -> column.input("2024-02-29", new float[column.width()], 0));
    refusedOrNot(() -> ColumnSyntax.withVocabulary(text, file -> List.of("fever", "cough")));
  }

  private static HostileFiles shape(SplittableRandom random) {
    String text = Mutations.pick(random, List.of("28x28x1", "10", "1x1x1", "999999999"));
    return HostileFiles.of("shape", Mutations.text(random, text));
  }

  private static void readShape(String text) {
    Shape shape = Shape.parse(text);
    same(shape, Shape.parse(shape.toString()));
  }

  /** For one of several readings: any of them may refuse as long as it does so as declared. */
  static void refusedOrNot(Runnable reading) {
    try {
      reading.run();
    } catch (IllegalArgumentException e) {
      if (e.getClass() != IllegalArgumentException.class) {
        throw e;
      }
    }
  }

  static void same(Object one, Object other) {
    if (!one.equals(other)) {
      throw new AssertionError("read, written and read again: " + one + " and " + other);
    }
  }
}
