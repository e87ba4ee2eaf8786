package dev.discreet.data.table;

import dev.discreet.core.model.NumberMarks;
import dev.discreet.data.Column;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the cells of one column off bytes of ASCII. Plain numbers are read as they stand; of short
 * cells of other columns it is remembered what they became, for a column has few different ones.
 */
final class CellReading {
  private static final int SLOTS = 256;
  private static final int LONGEST = 24;

  private final Column column;
  private final boolean isLabel;
  private final int to;
  private final int width;
  private final Column.Bounded number; // null for other columns
  private final byte[][] known;
  private final float[][] became;

  /**
   * @param to where in an example its inputs begin, or its target stands
   */
  private CellReading(Column column, boolean isLabel, int to) {
    this.column = column;
    this.isLabel = isLabel;
    this.to = to;
    width = isLabel ? 1 : column.width();
    Column there = column instanceof Column.SomeMissing some ? some.there() : column;
    number =
        there instanceof Column.Bounded bounded && bounded.marks().equals(NumberMarks.PLAIN)
            ? bounded
            : null;
    boolean remembers = number == null && width <= SLOTS;
    known = new byte[remembers ? SLOTS : 0][];
    became = new float[known.length][];
  }

  /** Of each column, in the order of {@link TableColumns#names}. */
  static CellReading[] of(TableColumns declared) {
    List<Column> columns = declared.read().toList();
    CellReading[] readings = new CellReading[columns.size()];
    int at = 0;
    for (int i = 0; i < readings.length; i++) {
      boolean isLabel = i == 0 && declared.hasLabel();
      readings[i] =
          new CellReading(columns.get(i), isLabel, isLabel ? declared.input().size() : at);
      at += isLabel ? 0 : readings[i].width;
    }
    return readings;
  }

  /** Reads a cell into an example; false where it does not fit, or may not. */
  boolean read(byte[] bytes, int from, int end, float[] example) {
    if (number != null) {
      double value = ByteNumber.of(bytes, from, end);
      boolean missing = column instanceof Column.SomeMissing some && some.input().isMissing(value);
      if (!Double.isNaN(value) && !missing) {
        Arrays.fill(example, to, to + width, 0); // that it is missing
        example[to] = number.target(value);
        return true;
      }
    }
    int slot = -1;
    if (known.length > 0 && end - from <= LONGEST) {
      int hash = 0;
      for (int i = from; i < end; i++) {
        hash = 31 * hash + bytes[i];
      }
      slot = (hash ^ hash >>> 8 ^ hash >>> 16) & SLOTS - 1;
      byte[] cell = known[slot];
      if (cell != null && Arrays.equals(cell, 0, cell.length, bytes, from, end)) {
        System.arraycopy(became[slot], 0, example, to, width);
        return true;
      }
    }
    try {
      String text = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
      if (isLabel) {
        example[to] = column.target(text);
      } else {
        column.input(text, example, to);
      }
    } catch (IllegalArgumentException e) {
      return false; // it is read again, for its reason
    }
    if (slot >= 0) {
      known[slot] = Arrays.copyOfRange(bytes, from, end);
      became[slot] = Arrays.copyOfRange(example, to, to + width);
    }
    return true;
  }
}
