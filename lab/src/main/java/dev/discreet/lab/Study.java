package dev.discreet.lab;

import dev.discreet.report.Article.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * An experiment at one effort: the page that the outcomes of its trials make. A subclass has the
 * settings, the claims and the figures; what all of them need is here. The trials whose outcomes
 * the page asks for are those that have to be run, in that order: it must ask for the same whatever
 * the outcomes are. An instance writes one page.
 */
public abstract class Study {
  protected final Effort effort;
  protected final Outcomes outcomes;
  private final String name;
  private String question = "";
  private String measure = "";
  private final List<Row> rows = new ArrayList<>();
  private final List<PageTable> tables = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<String> verdicts = new ArrayList<>();
  private final List<Ruling> rulings = new ArrayList<>();
  private final List<String> assumed = new ArrayList<>();
  private String runFile = "";
  private boolean isCommand;

  /**
   * What every study is made from.
   *
   * @param name of the experiment
   */
  public record Setup(String name, Effort effort, Outcomes outcomes) {}

  protected Study(Setup setup) {
    this.name = setup.name;
    this.effort = setup.effort;
    this.outcomes = setup.outcomes.unasked();
  }

  /** Writes the page, by the methods below, and asks for the trials that it takes. */
  protected abstract void write();

  Finding finding() {
    write();
    return new Finding(
        question,
        measure,
        rows,
        tables.stream().flatMap(PageTable::table).toList(),
        figures,
        verdicts,
        rulings,
        assumed,
        runFile,
        isCommand,
        outcomes.asked());
  }

  /** Of the experiment; the files of its figures begin with it. */
  protected final String name() {
    return name;
  }

  // --- Trials and their outcomes.

  /** One trial for each seed: as many as told, unless the operator says otherwise. */
  protected final List<Trial> seeds(int otherwise, LongFunction<? extends Trial> trial) {
    return effort.seeds(otherwise).<Trial>mapToObj(trial::apply).toList();
  }

  protected final Sample sample(List<? extends Trial> trials, String of) {
    return outcomes.sample(trials, of);
  }

  /** The last test accuracy of each trial, in percent. */
  protected final Sample accuracy(List<? extends Trial> trials) {
    return sample(trials, "accuracy");
  }

  protected final Sample sample(Trial trial, String of) {
    return outcomes.sample(List.of(trial), of);
  }

  /** What is computed from the outcome of each trial that was run. */
  protected final Sample sample(List<? extends Trial> trials, Function<Outcome, Double> what) {
    return Sample.of(outcomes.of(trials), what);
  }

  protected final Contrast paired(List<Trial> first, List<Trial> second, String of) {
    return outcomes.paired(first, second, of);
  }

  /** The same of test accuracies. */
  protected final Contrast paired(List<Trial> first, List<Trial> second) {
    return paired(first, second, "accuracy");
  }

  protected final List<Double> meanCurve(List<? extends Trial> trials, String of) {
    return outcomes.meanCurve(trials, of);
  }

  // --- The page.

  /**
   * @param question what the document claims, in a sentence or two
   * @param measure what the numbers of the table are: {@code test accuracy, %}
   */
  protected final void question(String question, String measure) {
    this.question = Numbers.prose(question);
    this.measure = measure;
  }

  /** One row of the table, with two decimals and without a published number. */
  protected final void row(String setting, String method, Sample ours) {
    row(setting, method, Double.NaN, ours);
  }

  /** One row of the table, without a published number. */
  protected final void row(String setting, String method, Sample ours, int decimals) {
    row(setting, method, Double.NaN, ours, decimals);
  }

  /** One row of the table, with two decimals. */
  protected final void row(String setting, String method, double published, Sample ours) {
    row(setting, method, published, ours, 2);
  }

  /**
   * One row of the table.
   *
   * @param published NaN where the document shows a curve without numbers, or nothing
   */
  protected final void row(
      String setting, String method, double published, Sample ours, int decimals) {
    rows.add(new Row(setting, method, published, ours, decimals));
  }

  /**
   * A further table of the page, to be filled row by row.
   *
   * @param columns their names, with {@code | } between them
   */
  protected final PageTable table(String title, String columns) {
    PageTable table = new PageTable(title, columns);
    tables.add(table);
    return table;
  }

  protected final void figure(Figure figure) {
    figures.add(figure);
  }

  /**
   * A figure to draw lines into; it is on the page once it has a caption.
   *
   * @param what tells its file from those of the experiment's other figures; empty for its only one
   */
  protected final Picture picture(String what, String title, String xLabel, String yLabel) {
    return new Picture(figures::add, file(what), title, xLabel, yLabel);
  }

  /** The name of a figure's file, without an ending. */
  protected final String file(String what) {
    String part = what.toLowerCase(Locale.ROOT).replaceAll("[ _]", "-");
    return part.isEmpty() ? name : name + "-" + part;
  }

  /**
   * Whether the ordering is the same, the size is, and where not, why. As {@link Numbers#prose}. A
   * ruling is one of the arguments, alone or in a {@link Verdict}: only these are counted.
   */
  protected final void verdict(String how, Object... what) {
    add(verdicts, how, what);
    rulings.addAll(Verdict.rulings(what));
  }

  /** A figure of test accuracies over the epochs of a training. */
  protected final Picture accuracies(String what, String title) {
    return picture(what, title, "epoch", "test accuracy, %").even();
  }

  /** One claim and how it fared at each of its settings; none where there are none. */
  protected final void verdicts(String claim, List<Verdict> cases) {
    if (!cases.isEmpty()) {
      verdict("%s: %s.", claim, Verdict.joined(cases));
    }
  }

  /** Where the document is silent, what was taken; and what differs from it. */
  protected final void assumed(String how, Object... what) {
    add(assumed, how, what);
  }

  /** An empty line begins another item. */
  private static void add(List<String> items, String how, Object... what) {
    String all = what.length == 0 ? how : Numbers.format(how, what);
    for (String item : all.split("\n\\s*\n")) {
      items.add(Numbers.prose(item));
    }
  }

  /** A run file that gives one of the rows with {@code discreet train}. */
  protected final void runFile(String text) {
    runFile = text;
  }

  /** A command that shows much the same, where there is no such run file. */
  protected final void command(String text) {
    runFile = text;
    isCommand = true;
  }
}
