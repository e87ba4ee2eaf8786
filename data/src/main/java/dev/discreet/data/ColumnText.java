package dev.discreet.data;

import java.util.regex.Pattern;

/** How columns are written. */
public final class ColumnText {
  private static final String NUMBER = "([+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?)";
  static final Pattern BOUNDS = Pattern.compile(NUMBER + "\\s*\\.\\.\\s*" + NUMBER);
  static final Pattern INTEGERS =
      Pattern.compile("\\{\\s*([+-]?\\d{1,15})\\s*\\.\\.\\s*([+-]?\\d{1,15})\\s*}");
  static final String VALUES = "LOW..HIGH for a number, A|B|C or {1..9} for categories";

  /** Stands in a cell for bytes that are no UTF-8, and for a quote out of place. */
  public static final char GARBLED = '\uFFFD';

  private ColumnText() {}
}
