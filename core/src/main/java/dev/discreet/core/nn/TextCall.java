package dev.discreet.core.nn;

import dev.discreet.core.nn.NetworkParser.Misread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A name with its values and options as they stand in a text, {@code conv(16,8,stride=2)}. Values
 * are taken one after another; {@link #finish} refuses what nobody asked for.
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

  /** The next value without a name. */
  <V> V next(String what, ArgumentType<V> type) {
    NetworkParser.require(hasMore(), start, what + " of " + name, "given", "none");
    return read(values.get(taken++), what, type);
  }

  /**
   * The value of an option.
   *
   * @param usual what it is unless given
   */
  <V> V option(String option, ArgumentType<V> type, V usual) {
    known.add(option);
    Word word = options.get(option);
    return word == null ? usual : read(word, option, type);
  }

  void finish() {
    if (hasMore()) {
      throw misread(values.get(taken), "values", taken == 0 ? "none" : "no more than " + taken);
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

  private <V> V read(Word word, String what, ArgumentType<V> type) {
    try {
      return type.reader().apply(word.text());
    } catch (IllegalArgumentException e) {
      throw misread(word, what, type.range());
    }
  }

  private Misread misread(Word word, String what, String range) {
    return new Misread(word.start(), what + " of " + name, range, word.text());
  }
}
