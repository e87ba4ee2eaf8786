package dev.discreet.data.text;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.model.NumberMarks;
import java.io.Serializable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * How a table is written as text: declared by its owner, for no private row may decide it.
 *
 * <pre>{@code
 * TextDialect german =
 *     TextDialect.STANDARD
 *         .delimitedBy(";")
 *         .in("windows-1252")
 *         .numbers(
 *             new NumberMarks(NumberMarks.Decimal.COMMA, NumberMarks.Thousands.POINT));
 * }</pre>
 *
 * @param delimiter the character between cells; empty where the file's name and its header tell
 * @param quote the character around cells that hold others; empty for none
 * @param numbers the marks of numbers in cells
 * @param charset the name of the encoding
 * @param header the names of the columns of a file that begins with its first row; empty where the
 *     first line has the names
 */
@PublicApi
public record TextDialect(
    String delimiter, String quote, NumberMarks numbers, String charset, List<String> header)
    implements Serializable {
  /** The largest number of columns. */
  public static final int MOST_COLUMNS = 100_000;

  /** UTF-8 with a header, double quotes and plain numbers. */
  public static final TextDialect STANDARD =
      new TextDialect("", "\"", NumberMarks.PLAIN, "UTF-8", List.of());

  /**
   * Refuses characters that mean two things, and encodings that this Java does not know.
   *
   * @param delimiter one character, or empty
   * @param quote one character, or empty
   * @param numbers the marks of numbers in cells
   * @param charset the name of the encoding
   * @param header distinct names, or none
   */
  public TextDialect {
    header = List.copyOf(header);
    sign("delimiter", delimiter);
    sign("quote", quote);
    Check.that(
        delimiter.isEmpty() || !delimiter.equals(quote),
        "quote",
        "another character than the delimiter",
        quote);
    charset = known(charset).name();
    Check.that(
        new HashSet<>(header).size() == header.size() && header.stream().noneMatch(String::isBlank),
        "names of columns",
        "distinct, and none of them empty",
        header);
  }

  private static void sign(String what, String text) {
    boolean fits =
        text.isEmpty()
            || text.length() == 1
                && "\r\n\0\uFEFF\uFFFD".indexOf(text.charAt(0)) < 0
                && !Character.isLetterOrDigit(text.charAt(0))
                && !Character.isSurrogate(text.charAt(0));
    Check.that(fits, what, "one character, no letter, digit or line end", text);
  }

  /**
   * UTF-8, or an encoding of one byte a character. In others the bytes of one row could change how
   * all rows after it are read, and one person's rows would be others' too.
   */
  private static Charset known(String name) {
    boolean apart = false;
    try {
      Charset known = Charset.forName(name);
      apart =
          known.equals(StandardCharsets.UTF_8)
              || known.canEncode() && known.newEncoder().maxBytesPerChar() == 1;
    } catch (IllegalArgumentException e) {
      // It is refused below, by its name.
    }
    Check.that(
        apart,
        "charset",
        "UTF-8, or one that this Java knows with a byte for each character, as windows-1252",
        name);
    return Charset.forName(name);
  }

  /**
   * With another delimiter.
   *
   * @param sign one character
   * @return that dialect; this one stays as it is
   */
  public TextDialect delimitedBy(String sign) {
    return new TextDialect(sign, quote, numbers, charset, header);
  }

  /**
   * With other quotes.
   *
   * @param sign one character; empty for none
   * @return that dialect; this one stays as it is
   */
  public TextDialect quotedBy(String sign) {
    return new TextDialect(delimiter, sign, numbers, charset, header);
  }

  /**
   * With other marks of numbers.
   *
   * @param marks of numbers in cells
   * @return that dialect; this one stays as it is
   */
  public TextDialect numbers(NumberMarks marks) {
    return new TextDialect(delimiter, quote, marks, charset, header);
  }

  /**
   * In another encoding.
   *
   * @param name of the encoding
   * @return that dialect; this one stays as it is
   */
  public TextDialect in(String name) {
    return new TextDialect(delimiter, quote, numbers, name, header);
  }

  /**
   * Of a file without a line of names. How many columns there are is declared thereby: its first
   * line is somebody's row.
   *
   * @param names of the columns; a range as in {@code c1..c20} stands for all of its names
   * @return that dialect; this one stays as it is
   */
  public TextDialect named(List<String> names) {
    List<String> all = new ArrayList<>();
    for (String each : names) {
      all.addAll(NameRange.expanded(each));
      Check.that(all.size() <= MOST_COLUMNS, "names of columns", "at most " + MOST_COLUMNS, "more");
    }
    return new TextDialect(delimiter, quote, numbers, charset, all);
  }
}
