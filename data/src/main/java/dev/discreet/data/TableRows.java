package dev.discreet.data;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

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
}
