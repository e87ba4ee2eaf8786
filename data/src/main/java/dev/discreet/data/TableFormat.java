package dev.discreet.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A format of tables, whose columns have names. */
public interface TableFormat extends DataFormat {

  /**
   * Whether it can be tried on a file that no format knows by its name.
   *
   * @return true for a format of plain text
   */
  boolean readsAnyText();

  /**
   * Opens a table and reads its header.
   *
   * @param file a table
   * @param options how it is written, where its owner declared that
   * @return its rows, to be closed
   * @throws IOException where a file cannot be read
   */
  TableRows open(Path file, DataOptions options) throws IOException;

  /**
   * The names of a table's columns.
   *
   * @param file a table
   * @param options how it is written, where its owner declared that
   * @return the names
   * @throws IOException where a file cannot be read
   */
  default TableHeader header(Path file, DataOptions options) throws IOException {
    try (TableRows rows = open(file, options)) {
      return TableHeader.of(rows);
    }
  }

  /**
   * Refuses a file that lacks a column, without looking at its rows.
   *
   * @param file a table
   * @param options how it is written, where its owner declared that
   * @param columns their names
   * @throws IOException where a file cannot be read
   */
  default void checkColumns(Path file, DataOptions options, List<String> columns)
      throws IOException {
    try (TableRows rows = open(file, options)) {
      columns.forEach(column -> TableHeader.find(rows, column, "column"));
    }
  }

  /**
   * Hands on the cells of some columns, row by row.
   *
   * @param file a table
   * @param options how it is written, where its owner declared that
   * @param columns their names
   * @param row takes each row's cells, stripped of blanks around them; a table without rows has
   *     none
   * @throws IOException where a file cannot be read
   */
  default void readCells(
      Path file, DataOptions options, List<String> columns, Consumer<List<String>> row)
      throws IOException {
    readPlaced(file, options, columns, (cells, place) -> row.accept(cells));
  }

  /**
   * The same, with the place of each row.
   *
   * @param file a table
   * @param options how it is written, where its owner declared that
   * @param columns their names
   * @param row takes each row's cells, and where it stands, as in "line 12"
   * @throws IOException where a file cannot be read
   */
  default void readPlaced(
      Path file,
      DataOptions options,
      List<String> columns,
      BiConsumer<List<String>, Supplier<String>> row)
      throws IOException {
    try (TableRows rows = open(file, options)) {
      rows.readPlaced(columns, row);
    }
  }
}
