package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import java.math.BigDecimal;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads numbers from text, each with its name and range for the message where it is wrong. */
public final class NumberText {
  /** The most of anything countable; a double holds it exactly, with room to spare. */
  public static final long MOST = 1_000_000_000_000L;

  private static final int LONGEST = 100;

  private static final String NUMBER =
      "[+-]?(?:\\d++(?:\\.\\d*+)?|\\.\\d++)(?:[eE][+-]?\\d++)?|[+-]?Infinity|NaN";
  private static final Pattern RATIO = Pattern.compile("(" + NUMBER + ")(?:/(" + NUMBER + "))?");

  private NumberText() {}

  /**
   * Reads a number that {@code allowed} holds for; {@code range} says which those are. A fraction
   * such as 256/60000 is a number too. NaN is in no range.
   */
  public static Function<String, Double> real(String name, String range, DoublePredicate allowed) {
    return text -> {
      Matcher ratio = RATIO.matcher(text);
      Check.that(ratio.matches(), name, "a number", text);
      double value = Double.parseDouble(ratio.group(1));
      if (ratio.group(2) != null) {
        value /= Double.parseDouble(ratio.group(2));
      }
      Check.that(allowed.test(value), name, range, text);
      boolean underflow = value == 0 && ratio.group(1).matches("[^1-9eE]*[1-9].*");
      Check.that(!underflow, name, "0 or at least " + Digits.exact(Double.MIN_VALUE), text);
      return value;
    };
  }

  /**
   * Reads a whole number from {@code least} to {@code most}: digits, or a form such as 1e4 that
   * means a whole number.
   */
  public static Function<String, Long> whole(String name, long least, long most) {
    return text -> {
      long value;
      try {
        // Of a million digits, a number would take minutes to make.
        value = text.length() > LONGEST ? least - 1 : new BigDecimal(text).longValueExact();
      } catch (ArithmeticException | NumberFormatException e) {
        value = least - 1; // a fraction, no number, or one that is far too large
      }
      String range = "a whole number in [" + least + ", " + most + "]";
      Check.that(value >= least && value <= most, name, range, text);
      return value;
    };
  }
}
