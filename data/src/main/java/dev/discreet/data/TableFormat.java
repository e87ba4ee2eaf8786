package dev.discreet.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A format of tables, whose columns have names. */
public interface TableFormat extends DataFormat {

  /**
   * Whether it can be tried on a file that no format knows by its name.
   *
   * @return true for a format of plain text
   */
  boolean readsAnyText();

  /**
   * Refuses a file that lacks a column, without looking at its rows.
   *
   * @param file a table
   * @param columns their names
   * @throws IOException where a file cannot be read
   */
  void checkColumns(Path file, List<String> columns) throws IOException;

  /**
   * Hands on the cells of some columns, row by row.
   *
   * @param file a table
   * @param columns their names
   * @param row takes each row's cells, stripped of blanks around them; a table without rows has
   *     none
   * @throws IOException where a file cannot be read
   */
  void readCells(Path file, List<String> columns, Consumer<List<String>> row) throws IOException;
}
