package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.algorithms.cells.CellAnswer;
import dev.discreet.algorithms.cells.CellAxis;
import dev.discreet.algorithms.cells.CellQuestion;
import dev.discreet.algorithms.cells.CellRows;
import dev.discreet.algorithms.cells.Measure;
import dev.discreet.algorithms.cells.RowsByKey;
import dev.discreet.algorithms.cells.SelectedCells;
import dev.discreet.algorithms.query.KeySelection;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.query.AnswerLine.Kind;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.data.text.RowFilter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A question about the rows that meet a condition, in each cell of a table. */
final class CellsQuestion implements Question {
  private static final int MOST_AXES_WITH_MARGINS = 6;

  /**
   * What is asked.
   *
   * @param name the verb
   * @param of what it is about, in words
   * @param measure empty for a quantile
   * @param counted numbers that a row must have to count
   * @param numbers what is computed with
   */
  record Asked(
      String name,
      String of,
      Optional<Measure> measure,
      Optional<Query.Quantile> quantile,
      List<RowNumber> counted,
      List<RowNumber> numbers) {
    String words() {
      return name + " of " + of;
    }
  }

  /**
   * Of which rows, and in which cells.
   *
   * @param keys in place of columns with declared values
   * @param cellsPerUnit in how many of them a unit counts; 0 where that was not said
   */
  record Cells(
      Optional<String> where,
      Optional<RowFilter> filter,
      List<AxisColumn> by,
      Optional<Keys> keys,
      long cellsPerUnit,
      boolean margins,
      boolean nonNegative) {
    List<CellAxis> axes() {
      return by.stream().map(AxisColumn::axis).toList();
    }

    /** The columns by which the table is made. */
    List<String> names() {
      return keys.map(each -> List.of(each.column))
          .orElseGet(() -> axes().stream().map(CellAxis::name).toList());
    }

    /** In how many cells a unit counts. */
    int atMost() {
      return (int) Math.max(1, cellsPerUnit);
    }
  }

  /**
   * A column of which nobody declared the values.
   *
   * @param price of their selection and of the answers
   */
  record Keys(String column, SelectionPrice price) {}

  private final Asked asked;
  private final Cells cells;
  private final DoubleFunction<Protection> protection;
  private final List<String> columns = new ArrayList<>();
  private final IntStream.Builder cellOf = IntStream.builder();
  private final IntStream.Builder unitOf = IntStream.builder();
  private final List<DoubleStream.Builder> values;
  private final Map<String, String> known = new HashMap<>();
  private final List<String> keyOf = new ArrayList<>();
  // None where no key was selected.
  private Optional<CellAnswer> answer = Optional.empty();

  CellsQuestion(Asked asked, Cells cells, DoubleFunction<Protection> protection) {
    this.asked = asked;
    this.cells = cells;
    this.protection = protection;
    cells.filter.ifPresent(filter -> columns.addAll(filter.columns()));
    columns.addAll(cells.names());
    asked.counted.forEach(number -> columns.addAll(number.columns()));
    asked.numbers.forEach(number -> columns.addAll(number.columns()));
    values = asked.numbers.stream().map(number -> DoubleStream.builder()).toList();
    List<String> names = cells.names();
    Check.that(
        cells.keys.isEmpty() || cells.by.isEmpty() && asked.measure.isPresent() && !cells.margins,
        "--by-undeclared",
        "alone, without --by and --margins, and not for a histogram or a quantile",
        asked.words());
    Check.that(names.stream().distinct().count() == names.size(), "by", "distinct columns", names);
    CellAxis.cells(cells.axes());
    Check.that(
        !cells.margins || !names.isEmpty() && names.size() <= MOST_AXES_WITH_MARGINS,
        "columns of --by, with --margins",
        "in [1, " + MOST_AXES_WITH_MARGINS + "]",
        names.size());
    Check.that(
        asked.measure.isPresent() || !cells.margins && !cells.nonNegative,
        "--margins and --non-negative",
        "left out for a quantile: those of cells say nothing of theirs together",
        asked.words());
    Check.that(
        !cells.nonNegative || asked.measure.get().addsUp() && asked.measure.get().isNeverNegative(),
        "--non-negative",
        "left out, but for a count, or a sum of numbers that are declared to be at least 0",
        asked.words());
  }

