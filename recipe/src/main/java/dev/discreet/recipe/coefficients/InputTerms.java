package dev.discreet.recipe.coefficients;

import dev.discreet.algorithms.regression.CoefficientEstimates.Choice;
import dev.discreet.core.model.DateColumn;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.RawInputs;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What the weights of a linear model are called, in the words and units of raw rows: one term for
 * each number, and one for each category but the first of its column, to which the others are
 * compared.
 */
public final class InputTerms {
  private static final List<String> MONTHS =
      Arrays.stream(Month.values())
          .map(each -> each.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
          .toList();
  private static final List<String> WEEKDAYS =
      Arrays.stream(DayOfWeek.values())
          .map(each -> each.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
          .toList();

  private final List<Term> terms = new ArrayList<>();
  private final List<Choice> choices = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  // What the inputs are in the row that the intercept is of.
  private final double[] origin;
  private int next;

  /**
   * A combination of weights that has a meaning.
   *
   * @param name of the column, and of the category
   * @param per what it is the effect of, such as {@code "1 of age"}
   * @param weights the factor of each input's weight
   */
  public record Term(String name, String per, double[] weights) {
    /** Copies the factors. */
    public Term {
      weights = weights.clone();
    }

    @Override
    public double[] weights() {
      return weights.clone();
    }
  }

  private InputTerms(int inputs) {
    origin = new double[inputs];
  }

  /**
   * Of raw rows.
   *
   * @param raw what they are
   * @param inputs how many inputs they become
   */
  public static InputTerms of(RawInputs raw, int inputs) {
    InputTerms all = new InputTerms(inputs);
    List<InputColumn> columns =
        raw.declared(RawInputs.Columns::columns, pixels -> List.<InputColumn>of())
            .orElse(List.of());
    columns.forEach(column -> all.add(column, OptionalInt.empty()));
    while (all.next < inputs) {
      all.number("input " + (all.next + 1), "1", 1, 0);
    }
    return all;
  }

  /** {@return the terms, in the order of the inputs} */
  public List<Term> terms() {
    return List.copyOf(terms);
  }

  /** {@return what each input is called: its column, and its category} */
  public List<String> inputs() {
    return List.copyOf(inputs);
  }

  /** {@return inputs of which exactly one is 1} */
  public List<Choice> choices() {
    return List.copyOf(choices);
  }

  /** {@return the inputs of the row that the intercept is of: 0 of numbers, first categories} */
  public double[] origin() {
    return origin.clone();
  }

  /**
   * @param own the input that is 1 where the cell is missing and all inputs of the column are 0
   */
  private boolean add(InputColumn column, OptionalInt own) {
    String name = column.name();
    return column.match(
        number -> {
          double width = number.high() - number.low();
          return number(name, "1 of " + name, 1 / width, -number.low() / width);
        },
        category -> choice(name + " = ", category.values(), own),
        ordered -> steps(name, ordered.values()),
        date -> date(date, own),
        text -> inputs(name, text.width()),
        tokens -> inputs(name, tokens.width()),
        missing -> missing(missing));
  }

  private boolean number(String name, String per, double factor, double atZero) {
    double[] weights = new double[origin.length];
    weights[next] = factor;
    terms.add(new Term(name, per, weights));
    origin[next++] = atZero;
    inputs.add(name);
    return true;
  }

  private boolean inputs(String name, int width) {
    for (int i = 0; i < width; i++) {
      number(name + " input " + i, "1 of that input", 1, 0);
    }
    return true;
  }

  private boolean choice(String name, List<String> values, OptionalInt own) {
    int first = next;
    origin[first] = 1;
    for (int i = 1; i < values.size(); i++) {
      double[] weights = new double[origin.length];
      weights[first + i] = 1;
      weights[first] = -1;
      terms.add(new Term(name + values.get(i), "instead of " + values.get(0), weights));
    }
    next += values.size();
    values.forEach(each -> inputs.add(name + each));
    choices.add(
        new Choice(IntStream.concat(IntStream.range(first, next), own.stream()).boxed().toList()));
    return true;
  }

  private boolean steps(String name, List<String> values) {
    for (int i = 1; i < values.size(); i++) {
      number(name + " = " + values.get(i), "step from " + values.get(i - 1), 1, 0);
    }
    return true;
  }

  private boolean date(DateColumn column, OptionalInt own) {
    column
        .days()
        .ifPresent(
            days ->
                number(
                    column.name(),
                    "day after " + days.first(),
                    1.0 / ChronoUnit.DAYS.between(days.first(), days.last()),
                    0));
    if (column.hasMonth()) {
      choice(column.name() + " in ", MONTHS, own);
    }
    if (column.hasWeekday()) {
      choice(column.name() + " on ", WEEKDAYS, own);
    }
    return true;
  }

  private boolean missing(InputColumn.Missing column) {
    boolean indicated = column.policy().isIndicated();
    boolean own = indicated && column.policy().constant().isEmpty();
    int indicator = next + column.column().width();
    int before = choices.size();
    add(column.column(), own ? OptionalInt.of(indicator) : OptionalInt.empty());
    if (indicated) {
      double[] weights = new double[origin.length];
      weights[indicator] = 1;
      for (Choice choice : choices.subList(before, choices.size())) {
        weights[choice.inputs().get(0)] -= own ? 1 : 0;
      }
      String instead =
          own
              ? "instead of the lowest or first"
              : "beside " + column.policy().constant().orElseThrow();
      terms.add(new Term(column.name() + " missing", instead, weights));
      inputs.add(column.name() + " missing");
      next++;
    }
    return true;
  }
}
