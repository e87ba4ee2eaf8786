package dev.discreet.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A format of tables, whose columns have names. */
public interface TableFormat extends DataFormat {

  /** Whether it can be tried on a file that no format knows by its name. */
  boolean readsAnyText();

  /** Refuses a file that lacks a column, without looking at its rows. */
  void checkColumns(Path file, List<String> columns) throws IOException;

  /**
   * Hands on each row's cells of those columns, stripped of blanks around them; a table without
   * rows has none.
   */
  void readCells(Path file, List<String> columns, Consumer<List<String>> row) throws IOException;
}