  @Override
  public String name() {
    return asked.name;
  }

  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public void check(Who who) {
    Check.that(
        who.rowsPerUnit().isPresent() || cells.cellsPerUnit == 0,
        "cells per unit",
        "left out without --unit-column: a row is in one cell",
        cells.cellsPerUnit);
    Check.that(
        who.rowsPerUnit().isEmpty() || cells.cellsPerUnit > 0 || cells.names().isEmpty(),
        "--cells-per-unit K",
        "given with --unit-column: in how many cells of the table a unit counts, its first K",
        "none");
    CellRows.check(cells.atMost(), who.rows());
  }

  private CellQuestion question() {
    return asked.measure.isPresent()
        ? new CellQuestion.Sums(asked.measure.get(), cells.axes())
        : new CellQuestion.Quantile(asked.quantile.orElseThrow(), cells.axes(), cells.atMost());
  }

  private SelectedCells selected(Keys keys, double part) {
    return new SelectedCells(
        keys.column, asked.measure.orElseThrow(), keys.price.selection(part, cells.atMost()));
  }

  @Override
  public Price price() {
    return cells
        .keys
        .map(keys -> new Price(keys.price.epsilon(), keys.price.delta()))
        .orElseGet(() -> Price.of(protection.apply(1)));
  }

  @Override
  public String noise() {
    return asked.measure.isPresent() ? protection.apply(1).label() : "exponential";
  }

  @Override
  public Ledger cost(double part, Who who) {
    Protection measure = protection.apply(part);
    return cells
        .keys
        .map(keys -> selected(keys, part).cost(measure, who.relation()))
        .orElseGet(() -> question().cost(measure, who.relation()));
  }

  /** What does not fit is told of every row, for a condition must not tell which rows meet it. */
  @Override
  public int take(List<String> row, int unit) {
    int at = cells.filter.map(filter -> filter.columns().size()).orElse(0);
    boolean met = cells.filter.isEmpty() || cells.filter.get().chooses(row.subList(0, at));
    boolean taken = met && unit >= 0;
    int misfit = cells.filter.isEmpty() ? -1 : cells.filter.get().misfit(row.subList(0, at));
    int cell = 0;
    String key = "";
    if (cells.keys.isPresent()) {
      // A garbled key is none, for several people may have the same; and no key is a misfit, for
      // nobody said which there are.
      key = row.get(at++);
      taken &= !key.isBlank() && key.indexOf(InputColumn.GARBLED) < 0;
    }
    for (AxisColumn axis : cells.by) {
      String value = row.get(at);
      int place = axis.place().applyAsInt(value);
      if (place < 0) {
        taken = false;
        misfit = misfit < 0 && !axis.isMissing().test(value) ? at : misfit;
      }
      cell = cell * axis.axis().labels().size() + Math.max(0, place);
      at++;
    }
    double[] numbers = new double[asked.numbers.size()];
    for (int i = 0; i < asked.counted.size() + numbers.length; i++) {
      boolean counts = i < asked.counted.size();
      RowNumber each = counts ? asked.counted.get(i) : asked.numbers.get(i - asked.counted.size());
      int end = at + each.columns().size();
      double number = each.of().applyAsDouble(row.subList(at, end));
      int wrong = each.misfit().applyAsInt(row.subList(at, end));
      misfit = misfit < 0 && wrong >= 0 ? at + wrong : misfit;
      if (Double.isNaN(number)) {
        taken = false;
      } else if (!counts) {
        numbers[i - asked.counted.size()] = number;
      } else if (each.bounds().isPresent() && !each.bounds().get().contains(number)) {
        taken = false;
      }
      at = end;
    }
    if (taken) {
      cellOf.add(cell);
      if (cells.keys.isPresent()) {
        keyOf.add(known.computeIfAbsent(key, each -> each));
      }
      unitOf.add(unit);
      for (int i = 0; i < numbers.length; i++) {
        values.get(i).add(numbers[i]);
      }
    }
    return misfit;
  }

