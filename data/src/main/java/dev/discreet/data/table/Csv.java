package dev.discreet.data.table;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.Column;
import dev.discreet.data.Rows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Tables as text: CSV and TSV, plain or gzip, in UTF-8 with a header unless declared otherwise. */
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
    return read(path, TextDialect.STANDARD, new TableColumns(label, columns), unit);
  }

  static Rows read(Path path, TextDialect dialect, TableColumns declared, Optional<String> unit)
      throws IOException {
    return read(path, dialect, declared, unit, Runtime.getRuntime().maxMemory() / 4);
  }

  /**
   * Reads the declared columns of a table that needs no label, to predict from: targets are 0. A
   * row that does not fit is refused: nothing could be said of it.
   */
  static Examples readInputs(Path path, TextDialect dialect, TableColumns declared)
      throws IOException {
    return read(path, dialect, declared, Optional.empty()).fitting().examples();
  }

  static Rows read(
      Path path, TextDialect dialect, TableColumns declared, Optional<String> unit, long heapBytes)
      throws IOException {
    try (CsvBlocks blocks = CsvBlocks.open(path, dialect)) {
      return BlockReading.read(blocks, declared, unit, heapBytes);
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }
}
