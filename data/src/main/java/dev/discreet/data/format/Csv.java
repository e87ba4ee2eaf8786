package dev.discreet.data.format;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.Rows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.internal.Gzip;
import dev.discreet.data.rows.RowStore;
import dev.discreet.data.rows.RowsBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tables as text: CSV and TSV with a header, UTF-8, plain or gzip. */
public final class Csv {
  private Csv() {}

  /**
   * Reads the declared columns; others are not looked at, except that the whole row is the identity
   * of a row without a unit. A row that does not fit the declarations counts as zero, and one
   * without a unit where there is a unit column is no one's.
   *
   * @param unit the column whose values say which rows are one person's; empty where every row is a
   *     person of its own
   */
  public static Rows read(Path path, Column label, List<Column> columns, Optional<String> unit)
      throws IOException {
    return read(path, label, columns, unit, Runtime.getRuntime().maxMemory() / 4);
  }

  /**
   * Reads the declared columns of a table that needs no label, to predict from: targets are 0. A
   * row that does not fit is refused: nothing could be said of it.
   */
  static Examples readInputs(Path path, List<Column> columns) throws IOException {
    Column none = new Column.Bounded("", 0, 1);
    return read(path, none, columns, Optional.empty(), Runtime.getRuntime().maxMemory() / 4)
        .fitting()
        .examples();
  }

  static Rows read(
      Path path, Column label, List<Column> columns, Optional<String> unit, long heapBytes)
      throws IOException {
    TableColumns declared = new TableColumns(label, columns);
    int width = declared.input().size();
    try (InputStream in = Gzip.open(path)) {
      CsvLines lines = new CsvLines(path, in, delimiter(path));
      List<String> header = header(path, lines);
      List<String> names = declared.names();
      int[] at = new int[names.size()];
      for (int i = 0; i < at.length; i++) {
        boolean labels = i == 0 && at.length > columns.size();
        at[i] = find(path, header, names.get(i), labels ? "label column" : "column");
      }
      Optional<UnitNumbers> units = Optional.empty();
      if (unit.isPresent()) {
        units = Optional.of(new UnitNumbers(find(path, header, unit.get(), "unit column")));
      }
      RowsBuilder rows = new RowsBuilder(new RowStore(width * Float.BYTES, heapBytes));
      float[] example = new float[width + 1];
      float[] row = new float[width];
      for (List<String> cells = lines.next(); cells != null; cells = lines.next()) {
        String person = units.isPresent() ? units.get().name(cells) : "";
        long fingerprint = person.isEmpty() ? fingerprint(cells) : Fingerprint.ofUnit(person);
        String wrong = "";
        if (cells.size() != header.size()) {
          wrong = ": must have " + header.size() + " fields, as the header has. Provided: ";
          wrong += cells.size();
        } else if (units.isPresent() && person.isEmpty()) {
          wrong = ": the unit column must say whose the row is.";
        } else {
          try {
            List<String> found = cells;
            declared.read(i -> found.get(at[i]), example);
          } catch (IllegalArgumentException e) {
            wrong = ", column " + e.getMessage();
          }
        }
        if (wrong.isEmpty()) {
          System.arraycopy(example, 0, row, 0, width);
          rows.add(row, example[width], fingerprint);
        } else {
          rows.misfit(fingerprint, FileErrors.message(path, "line " + lines.line() + wrong));
        }
        units.ifPresent(each -> each.add(person, rows.size()));
      }
      if (rows.size() == 0) {
        throw FileErrors.file(path, "must have at least one row below its header.");
      }
      int[] unitOf = units.isPresent() ? units.get().of(rows.size()) : null;
      return rows.table(Shape.vector(width), label.task(), unitOf);
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  static char delimiter(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    return name.endsWith(".tsv") || name.endsWith(".tab") ? '\t' : 0;
  }

  static List<String> header(Path path, CsvLines lines) throws IOException {
    List<String> raw = lines.next();
    if (raw == null) {
      throw FileErrors.file(path, "must start with a line of column names; it is empty.");
    }
    List<String> header = raw.stream().map(String::strip).toList();
    if (header.size() == 1 && header.get(0).matches("(?s)[^;|\t]*+[;|\t].*")) {
      throw FileErrors.usage(
          path,
          "must have its columns between commas, semicolons or tabs (tabs where it is called .tsv"
              + " or .tab). Its only column: "
              + FileErrors.shown(header.get(0)));
    }
    Set<String> names = new HashSet<>();
    for (String name : header) {
      if (!names.add(name)) {
        throw FileErrors.file(
            path,
            "line 1: column names must be distinct. Provided twice: " + FileErrors.shown(name));
      }
    }
    return header;
  }

  static int find(Path path, List<String> header, String name, String what) {
    int at = header.indexOf(name);
    if (at < 0) {
      List<String> known = header.stream().limit(50).map(FileErrors::shown).toList();
      throw FileErrors.usage(
          path,
          "must have the "
              + what
              + " "
              + name
              + ". Its columns: "
              + String.join(", ", known)
              + (known.size() < header.size() ? ", … (" + header.size() + ")" : ""));
    }
    return at;
  }

  private static long fingerprint(List<String> cells) {
    return Fingerprint.of(
        "row", cells.stream().map(c -> c.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new));
  }

  /** Numbers people in the order in which they appear. */
  private static final class UnitNumbers {
    private final int column;
    private final Map<String, Integer> numbers = new HashMap<>();
    private int[] unitOf = new int[1024];

    UnitNumbers(int column) {
      this.column = column;
    }

    String name(List<String> cells) {
      return UnitCells.person(cells, column);
    }

    void add(String name, int rows) {
      if (rows > unitOf.length) {
        unitOf = Arrays.copyOf(unitOf, RowsBuilder.grown(unitOf.length));
      }
      if (name.isEmpty()) {
        unitOf[rows - 1] = -1;
        return;
      }
      Integer number = numbers.putIfAbsent(name, numbers.size());
      unitOf[rows - 1] = number == null ? numbers.size() - 1 : number;
    }

    int[] of(int rows) {
      return Arrays.copyOf(unitOf, rows);
    }
  }
}