  @Override
  public void ask(PrivacySession session, Who who) {
    double[][] numbers =
        values.stream().map(each -> each.build().toArray()).toArray(double[][]::new);
    int[] places = cellOf.build().toArray();
    int[] units = unitOf.build().toArray();
    answer =
        cells
            .keys
            .map(
                keys ->
                    selected(keys, 1)
                        .ask(session, protection.apply(1), () -> keyed(units, numbers, who)))
            .orElseGet(
                () ->
                    Optional.of(
                        question()
                            .ask(
                                session,
                                protection.apply(1),
                                () -> placed(places, units, numbers, who))));
    if (cells.nonNegative) {
      answer = answer.map(CellAnswer::nonNegative);
    }
  }

  private RowsByKey keyed(int[] units, double[][] numbers, Who who) {
    return who.rowsPerUnit().isEmpty()
        ? RowsByKey.ofRows(keyOf, numbers)
        : RowsByKey.ofUnits(keyOf, units, who.rows(), numbers);
  }

  private CellRows placed(int[] places, int[] units, double[][] numbers, Who who) {
    return who.rowsPerUnit().isEmpty()
        ? CellRows.ofRows(places, numbers)
        : CellRows.ofUnits(places, units, cells.atMost(), who.rows(), numbers);
  }

  @Override
  public String words() {
    return asked.words();
  }

  @Override
  public String keys() {
    return cells
        .keys
        .map(
            keys -> {
              KeySelection paid = keys.price.selection(1, cells.atMost());
              return (answer.isEmpty() ? "none selected" : "selected")
                  + " privately, for epsilon "
                  + Digits.up(paid.epsilon())
                  + ", delta "
                  + Digits.up(paid.delta())
                  + " of the cost; there may be others";
            })
        .orElse("");
  }

  @Override
  public List<AnswerLine> lines(double confidence) {
    return Stream.concat(
            answer.stream()
                .flatMap(
                    of ->
                        lines(of, cells.nonNegative ? Kind.NON_NEGATIVE : Kind.NOISY, confidence)),
            margins(confidence))
        .toList();
  }

  private Stream<AnswerLine> margins(double confidence) {
    if (!cells.margins) {
      return Stream.empty();
    }
    Kind kind = cells.nonNegative ? Kind.NON_NEGATIVE_MARGIN : Kind.MARGIN;
    int axes = cells.by.size();
    return IntStream.range(1, 1 << axes)
        .boxed()
        .flatMap(
            left -> {
              CellAnswer margin = answer.orElseThrow();
              for (int axis = axes - 1; axis >= 0; axis--) {
                margin = (left >> axis & 1) == 1 ? margin.without(axis) : margin;
              }
              return lines(margin, kind, confidence);
            });
  }

  private Stream<AnswerLine> lines(CellAnswer of, Kind kind, double confidence) {
    return IntStream.range(0, of.estimates().size())
        .mapToObj(
            i -> {
              Map<String, String> cell = new LinkedHashMap<>();
              List<String> labels = of.labels(i);
              cells.names().forEach(name -> cell.put(name, ""));
              for (int j = 0; j < labels.size(); j++) {
                cell.put(of.axes().get(j).name(), labels.get(j));
              }
              return new AnswerLine(asked.words(), cell, of.estimates().get(i), confidence, kind);
            });
  }

