package dev.discreet.data;

import dev.discreet.data.internal.CellText;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The rows of a table, one after the other, wherever they lie: a file of text, a sheet, a database.
 * What is declared of the columns is not known here; {@code data.table.TableReading} makes examples
 * of these rows.
 */
public interface TableRows extends Closeable {

  /**
   * What messages call the table.
   *
   * @return a path, or the name of a table in a database: never a password
   */
  String name();

  /**
   * The names of the columns.
   *
   * @return distinct, stripped of blanks, in the order of the cells
   */
  List<String> header();

  /**
   * The cells of the next row.
   *
   * @return null at the end; a cell is a text, a number, or null where there is nothing. A row with
   *     more or fewer cells than the header does not fit
   * @throws IOException where the table cannot be read further: never because of one row's values
   */
  List<?> next() throws IOException;

  /**
   * Where the last row stands, for messages to the operator.
   *
   * @return words as in "line 12"
   */
  String place();

  /**
   * Hands on the cells of some columns, row by row.
   *
   * @param columns their names
   * @param row takes each row's cells, stripped of blanks around them, and its {@link #place}; a
   *     table without rows has none
   * @throws IOException where the table cannot be read
   */
  default void readPlaced(List<String> columns, BiConsumer<List<String>, Supplier<String>> row)
      throws IOException {
    List<Integer> places = new ArrayList<>();
    for (String column : columns) {
      places.add(TableHeader.find(this, column, "column"));
    }
    for (List<?> cells = next(); cells != null; cells = next()) {
      List<?> found = cells;
      // A row that is too short has empty cells: one bad row must not decide what comes out.
      row.accept(
          places.stream()
              .map(i -> i < found.size() ? CellText.of(found.get(i)).strip() : "")
              .toList(),
          this::place);
    }
  }
}
