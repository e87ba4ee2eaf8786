package dev.discreet.data;

import dev.discreet.data.internal.FileErrors;
import java.util.List;

/** Finds columns by their names. */
public final class TableHeader {
  private static final int SHOWN = 50;

  private TableHeader() {}

  /**
   * The place of a column in the rows of a table.
   *
   * @param rows of the table
   * @param name of the column
   * @param what it is, for the refusal of a table that lacks it: "column", "label column"
   * @return from 0
   */
  public static int find(TableRows rows, String name, String what) {
    List<String> header = rows.header();
    int at = header.indexOf(name);
    if (at < 0) {
      List<String> known = header.stream().limit(SHOWN).map(FileErrors::shown).toList();
      throw FileErrors.usage(
          rows.name(),
          "must have the "
              + what
              + " "
              + name
              + ". Its columns: "
              + String.join(", ", known)
              + (known.size() < header.size() ? ", … (" + header.size() + ")" : ""));
    }
    return at;
  }
}
