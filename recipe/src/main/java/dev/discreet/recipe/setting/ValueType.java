package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The values that a setting takes: how they are read from text, how they are written, and how many
 * texts there are.
 *
 * @param label of a value in help; empty for a flag
 * @param words what may be written, where that is one of a few words: {@code a, b or c}; else empty
 * @param reader takes what the value is called in a message, and its texts: one, unless it may be
 *     repeated
 * @param writer the texts that read as the value, always the same for the same value
 */
public record ValueType<T>(
    Form form,
    String label,
    String words,
    BiFunction<String, List<String>, T> reader,
    Function<T, List<String>> writer) {

  /** How many texts a value has. */
  public enum Form {
    /** One text. */
    ONE,
    /** One text of several parts with commas between them; in a run file, a list will do. */
    LIST,
    /** Several texts: an option that may be repeated, a list in a run file. */
    REPEATED,
    /** {@code true} or {@code false}; as an option, no text at all. */
    FLAG
  }

  /** A value of one text. */
  public static <T> ValueType<T> of(
      String label, Function<String, T> read, Function<T, String> write) {
    return one(label, "", (what, text) -> read.apply(text), write);
  }

  private static <T> ValueType<T> one(
      String label, String words, BiFunction<String, String, T> read, Function<T, String> write) {
    return new ValueType<>(
        Form.ONE,
        label,
        words,
        (what, texts) -> read.apply(what, texts.get(0)),
        value -> List.of(write.apply(value)));
  }

  public static ValueType<String> text(String label) {
    return of(label, Function.identity(), Function.identity());
  }

  public static ValueType<Path> path(String label) {
    return of(
        label,
        text -> {
          Check.that(!text.isBlank() && text.indexOf('\0') < 0, "file", "named", text);
          return Path.of(text);
        },
        Path::toString);
  }

  public static ValueType<List<String>> repeated(String label) {
    return new ValueType<>(
        Form.REPEATED, label, "", (what, texts) -> List.copyOf(texts), Function.identity());
  }

  public static ValueType<Boolean> flag() {
    return new ValueType<>(
        Form.FLAG,
        "",
        "",
        (what, texts) -> {
          String text = texts.get(0);
          Check.that(text.matches("true|false"), what, "one of true, false", text);
          return text.equals("true");
        },
        value -> List.of(value.toString()));
  }

  /** One of a few values that have names. */
  public static <T> ValueType<T> oneOf(String label, List<T> values, Function<T, String> name) {
    List<String> names = values.stream().map(name).toList();
    int last = names.size() - 1;
    return one(
        label,
        String.join(", ", names.subList(0, last)) + " or " + names.get(last),
        (what, text) -> {
          int at = names.indexOf(text);
          Check.that(at >= 0, what, "one of " + String.join(", ", names), text);
          return values.get(at);
        },
        name);
  }

  public static ValueType<String> oneOf(String label, String... names) {
    return oneOf(label, List.of(names), Function.identity());
  }

  /**
   * @param range in words, for the message about a number that is not allowed
   */
  public static ValueType<Double> real(String label, String range, DoublePredicate allowed) {
    return one(
        label,
        "",
        (what, text) -> NumberText.real(what, range, allowed).apply(text),
        Digits::exact);
  }

  public static ValueType<Double> positive(String label) {
    return real(label, "in (0, infinity)", value -> value > 0 && Double.isFinite(value));
  }

  public static ValueType<Double> nonNegative(String label) {
    return real(label, "in [0, infinity)", value -> value >= 0 && Double.isFinite(value));
  }

  /** A share that is never the whole. */
  public static ValueType<Double> share(String label) {
    return real(label, "in [0, 1)", value -> value >= 0 && value < 1);
  }

  public static ValueType<Long> whole(String label, long least, long most) {
    return one(
        label,
        "",
        (what, text) -> NumberText.whole(what, least, most).apply(text),
        value -> Long.toString(value));
  }

  /**
   * Texts with commas between them.
   *
   * @param none stands for an empty list
   */
  public static ValueType<List<String>> list(String label, String none) {
    return new ValueType<>(
        Form.LIST,
        label,
        "",
        (what, texts) -> {
          if (texts.get(0).strip().equals(none)) {
            return List.of();
          }
          List<String> all = Arrays.stream(texts.get(0).split(",", -1)).map(String::strip).toList();
          Check.that(all.stream().noneMatch(String::isEmpty), what, "without gaps", texts.get(0));
          return all;
        },
        values -> List.of(values.isEmpty() ? none : String.join(",", values)));
  }

  /** Numbers with commas between them. */
  public static ValueType<List<Double>> numbers(
      String label, String range, DoublePredicate allowed) {
    return new ValueType<>(
        Form.LIST,
        label,
        "",
        (what, texts) ->
            Arrays.stream(texts.get(0).split(",", -1))
                .map(String::strip)
                .map(NumberText.real(what, range, allowed))
                .toList(),
        values -> List.of(values.stream().map(Digits::exact).collect(Collectors.joining(","))));
  }
}
