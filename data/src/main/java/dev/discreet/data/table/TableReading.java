package dev.discreet.data.table;

import dev.discreet.data.Rows;
import dev.discreet.data.TableRows;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Makes examples of the rows of a table, in the same way wherever they lie. */
public final class TableReading {
  private static final int MOST_ROWS = 1024;
  private static final int MOST_TEXT = 1 << 20;

  private TableReading() {}

  /**
   * Some rows as the table has them, and where they stand.
   *
   * @param isLast whether the table has no more, and is not to be asked again
   */
  private record Cells(List<List<?>> rows, List<String> places, boolean isLast) {}

  /**
   * Reads the declared columns; others are not looked at, except that the whole row is the identity
   * of a row without a unit. A row that does not fit the declarations counts as zero, and one
   * without a unit where there is a unit column is no one's.
   *
   * @param table read to its end
   * @param unit the column whose values say which rows are one person's; empty where every row is a
   *     person of its own
   * @param heapBytes what rows may take in memory; what is more lies in a file
   */
  public static Rows read(
      TableRows table, TableColumns declared, Optional<String> unit, long heapBytes)
      throws IOException {
    RowReading row = new RowReading(table, declared, unit);
    GatheredRows rows = new GatheredRows(row, heapBytes);
    read(table, row, rows);
    return rows.finish(table.name());
  }

  /** Adds the rows that a table still has: this thread asks for them, all read them. */
  static void read(TableRows table, RowReading row, GatheredRows to) throws IOException {
    try (OrderedWork<RowBatch> work = new OrderedWork<>()) {
      Deque<Cells> given = new ArrayDeque<>();
      Cells next = next(table);
      while (!next.rows.isEmpty() || !work.isEmpty()) {
        if (next.rows.isEmpty() || work.isFull()) {
          work.take().gather(to, table.name(), given.remove().places::get);
        } else {
          Cells cells = next;
          work.give(() -> read(cells, new RowReading(row)));
          given.add(cells);
          next = cells.isLast ? new Cells(List.of(), List.of(), true) : next(table);
        }
      }
    }
  }

  private static RowBatch read(Cells cells, RowReading row) {
    RowBatch batch = new RowBatch(row);
    for (int i = 0; i < cells.rows.size(); i++) {
      row.read(cells.rows.get(i));
      batch.add(i);
    }
    cells.rows.clear(); // what was read of them is smaller
    return batch;
  }

  private static Cells next(TableRows table) throws IOException {
    List<List<?>> rows = new ArrayList<>();
    List<String> places = new ArrayList<>();
    long text = 0;
    while (rows.size() < MOST_ROWS && text < MOST_TEXT) {
      List<?> cells = table.next();
      if (cells == null) {
        return new Cells(rows, places, true);
      }
      rows.add(cells);
      places.add(table.place());
      for (Object cell : cells) {
        text += cell instanceof String known ? known.length() : 0;
      }
    }
    return new Cells(rows, places, false);
  }
}
