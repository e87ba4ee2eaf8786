package dev.discreet.data.internal;

import dev.discreet.accounting.Digits;
import java.math.BigDecimal;

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
    if (cell instanceof BigDecimal number) {
      return number.toPlainString();
    }
    return cell == null ? "" : cell.toString();
  }

  /** Of keys: 7 and 7.00 are one number to a database. */
  public static String ofKey(Object cell) {
    return of(cell instanceof BigDecimal number ? number.stripTrailingZeros() : cell);
  }
}
