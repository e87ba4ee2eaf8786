package dev.discreet.spark;

import dev.discreet.data.Misfits;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How many rows there are, and how many do not fit by what: for the operator, without a value. */
final class RowCount implements Serializable {
  private long rows;
  private final TreeMap<String, Long> misfits = new TreeMap<>();
  // What is wrong with a whole file; null for nothing.
  private String fault;
  private boolean usage;

  static RowCount of(Iterator<Object[]> rows, DeclaredRow declared) {
    RowCount count = new RowCount();
    try {
      while (rows.hasNext()) {
        count.rows++;
        String wrong = declared.fault(rows.next());
        if (!wrong.isEmpty()) {
          count.misfits.merge(wrong, 1L, Long::sum);
        }
      }
    } catch (CsvFiles.FileFault e) {
      count.fault = e.getMessage();
      count.usage = e.isUsage();
    }
    return count;
  }

  RowCount plus(RowCount other) {
    rows += other.rows;
    other.misfits.forEach((wrong, count) -> misfits.merge(wrong, count, Long::sum));
    if (fault == null) {
      fault = other.fault;
      usage = other.usage;
    }
    return this;
  }

  /** Refuses what is wrong with a whole file. */
  void check(String name) throws java.io.IOException {
    if (fault != null && usage) {
      throw new IllegalArgumentException(fault);
    }
    if (fault != null) {
      throw new java.io.IOException(fault);
    }
    if (rows == 0) {
      throw new java.io.IOException(name + " must have at least one row.");
    }
  }

  Misfits misfits() {
    List<String> most =
        misfits.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
            .map(each -> String.format(Locale.ROOT, "%s: %,d rows", each.getKey(), each.getValue()))
            .toList();
    long count = misfits.values().stream().mapToLong(each -> each).sum();
    // All of them, in as many lines as are shown: columns are few, and this tells no value.
    List<String> all = new ArrayList<>(most);
    if (all.size() > Misfits.SHOWN) {
      List<String> rest = all.subList(Misfits.SHOWN - 1, all.size());
      String line = String.join("; ", rest);
      rest.clear();
      all.add(line);
    }
    return Misfits.counted(count, rows, all);
  }
}
