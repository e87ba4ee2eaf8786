package dev.discreet.accounting;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers for people, mostly in six digits. A bound is only ever rounded to its safe side. */
public final class Digits {
  private static final int SHOWN = 6;

  private Digits() {}

  /** Not below the value: for what is promised, and for the noise that it takes. */
  public static String up(double value) {
    return text(value, new MathContext(SHOWN, RoundingMode.CEILING));
  }

  /** Not above the value. */
  public static String down(double value) {
    return text(value, new MathContext(SHOWN, RoundingMode.FLOOR));
  }

  /** All the digits: for what the user gave, and for a plan that is to be repeated. */
  public static String exact(double value) {
    return text(value, new MathContext(0));
  }

  /** Nearest: for what promises nothing. */
  public static String plain(double value) {
    return text(value, new MathContext(SHOWN, RoundingMode.HALF_EVEN));
  }

  private static String text(double value, MathContext digits) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return Double.toString(value);
    }
    if (value == 0) {
      return "0";
    }
    // From the shortest decimal that means this double: 0.1 rounded up is 0.1, not 0.100001.
    BigDecimal rounded = new BigDecimal(Double.toString(value)).round(digits);
    BigDecimal bare = rounded.stripTrailingZeros();
    int exponent = bare.precision() - bare.scale() - 1;
    if (exponent >= -4 && exponent < 9) {
      return bare.toPlainString();
    }
    return bare.movePointLeft(exponent).toPlainString() + "e" + exponent;
  }
}
