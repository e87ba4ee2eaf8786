package dev.discreet.accounting;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/**
 * Numbers for people, mostly in six digits. A bound is only ever rounded to its safe side.
 *
 * <p>Before 19 Java's own text of a number is at times longer than it need be (2e23 is
 * 1.9999999999999998E23), so that no message and no file is left to it.
 */
public final class Digits {
  private static final int SHOWN = 6;
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])-?\\d+\\.\\d+(E-?\\d+)?(?![\\w.])");

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

  /** The shortest that reads back as the same number, written as Java 19 and later do: 1.0E-5. */
  public static String shortest(double value) {
    return NumberOutput.toString(value, true);
  }

  public static String shortest(float value) {
    return NumberOutput.toString(value, true);
  }

  /** What a record or a list of numbers calls itself, with the shortest text of each. */
  public static String numbersIn(Object value) {
    return NUMBER
        .matcher(String.valueOf(value))
        .replaceAll(found -> shortest(Double.parseDouble(found.group())));
  }

  private static String text(double value, MathContext digits) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return shortest(value);
    }
    if (value == 0) {
      return "0";
    }
    // Rounds the shortest decimal that reads as this double, so that 0.1 rounded up is 0.1 and not
    // 0.100001.
    BigDecimal rounded = new BigDecimal(shortest(value)).round(digits);
    BigDecimal bare = rounded.stripTrailingZeros();
    int exponent = bare.precision() - bare.scale() - 1;
    if (exponent >= -4 && exponent < 9) {
      return bare.toPlainString();
    }
    return bare.movePointLeft(exponent).toPlainString() + "e" + exponent;
  }
}
