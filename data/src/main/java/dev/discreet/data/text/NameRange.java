package dev.discreet.data.text;

import dev.discreet.accounting.Check;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Names that differ in the number at their end: {@code x1..x10}. What stands before the number has
 * at most 100 characters, for all names have it.
 */
public final class NameRange {
  private static final Pattern RANGE =
      Pattern.compile("(?<name>.{0,100}?)(?<first>\\d{1,9})\\.\\.\\k<name>(?<last>\\d{1,9})");

  private NameRange() {}

  /** The names of a range, rising; empty where the text is none. */
  public static Optional<List<String>> of(String text) {
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      return Optional.empty();
    }
    String name = range.group("name");
    String from = range.group("first");
    int first = Integer.parseInt(from);
    int last = Integer.parseInt(range.group("last"));
    Check.that(
        first <= last && last - first < TextDialect.MOST_COLUMNS,
        "range of names",
        "rising, of at most " + TextDialect.MOST_COLUMNS,
        text);
    // x01..x10 has zeros before its numbers, as its first name has.
    boolean padded = from.startsWith("0") && from.length() > 1;
    return Optional.of(
        IntStream.rangeClosed(first, last)
            .mapToObj(Integer::toString)
            .map(n -> padded ? "0".repeat(Math.max(0, from.length() - n.length())) + n : n)
            .map(n -> name + n)
            .toList());
  }

  static List<String> expanded(String text) {
    String name = text.strip();
    return of(name).orElse(List.of(name));
  }
}
