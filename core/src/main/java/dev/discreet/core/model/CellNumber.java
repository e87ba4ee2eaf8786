package dev.discreet.core.model;

/** How a cell of a table is read as a number. */
public final class CellNumber {
  private CellNumber() {}

  /** A finite decimal number, else NaN. Java itself would take 1d, 0x1p3 and Infinity too. */
  public static double of(String cell) {
    String bare = cell.strip();
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