  @Override
  public Map<String, Object> fields(double confidence) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("query", asked.name);
    fields.put("of", asked.of);
    cells.where.ifPresent(where -> fields.put("where", where));
    asked.quantile.ifPresent(quantile -> fields.put("quantile", quantile.q()));
    List<AnswerLine> lines = lines(confidence);
    if (cells.names().isEmpty()) {
      lines.get(0).put(fields);
    } else {
      fields.put("by", cells.names());
      fields.put("cells", fields(lines, false));
    }
    cells.keys.ifPresent(
        keys -> {
          KeySelection paid = keys.price.selection(1, cells.atMost());
          fields.put("keys", keys());
          fields.put("selectionEpsilon", paid.epsilon());
          fields.put("selectionDelta", paid.delta());
        });
    if (cells.margins) {
      fields.put("margins", fields(lines, true));
    }
    if (cells.nonNegative) {
      fields.put("adjusted", Kind.NON_NEGATIVE.words());
    }
    if (cells.cellsPerUnit > 0) {
      fields.put("cellsPerUnit", cells.cellsPerUnit);
    }
    return fields;
  }

  private List<Map<String, Object>> fields(List<AnswerLine> lines, boolean margins) {
    return lines.stream()
        .filter(line -> margins == isMargin(line))
        .map(
            line -> {
              Map<String, String> cell = new LinkedHashMap<>(line.cell());
              cell.values().removeIf(String::isEmpty);
              Map<String, Object> fields = new LinkedHashMap<>();
              fields.put("cell", cell);
              line.put(fields);
              return fields;
            })
        .toList();
  }

  private static boolean isMargin(AnswerLine line) {
    return line.kind() == Kind.MARGIN || line.kind() == Kind.NON_NEGATIVE_MARGIN;
  }

  static String meaning(double confidence, boolean several) {
    return Digits.plain(100 * confidence)
        + "%, of the exact answer on these rows, over the noise"
        + (several ? "; each by itself" : "");
  }

  @Override
  public void print(PrintWriter out, Table notes, double confidence) {
    List<AnswerLine> lines = lines(confidence);
    boolean counts = asked.measure.filter(Measure.Count.class::isInstance).isPresent();
    if (cells.names().isEmpty()) {
      AnswerLine only = lines.get(0);
      notes.row(asked.words(), AnswerLine.shown(only.number().value(), precision(only)));
      notes.row("interval", only.words(precision(only)));
    } else {
      Table table = new Table();
      List<String> header = new ArrayList<>(cells.names());
      header.addAll(List.of(asked.words(), "interval"));
      if (asked.measure.isPresent()) {
        header.add("noise");
      }
      table.row(header.toArray(String[]::new));
      lines.forEach(line -> table.row(row(line, counts)));
      table.print(out);
      out.println();
    }
    cells.where.ifPresent(where -> notes.row("where", where));
    if (cells.keys.isPresent()) {
      notes.row("keys", keys());
    }
    notes.row("confidence", meaning(confidence, !cells.names().isEmpty()));
    if (cells.names().isEmpty()) {
      lines
          .get(0)
          .number()
          .deviation()
          .ifPresent(
              deviation -> notes.row("noise", "standard deviation " + Digits.plain(deviation)));
    } else if (asked.measure.isPresent()) {
      notes.row("noise", "its standard deviation, in each cell");
    }
    if (cells.margins) {
      notes.row(
          "margins",
          "computed from the noisy cells, at no cost; \"all\" has the rows of all values that the"
              + " table has");
    }
    if (cells.nonNegative) {
      notes.row(
          "adjusted",
          "no value is below 0, and the total is the same, or 0 where it is below 0; computed from the noisy cells, at no"
              + " cost, and no longer without bias");
    }
    if (cells.cellsPerUnit > 0) {
      notes.row("cells", "a unit counts in at most " + cells.cellsPerUnit + " of them");
    }
  }

  private String[] row(AnswerLine line, boolean counts) {
    double precision = precision(line);
    List<String> row = new ArrayList<>();
    line.cell().values().forEach(value -> row.add(value.isEmpty() ? "all" : shown(value)));
    row.add(AnswerLine.shown(line.number().value(), precision));
    row.add(line.words(precision));
    line.number().deviation().ifPresent(deviation -> row.add(Digits.plain(deviation)));
    // A small cell is shown as what it is: nothing is left out for having been looked at.
    if (counts && line.interval().low() <= 0) {
      row.add("may be 0");
    }
    return row.toArray(String[]::new);
  }

  /** A key may be any text, and must do nothing to a terminal. */
  private static String shown(String value) {
    return value.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
  }

  /** What the last digit that is worth showing stands for. */
  private double precision(AnswerLine line) {
    return asked
        .quantile
        .map(quantile -> quantile.bounds().width() / quantile.candidates())
        .orElseGet(() -> line.number().deviation().orElse(0) / 100);
  }
}
