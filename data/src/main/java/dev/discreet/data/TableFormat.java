package dev.discreet.data;

import dev.discreet.data.internal.CellText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
   * Opens a table and reads its header.
   *
   * @param file a table
   * @param options how it is written, where its owner declared that
   * @return its rows, to be closed
   * @throws IOException where a file cannot be read
   */
  TableRows open(Path file, DataOptions options) throws IOException;

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
      places(rows, columns);
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
    try (TableRows rows = open(file, options)) {
      List<Integer> places = places(rows, columns);
      for (List<?> cells = rows.next(); cells != null; cells = rows.next()) {
        List<?> found = cells;
        // A row that is too short has empty cells: one bad row must not decide what comes out.
        row.accept(places.stream().map(i -> i < found.size() ? text(found.get(i)) : "").toList());
      }
    }
  }

  /** Where each column stands in a row, by the header. */
  private static List<Integer> places(TableRows rows, List<String> columns) {
    List<Integer> places = new ArrayList<>();
    for (String column : columns) {
      places.add(TableHeader.find(rows, column, "column"));
    }
    return places;
  }

  private static String text(Object cell) {
    return CellText.of(cell).strip();
  }
}
