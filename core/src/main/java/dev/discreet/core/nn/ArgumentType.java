package dev.discreet.core.nn;

import dev.discreet.accounting.Digits;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How a value in a network's text is read and written.
 *
 * @param range what may be written, for messages
 * @param reader throws an {@link IllegalArgumentException} for anything else
 * @param writer writes what the reader reads back as the same value
 */
record ArgumentType<V>(String range, Function<String, V> reader, Function<V, String> writer) {

  /** Height and width of a window, or of its stride or pad. */
  record Sides(int y, int x) {}

  static final ArgumentType<Integer> WHOLE =
      new ArgumentType<>("a whole number", Integer::valueOf, value -> Integer.toString(value));

  static final ArgumentType<Double> NUMBER =
      new ArgumentType<>("a number", Double::valueOf, ArgumentType::shortest);

  static final ArgumentType<Boolean> TRUE_OR_FALSE =
      new ArgumentType<>("true or false", ArgumentType::trueOrFalse, value -> value.toString());

  static final ArgumentType<Sides> SIDES =
      new ArgumentType<>(
          "a whole number, or two for height and width such as 8x4",
          ArgumentType::sides,
          sides -> sides.y() == sides.x() ? "" + sides.y() : sides.y() + "x" + sides.x());

  static final ArgumentType<List<Double>> WEIGHTS =
      new ArgumentType<>(
          "numbers with | between them, such as 1|4",
          text -> Arrays.stream(text.split("\\|", -1)).map(Double::valueOf).toList(),
          weights -> weights.stream().map(ArgumentType::shortest).collect(Collectors.joining("|")));

  /** The shortest text that reads back as the same number: 1 rather than 1.0. */
  private static String shortest(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    boolean negativeZero = value == 0 && 1 / value < 0;
    return whole && !negativeZero ? Long.toString((long) value) : Digits.shortest(value);
  }

  private static boolean trueOrFalse(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("true");
  }

  private static Sides sides(String text) {
    String[] parts = text.split("x", 2);
    int y = Integer.parseInt(parts[0]);
    return new Sides(y, parts.length == 1 ? y : Integer.parseInt(parts[1]));
  }
}
