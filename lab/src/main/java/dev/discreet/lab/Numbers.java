package dev.discreet.lab;

import dev.discreet.accounting.Digits;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/** Numbers in the texts of trials and pages. */
public final class Numbers {
  private Numbers() {}

  /** 3, 0.05, 1e-7: no more than it takes. */
  public static String show(double value) {
    return value != 0 && Math.abs(value) < 1e-3
        ? Digits.shortest(value).replace(".0E", "E").replace('E', 'e')
        : Digits.shortest(value).replaceAll("\\.0$", "");
  }

  /** With four digits, as are enough for a picture. */
  public static double brief(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(4)).doubleValue()
        : value;
  }

  public static List<Double> brief(List<Double> values) {
    return values.stream().map(Numbers::brief).toList();
  }

  /** {@link String#format} in no one's language. */
  public static String format(String how, Object... what) {
    return String.format(Locale.ROOT, how, what);
  }
}
