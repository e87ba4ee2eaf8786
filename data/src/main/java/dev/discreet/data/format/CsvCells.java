package dev.discreet.data.format;

import dev.discreet.data.ColumnText;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Gzip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A few columns of a table ({@link Csv} says which files) as they are written, row by row. */
public final class CsvCells {
  private CsvCells() {}

  /** Refuses a file that lacks a column, from its header alone. */
  public static void check(Path path, List<String> columns) throws IOException {
    try (InputStream in = Gzip.open(path)) {
      at(path, new CsvLines(path, in, Csv.delimiter(path)), columns);
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  /**
   * Hands on each row's cells of those columns, stripped of blanks around them; a table without
   * rows has none.
   */
  public static void read(Path path, List<String> columns, Consumer<List<String>> row)
      throws IOException {
    try (InputStream in = Gzip.open(path)) {
      CsvLines lines = new CsvLines(path, in, Csv.delimiter(path));
      List<Integer> at = at(path, lines, columns);
      for (List<String> cells = lines.next(); cells != null; cells = lines.next()) {
        List<String> found = cells;
        // A row that is too short has empty cells: one bad row must not decide what comes out.
        row.accept(at.stream().map(i -> i < found.size() ? found.get(i).strip() : "").toList());
      }
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  /** A finite decimal number, else NaN. */
  public static double number(String cell) {
    return ColumnText.number(cell);
  }

  private static List<Integer> at(Path path, CsvLines lines, List<String> columns)
      throws IOException {
    List<String> header = Csv.header(path, lines);
    List<Integer> at = new ArrayList<>();
    for (String column : columns) {
      at.add(Csv.find(path, header, column, "column"));
    }
    return at;
  }
}
