package dev.discreet.data;

import java.util.regex.Pattern;

/** How columns and numbers are written. */
public final class ColumnText {
  private static final String NUMBER = "([+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?)";
  static final Pattern BOUNDS = Pattern.compile(NUMBER + "\\s*\\.\\.\\s*" + NUMBER);
  static final Pattern INTEGERS =
      Pattern.compile("\\{\\s*([+-]?\\d{1,15})\\s*\\.\\.\\s*([+-]?\\d{1,15})\\s*}");
  static final String VALUES = "LOW..HIGH for a number, A|B|C or {1..9} for categories";

  /** Stands in a cell for bytes that are no UTF-8, and for a quote out of place. */
  public static final char GARBLED = '\uFFFD';

  static final int MOST_CATEGORIES = 65_536;

  private ColumnText() {}

  /** A finite decimal number, else NaN. Java itself would take 1d, 0x1p3 and Infinity too. */
  public static double number(String text) {
    String bare = text.strip();
    for (int i = 0; i < bare.length(); i++) {
      char c = bare.charAt(i);
      if ((c < '0' || c > '9') && "+-.eE".indexOf(c) < 0) {
        return Double.NaN;
      }
    }
    try {
      // + 0.0: minus zero is zero.
      double value = Double.parseDouble(bare) + 0.0;
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
