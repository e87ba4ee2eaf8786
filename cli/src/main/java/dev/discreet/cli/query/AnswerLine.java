package dev.discreet.cli.query;

import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.query.NoiseInterval;
import dev.discreet.algorithms.query.NoisyNumber;
import dev.discreet.report.IntervalPlot;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One number of an answer.
 *
 * @param question what was asked, in words
 * @param cell the value on each axis; none of an axis of which all values are taken together
 * @param kind how the number was made
 */
record AnswerLine(
    String question, Map<String, String> cell, NoisyNumber number, double confidence, Kind kind) {
  /** How a number was made of noisy ones. */
  enum Kind {
    NOISY("noisy"),
    MARGIN("margin"),
    NON_NEGATIVE("non-negative"),
    NON_NEGATIVE_MARGIN("non-negative margin");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  private static final Set<String> OWN =
      Set.of(
          "question", "value", "low", "high", "deviation", "confidence", "kind", "keys", "caveat");

  NoiseInterval interval() {
    return number.interval(confidence);
  }

  /** Value, interval and deviation, as JSON has them. */
  void put(Map<String, Object> fields) {
    fields.put("value", number.value());
    fields.put("low", interval().low());
    fields.put("high", interval().high());
    number.deviation().ifPresent(deviation -> fields.put("deviation", deviation));
  }

  /**
   * All lines as CSV: a column for each axis that some question has, called "by value" where its
   * own name is that of another column.
   *
   * @param caveat stands in a last column of its own, where there is one; before it how keys were
   *     selected
   */
  static String csv(List<Question> questions, double confidence, String caveat) {
    Set<String> axes = new LinkedHashSet<>();
    questions.stream()
        .flatMap(question -> question.lines(confidence).stream())
        .forEach(line -> axes.addAll(line.cell.keySet()));
    String keys = keys(questions);
    List<String> more =
        Stream.of(keys.isEmpty() ? "" : "keys", caveat.isEmpty() ? "" : "caveat")
            .filter(name -> !name.isEmpty())
            .toList();
    List<String> numbers = List.of("value", "low", "high", "deviation");
    StringWriter text = new StringWriter();
    write(
        text,
        Stream.of(
                Stream.of("question"),
                axes.stream().map(axis -> header(axis, axes)),
                numbers.stream(),
                Stream.of("confidence", "kind"),
                more.stream())
            .flatMap(each -> each));
    for (Question question : questions) {
      List<AnswerLine> lines = question.lines(confidence);
      for (AnswerLine line : lines) {
        Map<String, Object> found = new LinkedHashMap<>();
        line.put(found);
        write(
            text,
            Stream.of(
                    Stream.of(line.question),
                    axes.stream().map(axis -> line.cell.getOrDefault(axis, "")),
                    numbers.stream().map(name -> text(found.get(name))),
                    Stream.of(text(line.confidence), line.kind.words),
                    more.stream().map(name -> name.equals("keys") ? question.keys() : caveat))
                .flatMap(each -> each));
      }
      if (lines.isEmpty()) {
        // No key was selected: the line says so, and has no number.
        write(
            text,
            Stream.of(
                    Stream.of(question.words()),
                    axes.stream().map(axis -> ""),
                    numbers.stream().map(name -> ""),
                    Stream.of(text(confidence), ""),
                    more.stream().map(name -> name.equals("keys") ? question.keys() : caveat))
                .flatMap(each -> each));
      }
    }
    return text.toString();
  }

  /** How keys that nobody declared came to be shown, a line for each question that has such. */
  static String keys(List<Question> questions) {
    return questions.stream()
        .filter(question -> !question.keys().isEmpty())
        .map(question -> question.words() + ": keys " + question.keys() + "\n")
        .collect(Collectors.joining());
  }

  /** The answer as a picture: a row for each number, named by its cell. */
  static IntervalPlot.Panel panel(Question question, double confidence) {
    List<AnswerLine> lines = question.lines(confidence);
    return new IntervalPlot.Panel(
        question.words()
            + (lines.stream().anyMatch(line -> line.kind == Kind.NON_NEGATIVE)
                ? ", non-negative"
                : ""),
        lines.stream()
            .map(
                line ->
                    new IntervalPlot.Row(
                        line.cell.values().stream()
                            .map(value -> value.isEmpty() ? "all" : value)
                            .collect(Collectors.joining(", ")),
                        line.number.value(),
                        line.interval().low(),
                        line.interval().high()))
            .toList());
  }

  private static String header(String axis, Set<String> axes) {
    String header = axis;
    while (OWN.contains(header) || !header.equals(axis) && axes.contains(header)) {
      header = "by " + header;
    }
    return header;
  }

  private static String text(Object number) {
    return number == null ? "" : Digits.shortest((double) number);
  }

  private static void write(StringWriter text, Stream<String> cells) {
    List<String> quoted =
        cells
            .map(
                cell ->
                    cell.matches("[^\",;\\s]*(?: [^\",;\\s]+)*")
                        ? cell
                        : '"' + cell.replace("\"", "\"\"") + '"')
            .toList();
    text.append(String.join(",", quoted)).append('\n');
  }

  /** The interval to the digits that noise leaves. */
  String words(double precision) {
    return shown(interval().low(), precision) + " to " + shown(interval().high(), precision);
  }

  /** A number to the digits that noise leaves. */
  static String shown(double value, double precision) {
    if (!Double.isFinite(value)) {
      return value < 0 ? "-infinity" : "infinity";
    }
    int digits = precision > 0 ? (int) -Math.floor(Math.log10(precision)) : 6;
    BigDecimal rounded =
        new BigDecimal(value).setScale(Math.max(0, digits), RoundingMode.HALF_EVEN);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
