package dev.discreet.data.table;

import dev.discreet.core.model.CellNumber;

/** Plain numbers read off bytes, to the bit as {@link CellNumber} reads their text. */
final class ByteNumber {
  /** Below this and with a power of ten that is a double, one division rounds once. */
  private static final long MOST = 1L << 53;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private ByteNumber() {}

  /** The number of a cell; NaN where it is none, or not one of digits and a point alone. */
  static double of(byte[] bytes, int from, int to) {
    int at = from;
    int end = to;
    while (at < end && isBlank(bytes[at])) {
      at++;
    }
    while (at < end && isBlank(bytes[end - 1])) {
      end--;
    }
    boolean minus = at < end && bytes[at] == '-';
    if (at < end && (minus || bytes[at] == '+')) {
      at++;
    }
    long digits = 0;
    int count = 0;
    int point = -1;
    for (; at < end; at++) {
      int digit = bytes[at] - '0';
      if (digit >= 0 && digit <= 9) {
        digits = 10 * digits + digit;
        if (++count > POWERS.length) {
          return Double.NaN; // more than a long of them, or a power that is not there
        }
      } else if (bytes[at] == '.' && point < 0) {
        point = count;
      } else {
        return Double.NaN;
      }
    }
    if (count == 0 || digits > MOST) {
      return Double.NaN;
    }
    double value = point < 0 ? digits : digits / POWERS[count - point];
    return minus ? 0.0 - value : value;
  }

  /** As String.strip knows it. */
  static boolean isBlank(byte each) {
    return each == ' ' || each >= 9 && each <= 13 || each >= 28 && each <= 31;
  }
}
