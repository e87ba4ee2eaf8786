package dev.discreet.data;

import dev.discreet.accounting.PublicApi;
import dev.discreet.data.internal.FileErrors;
import java.util.List;

/**
 * The names of a table's columns.
 *
 * <pre>{@code
 * TableHeader header = DataSets.header("people.csv", DataOptions.none());
 * int age = header.find("age", "column"); // refuses a table without it
 * }</pre>
 *
 * @param name what messages call the table
 * @param columns distinct, stripped of blanks, in the order of the cells
 */
@PublicApi
public record TableHeader(String name, List<String> columns) {
  private static final int SHOWN = 50;

  /** Copies the names. */
  public TableHeader {
    columns = List.copyOf(columns);
  }

  /** That of a table which is open. */
  static TableHeader of(TableRows rows) {
    return new TableHeader(rows.name(), rows.header());
  }

  /**
   * The place of a column in the rows of a table.
   *
   * @param rows of the table
   * @param name of the column
   * @param what it is, for the refusal of a table that lacks it: "column", "label column"
   * @return from 0
   */
  public static int find(TableRows rows, String name, String what) {
    return of(rows).find(name, what);
  }

  /**
   * The place of a column.
   *
   * @param column its name
   * @param what it is, for the refusal of a table that lacks it: "column", "label column"
   * @return from 0
   */
  public int find(String column, String what) {
    int at = columns.indexOf(column);
    if (at < 0) {
      List<String> known = columns.stream().limit(SHOWN).map(FileErrors::shown).toList();
      throw FileErrors.usage(
          name,
          "must have the "
              + what
              + " "
              + column
              + ". Its columns: "
              + String.join(", ", known)
              + (known.size() < columns.size() ? ", … (" + columns.size() + ")" : ""));
    }
    return at;
  }
}
