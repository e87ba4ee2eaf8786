package dev.discreet.data.internal;

import dev.discreet.accounting.Digits;

/** The text of a cell, which is the same whether its table is a file of text or knows numbers. */
public final class CellText {
  /** From here on not every whole number is a double. */
  private static final double WHOLE = 0x1p53;

  private CellText() {}

  /** Of nothing, the empty text; of 7.0 it is 7, as people write it. */
  public static String of(Object cell) {
    if (cell instanceof Double number) {
      return number == Math.rint(number) && Math.abs(number) < WHOLE
          ? Long.toString(number.longValue())
          : Digits.shortest(number);
    }
    return cell == null ? "" : cell.toString();
  }
}
