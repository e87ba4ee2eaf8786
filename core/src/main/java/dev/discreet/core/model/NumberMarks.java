package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Which marks the numbers of a table are written with, declared and never guessed: whether 1.234 is
 * above a thousand or near 1. Declarations, such as bounds, are always written with a decimal
 * point.
 *
 * <pre>{@code
 * NumberMarks marks = new NumberMarks(NumberMarks.Decimal.COMMA, NumberMarks.Thousands.POINT);
 * double value = marks.of("1.234,5"); // 1234.5
 * }</pre>
 *
 * @param decimal what stands before the fraction
 * @param thousands what may stand between groups of three digits of the whole part; where it stands
 *     once it must stand everywhere
 */
@PublicApi
public record NumberMarks(Decimal decimal, Thousands thousands) implements Serializable {
  /** A decimal point, and nothing between thousands. */
  public static final NumberMarks PLAIN = new NumberMarks(Decimal.POINT, Thousands.NONE);

  /** What stands before the fraction. */
  public enum Decimal {
    /** 1.5. */
    POINT('.'),
    /** 1,5. */
    COMMA(',');

    private final char mark;

    Decimal(char mark) {
      this.mark = mark;
    }
  }

  /** What may stand between groups of three digits. */
  public enum Thousands {
    /** Nothing: 1234567. */
    NONE(""),
    /** 1,234,567. */
    COMMA(","),
    /** 1.234.567. */
    POINT("."),
    /** A space, wide or narrow, that breaks a line or not: 1 234 567. */
    SPACE(" \u00A0\u2009\u202F"),
    /** 1'234'567, straight or curved. */
    APOSTROPHE("'\u2019");

    private final String marks;

    Thousands(String marks) {
      this.marks = marks;
    }
  }

  /**
   * Refuses one mark for both.
   *
   * @param decimal what stands before the fraction
   * @param thousands what may stand between groups of three digits
   */
  public NumberMarks {
    Check.that(
        thousands.marks.indexOf(decimal.mark) < 0,
        "mark between thousands",
        "another one than before the fraction",
        thousands.marks);
  }

  /**
   * The number of a cell.
   *
   * @param cell as a table has it, blanks around it or not
   * @return a finite number, else NaN
   */
  public double of(String cell) {
    return equals(PLAIN) ? CellNumber.of(cell) : CellNumber.of(plain(cell.strip()));
  }

  /** With a decimal point and nothing between thousands; empty where the marks are out of place. */
  private String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    boolean whole = true;
    int groups = 0;
    int digits = 0; // of the group
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean separates = whole && thousands.marks.indexOf(c) >= 0;
      if (c >= '0' && c <= '9') {
        digits++;
      } else if (separates) {
        if (digits < 1 || digits > 3 || groups > 0 && digits != 3) {
          return "";
        }
        groups++;
        digits = 0;
      } else if (c == '.' && decimal.mark != '.') {
        return "";
      } else if (whole && (i > 0 || c != '+' && c != '-')) {
        whole = false;
        if (groups > 0 && digits != 3) {
          return "";
        }
      }
      if (!separates) {
        plain.append(c == decimal.mark ? '.' : c);
      }
    }
    return whole && groups > 0 && digits != 3 ? "" : plain.toString();
  }

  /**
   * What a cell must be, for refusals.
   *
   * @return words as in "a number"
   */
  public String wanted() {
    return "a number"
        + (decimal == Decimal.COMMA ? " with a decimal comma" : "")
        + (thousands == Thousands.NONE ? "" : ", its thousands apart by " + word(thousands));
  }

  /**
   * The word of a mark in files and options.
   *
   * @param mark one of these
   * @return in lower case
   */
  public static String word(Enum<?> mark) {
    return mark.name().toLowerCase(Locale.ROOT);
  }

  /** As {@code model.json} has it; nothing for plain numbers. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!equals(PLAIN)) {
      fields.put("decimal", word(decimal));
      fields.put("thousands", word(thousands));
    }
    return fields;
  }

  /** Reads what {@link #fields} wrote. */
  static NumberMarks read(JsonFields fields) {
    if (!fields.map().containsKey("decimal")) {
      return PLAIN;
    }
    return new NumberMarks(
        named(Decimal.values(), fields, "decimal"), named(Thousands.values(), fields, "thousands"));
  }

  private static <E extends Enum<E>> E named(E[] all, JsonFields fields, String key) {
    String word = fields.text(key);
    for (E each : all) {
      if (word(each).equals(word)) {
        return each;
      }
    }
    String what = key + " of " + fields.owner();
    throw new IllegalArgumentException(
        Check.line(what + " must be a mark of numbers. Provided value: " + Check.shortened(word)));
  }
}
