package dev.discreet.data.table;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.Column;
import dev.discreet.data.Rows;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Tables as text: CSV and TSV with a header, UTF-8, plain or gzip. */
public final class Csv {
  private Csv() {}

  /**
   * Reads the declared columns, as {@link TableReading} does.
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
    try (TableRows rows = CsvLines.open(path)) {
      return TableReading.read(rows, declared, unit, heapBytes);
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }
}
