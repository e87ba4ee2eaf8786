package dev.discreet.lab;

import dev.discreet.accounting.Digits;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers in the texts of trials and pages. */
public final class Numbers {
  private static final Pattern CONVERSION = Pattern.compile("%[^a-zA-Z%]*[a-zA-Z%]");

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

  /**
   * {@link String#format} in the language of no country, and with numbers for {@code %s} as {@link
   * #show} writes them.
   */
  public static String format(String how, Object... what) {
    Object[] shown = what.clone();
    Matcher each = CONVERSION.matcher(how);
    for (int i = 0; each.find(); ) {
      if (!each.group().equals("%%")) {
        if (each.group().equals("%s") && shown[i] instanceof Double value) {
          shown[i] = show(value);
        }
        i++;
      }
    }
    return String.format(Locale.ROOT, how, shown);
  }

  /** A paragraph of several lines as one line; with arguments it is a {@link #format}. */
  public static String prose(String how, Object... what) {
    String text = what.length == 0 ? how : format(how, what);
    return text.strip().replaceAll("\\s*\n\\s*", " ");
  }
}
