package dev.discreet.core.nn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A name with its numbers and options, {@code conv(16,8,stride=2)}. Numbers are taken one after
 * another; {@link #finish} refuses what nobody asked for.
 */
final class TextCall {
  /** A value and where it stands. */
  private record Word(String text, int start) {}

  private final String name;
  private final int start;
  private final List<Word> values = new ArrayList<>();
  private final Map<String, Word> options = new LinkedHashMap<>();
  private final TreeSet<String> known = new TreeSet<>();
  private int taken;

  TextCall(NetworkParser parser, String name, int start) {
    this.name = name;
    this.start = start;
    if (parser.takes('(') && !parser.takes(')')) {
      do {
        argument(parser);
      } while (parser.takes(','));
      parser.skip(')', ", or ) after a value of " + name);
    }
  }

  private void argument(NetworkParser parser) {
    int at = parser.position();
    String word = parser.word();
    NetworkParser.require(!word.isEmpty(), at, "value of " + name, "given", parser.rest());
    if (!parser.takes('=')) {
      NetworkParser.require(
          options.isEmpty(), at, "value of " + name, "before the options by name", word);
      values.add(new Word(word, at));
      return;
    }
    int valueAt = parser.position();
    Word value = new Word(parser.word(), valueAt);
    NetworkParser.require(
        !value.text().isEmpty(), valueAt, word + " of " + name, "given", parser.rest());
    NetworkParser.require(
        options.put(word, value) == null, at, word + " of " + name, "given once", word);
  }

  String name() {
    return name;
  }

  boolean hasMore() {
    return taken < values.size();
  }

  int whole(String what) {
    return whole(next(what), what);
  }

  double number(String what) {
    return number(next(what), what);
  }

  double number(String what, double usual) {
    return hasMore() ? number(what) : usual;
  }

  int[] pair(String what) {
    return pair(next(what), what);
  }

  int option(String option, int usual) {
    Word word = take(option);
    return word == null ? usual : whole(word, option);
  }

  int[] option(String option, int[] usual) {
    Word word = take(option);
    return word == null ? usual : pair(word, option);
  }

  boolean option(String option, boolean usual) {
    Word word = take(option);
    if (word == null) {
      return usual;
    }
    boolean yes = word.text().equals("true");
    require(yes || word.text().equals("false"), word, option, "true or false");
    return yes;
  }

  void finish() {
    if (hasMore()) {
      Word word = values.get(taken);
      require(false, word, "values", taken == 0 ? "none" : "no more than " + taken);
    }
    for (Map.Entry<String, Word> entry : options.entrySet()) {
      NetworkParser.require(
          known.contains(entry.getKey()),
          entry.getValue().start(),
          "option of " + name,
          known.isEmpty() ? "none: it has no options" : "one of " + known,
          entry.getKey());
    }
  }

  private Word next(String what) {
    NetworkParser.require(hasMore(), start, what + " of " + name, "given", "none");
    return values.get(taken++);
  }

  private Word take(String option) {
    known.add(option);
    return options.get(option);
  }

  private int whole(Word word, String what) {
    try {
      return Integer.parseInt(word.text());
    } catch (NumberFormatException e) {
      require(false, word, what, "a whole number");
      return 0;
    }
  }

  private double number(Word word, String what) {
    try {
      return Double.parseDouble(word.text());
    } catch (NumberFormatException e) {
      require(false, word, what, "a number");
      return 0;
    }
  }

  /** A whole number for both, or height x width. */
  private int[] pair(Word word, String what) {
    String[] parts = word.text().split("x", 2);
    try {
      int y = Integer.parseInt(parts[0]);
      return new int[] {y, parts.length == 1 ? y : Integer.parseInt(parts[1])};
    } catch (NumberFormatException e) {
      require(false, word, what, "a whole number, or two for height and width such as 8x4");
      return null;
    }
  }

  private void require(boolean condition, Word word, String what, String range) {
    NetworkParser.require(condition, word.start(), what + " of " + name, range, word.text());
  }
}
