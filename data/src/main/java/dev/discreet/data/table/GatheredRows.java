package dev.discreet.data.table;

import dev.discreet.data.Rows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.rows.RowStore;
import dev.discreet.data.rows.RowsBuilder;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The rows of a table that were read so far, in its order. */
final class GatheredRows {
  private final RowReading reading;
  private final RowsBuilder rows;
  private final Map<String, Integer> people = new HashMap<>();
  private int[] unitOf = new int[1024];

  GatheredRows(RowReading reading, long heapBytes) {
    this.reading = reading;
    rows = new RowsBuilder(new RowStore(reading.width() * Float.BYTES, heapBytes));
  }

  /**
   * Adds a row.
   *
   * @param values has its inputs, from a place on, and behind them the target
   */
  void add(float[] values, int at, String person, long fingerprint) throws IOException {
    rows.add(values, at, values[at + reading.width()], fingerprint);
    number(person);
  }

  /** Adds one that does not fit. */
  void misfit(String table, String why, String person, long fingerprint) throws IOException {
    rows.misfit(fingerprint, FileErrors.message(table, why));
    number(person);
  }

  /** Numbers people in the order in which they appear. */
  private void number(String person) {
    if (reading.unit < 0) {
      return;
    }
    if (rows.size() > unitOf.length) {
      unitOf = Arrays.copyOf(unitOf, RowsBuilder.grown(unitOf.length));
    }
    int number = -1;
    if (!person.isEmpty()) {
      Integer known = people.putIfAbsent(person, people.size());
      number = known == null ? people.size() - 1 : known;
    }
    unitOf[rows.size() - 1] = number;
  }

  Rows finish(String table) throws IOException {
    if (rows.size() == 0) {
      throw FileErrors.file(table, "must have at least one row" + FileErrors.LABEL);
    }
    TableColumns declared = reading.declared();
    people.clear(); // the names take more than the rows
    return rows.table(
        declared.input(),
        declared.task(),
        reading.unit < 0 ? null : Arrays.copyOf(unitOf, rows.size()));
  }
}
