package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.Answer;
import dev.discreet.algorithms.query.NoiseInterval;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.cli.console.Table;
import dev.discreet.core.privacy.PrivacySession;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A question about one column of all rows. */
final class PlainQuestion implements Question {
  private final Query query;
  private final String name;
  private final RowNumber number;
  private final String column;
  private final DoubleFunction<Protection> protection;
  private final DoubleStream.Builder values = DoubleStream.builder();
  private final IntStream.Builder unitOf = IntStream.builder();
  private Answer answer;

  /**
   * @param number of one column
   */
  PlainQuestion(Query query, String name, RowNumber number, DoubleFunction<Protection> protection) {
    this.query = query;
    this.name = name;
    this.column = number.columns().get(0);
    this.number = number;
    this.protection = protection;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> columns() {
    return List.of(column);
  }

  @Override
  public void check(Who who) {
    boolean byNumber = query instanceof Query.Sum || query instanceof Query.Mean;
    Check.that(
        !byNumber
            || !who.areSelected()
            || who.relation() != Neighbouring.REPLACE_ONE
            || who.rowsPerUnit().isPresent(),
        "neighbouring",
        Neighbouring.ADD_REMOVE.label()
            + " for a "
            + name
            + " of rows that a condition, a join or a query selects (replace-one takes their number"
            + " as public, and how many they are answers a question about people; --where, and"
            + " --unit-column, do without it)",
        who.relation().label());
  }

  @Override
  public Price price() {
    return Price.of(protection.apply(1));
  }

  @Override
  public String noise() {
    String added = protection.apply(1).label();
    return query.match(number -> added, counts -> added, choice -> "exponential");
  }

  @Override
  public Ledger cost(double part, Who who) {
    return query.cost(protection.apply(part), who.relation());
  }

  @Override
  public String words() {
    return name + " of " + column;
  }

  @Override
  public int take(List<String> cells, int unit) {
    double value = unit < 0 ? Double.NaN : number.of().applyAsDouble(cells);
    values.add(value);
    unitOf.add(Math.max(0, unit));
    return number.misfit().applyAsInt(cells);
  }

  @Override
  public void ask(PrivacySession session, Who who) {
    double[] read = values.build().toArray();
    QueryColumn rows =
        who.rowsPerUnit().isEmpty()
            ? QueryColumn.ofRows(read)
            : QueryColumn.ofUnits(read, unitOf.build().toArray(), who.rows());
    answer = query.ask(session, protection.apply(1), () -> rows);
  }

  /** Once it was asked. */
  Answer answer() {
    return answer;
  }

  private List<String> bins() {
    return query.match(
        number -> List.<String>of(), counts -> counts.bins().names(), choice -> List.of());
  }

  @Override
  public Map<String, Object> fields(double confidence) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("query", name);
    fields.put("column", column);
    List<String> bins = bins();
    if (bins.isEmpty()) {
      query.match(number -> null, counts -> null, choice -> fields.put("quantile", choice.q()));
      lines(confidence).get(0).put(fields);
      return fields;
    }
    List<NoiseInterval> all = lines(confidence).stream().map(AnswerLine::interval).toList();
    fields.put("bins", bins);
    fields.put("counts", answer.values());
    fields.put("lows", all.stream().map(NoiseInterval::low).toList());
    fields.put("highs", all.stream().map(NoiseInterval::high).toList());
    answer.deviation().ifPresent(deviation -> fields.put("deviation", deviation));
    return fields;
  }

  @Override
  public void print(PrintWriter out, Table notes, double confidence) {
    double precision = precision();
    List<String> bins = bins();
    List<AnswerLine> lines = lines(confidence);
    for (int i = 0; i < bins.size(); i++) {
      notes.row(
          bins.get(i),
          AnswerLine.shown(lines.get(i).number().value(), precision),
          lines.get(i).words(precision));
    }
    if (bins.isEmpty()) {
      notes.row(words(), AnswerLine.shown(answer.value(), precision));
      notes.row("interval", lines.get(0).words(precision));
    }
    notes.row("confidence", CellsQuestion.meaning(confidence, bins.size() > 1));
    answer
        .deviation()
        .ifPresent(
            deviation -> notes.row("noise", "standard deviation " + Digits.plain(deviation)));
  }

  /** What the last digit that is worth showing stands for. */
  private double precision() {
    return query.<Double>match(
        number -> answer.deviation().orElseThrow() / 100,
        counts -> answer.deviation().orElseThrow() / 100,
        choice -> choice.bounds().width() / choice.candidates());
  }

  @Override
  public List<AnswerLine> lines(double confidence) {
    List<String> bins = bins();
    return IntStream.range(0, answer.estimates().size())
        .mapToObj(
            i ->
                new AnswerLine(
                    words(),
                    bins.isEmpty() ? Map.of() : Map.of(column, bins.get(i)),
                    answer.estimates().get(i),
                    confidence,
                    AnswerLine.Kind.NOISY))
        .toList();
  }
}
