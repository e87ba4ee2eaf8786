package dev.discreet.data.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** Some rows of a table, read by one thread, until they are gathered with the others in order. */
final class RowBatch {
  private final RowReading row;
  private int size;
  private float[] values = {};
  private long[] fingerprints = {};
  private String[] people = {};
  private final List<Misfit> misfits = new ArrayList<>();

  /**
   * @param place a number from which the row's place follows
   */
  private record Misfit(int row, int place, String wrong) {}

  /**
   * @param row reads the rows
   */
  RowBatch(RowReading row) {
    this.row = row;
  }

  /** Adds what was read last, whether it fits or not. */
  void add(int place) {
    if (!row.wrong.isEmpty()) {
      misfits.add(new Misfit(size, place, row.wrong));
    }
    int width = row.example.length;
    if (size == fingerprints.length) {
      int grown = Math.max(1024, 2 * size);
      values = Arrays.copyOf(values, grown * width);
      fingerprints = Arrays.copyOf(fingerprints, grown);
      people = row.unit < 0 ? people : Arrays.copyOf(people, grown);
    }
    System.arraycopy(row.example, 0, values, size * width, width);
    fingerprints[size] = row.fingerprint;
    if (row.unit >= 0) {
      people[size] = row.person;
    }
    size++;
  }

  /**
   * Hands all of them on.
   *
   * @param places the words for a place
   */
  void gather(GatheredRows to, String table, IntFunction<String> places) throws IOException {
    int next = 0;
    for (int i = 0; i < size; i++) {
      String person = row.unit < 0 ? "" : people[i];
      if (next < misfits.size() && misfits.get(next).row == i) {
        Misfit misfit = misfits.get(next++);
        to.misfit(table, places.apply(misfit.place) + misfit.wrong, person, fingerprints[i]);
      } else {
        to.add(values, i * row.example.length, person, fingerprints[i]);
      }
    }
  }
}
