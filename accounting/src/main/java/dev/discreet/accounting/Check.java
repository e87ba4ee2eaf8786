package dev.discreet.accounting;

import java.nio.file.Path;

/**
 * Argument checks that all speak one form: {@code delta must be in (0, 1). Provided value: 1.5}.
 */
public final class Check {
  // Of a name or a value in a message. One from a stranger's file may be as long as the file.
  private static final int LONGEST_VALUE = 1000;

  private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
  private static final int ZERO_WIDTH_JOINER = 0x200d;

  private Check() {}

  public static void that(boolean condition, String name, String range, Object value) {
    if (!condition) {
      throw new IllegalArgumentException(
          line(
              shortened(name)
                  + " must be "
                  + range
                  + ". Provided value: "
                  + shortened(shown(value))));
    }
  }

  /** Numbers are written alike on every Java; a text that somebody typed stays as it is. */
  private static Object shown(Object value) {
    if (value instanceof Double number) {
      return Digits.exact(number);
    }
    if (value instanceof Float number) {
      return Digits.shortest(number);
    }
    boolean typed = value instanceof CharSequence || value instanceof Path;
    return typed ? value : Digits.numbersIn(value);
  }

  /** A value as a message shows it: the beginning of one that is long. */
  public static String shortened(Object value) {
    String text = String.valueOf(value);
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE - 1) + "…";
  }

  /** The text with a question mark for each character that would start or reorder a line. */
  public static String line(String text) {
    if (oneLine(text)) {
      return text;
    }
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().forEach(c -> clean.appendCodePoint(staysOnLine(c) ? c : '?'));
    return clean.toString();
  }

  /** A number in [low, high]; NaN is never in range. */
  public static double in(double value, double low, double high, String name) {
    // Training asks this at every step, so a text is made only for a refusal.
    if (!(value >= low && value <= high)) {
      that(false, name, "in [" + Digits.exact(low) + ", " + Digits.exact(high) + "]", value);
    }
    return value;
  }

  /** A number ≥ 0, infinity allowed. */
  public static double nonNegative(double value, String name) {
    that(value >= 0, name, "at least 0", value);
    return value;
  }

  /** A number &gt; 0, infinity allowed. */
  public static double positive(double value, String name) {
    that(value > 0, name, "greater than 0", value);
    return value;
  }

  /** A failure probability in [0, 1). */
  public static double delta(double delta) {
    that(delta >= 0 && delta < 1, "delta", "in [0, 1)", delta);
    return delta;
  }

  /** Whether a text stays on its line wherever it is printed, and so cannot forge another. */
  public static boolean oneLine(String text) {
    return text.codePoints().allMatch(Check::staysOnLine);
  }

  private static boolean staysOnLine(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      // Invisible, and some turn the text around; names in Persian need the two joiners.
      case Character.FORMAT -> c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
      default -> true;
    };
  }
}
