package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which cells of a column are missing besides the empty one, and what a missing cell becomes: the
 * inputs of a constant, a further input which is 1 there alone, both, or neither, and then its row
 * counts as zero.
 *
 * <pre>{@code
 * MissingCells forty = MissingCells.of("indicator(40)", List.of("NA", "99"));
 * InputColumn age = new InputColumn.Missing(new InputColumn.Number("age", 0, 120), forty);
 * }</pre>
 *
 * @param constant the cell that a missing one is read as
 * @param isIndicated whether the column has a further input, which is 1 for a missing cell
 * @param cells what is missing besides the empty cell
 */
@PublicApi
public record MissingCells(Optional<String> constant, boolean isIndicated, List<String> cells) {
  private static final String ROW = "row";
  private static final String OWN = "own";
  private static final String INDICATOR = "indicator(";

  /**
   * Refuses texts that could not be told from others.
   *
   * @param constant the cell that a missing one is read as
   * @param isIndicated whether the column has a further input, which is 1 for a missing cell
   * @param cells what is missing besides the empty cell; all different
   */
  public MissingCells {
    cells = cells.stream().map(String::strip).toList();
    for (String each : cells) {
      Check.that(
          !each.isEmpty() && each.indexOf('|') < 0, "missing cell", "a text without |", each);
      ColumnSyntax.checkSetting("missing cell", each);
    }
    Check.that(Set.copyOf(cells).size() == cells.size(), "missing cells", "distinct", cells);
    constant = constant.map(String::strip);
    constant.ifPresent(
        each -> {
          Check.that(
              !each.isEmpty() && !isWord(each),
              "constant for missing cells",
              "a text other than row, own and indicator(…)",
              each);
          ColumnSyntax.checkSetting("constant for missing cells", each);
        });
  }

  /**
   * As a declaration has it.
   *
   * @param policy {@code row} (the row counts as zero), {@code own} (a category of its own), a
   *     constant, or {@code indicator(CONSTANT)}
   * @param cells what is missing besides the empty cell
   * @return what they say
   */
  public static MissingCells of(String policy, List<String> cells) {
    String bare = policy.strip();
    if (bare.equals(ROW) || bare.equals(OWN)) {
      return new MissingCells(Optional.empty(), bare.equals(OWN), cells);
    }
    boolean indicated = bare.startsWith(INDICATOR) && bare.endsWith(")");
    return new MissingCells(
        Optional.of(indicated ? bare.substring(INDICATOR.length(), bare.length() - 1) : bare),
        indicated,
        cells);
  }

  private static boolean isWord(String text) {
    return text.equals(ROW) || text.equals(OWN) || text.startsWith(INDICATOR);
  }

  /** {@return whether the row of a missing cell counts as zero} */
  public boolean refuses() {
    return constant.isEmpty() && !isIndicated;
  }

  /** {@return what a missing cell becomes, as {@link #of} reads it} */
  public String text() {
    String bare = constant.orElse(isIndicated ? OWN : ROW);
    return isIndicated && constant.isPresent() ? INDICATOR + bare + ")" : bare;
  }

  /** {@return the missing cells besides the empty one, between bars} */
  public String cellsText() {
    return String.join("|", cells);
  }

  /** The missing cells that are numbers, for a column in which 99.0 is 99. */
  Set<Double> numbers(InputColumn column) {
    boolean areNumbers =
        column.match(
            number -> true,
            InputColumn.Category::areNumbers,
            InputColumn.Ordered::areNumbers,
            date -> false,
            text -> false,
            tokens -> false,
            missing -> false);
    Set<Double> numbers = new HashSet<>();
    if (areNumbers) {
      cells.stream().map(CellNumber::of).filter(n -> !n.isNaN()).forEach(numbers::add);
    }
    return numbers;
  }

  /** The inputs of a missing cell of a column; refuses what does not go together. */
  float[] inputs(InputColumn column) {
    String of = " of column " + column.name();
    for (String each : cells) {
      Check.that(!names(column, each), "missing cells" + of, "none of its values", each);
    }
    if (constant.isEmpty()) {
      Check.that(!names(column, text()), "missing" + of, "a word that is no value of it", text());
    }
    Check.that(
        !isIndicated || !(column instanceof TokenText),
        "missing" + of,
        "row or a text: a further input would be no token",
        text());
    float[] inputs = new float[refuses() ? 0 : column.width() + (isIndicated ? 1 : 0)];
    if (isIndicated) {
      inputs[inputs.length - 1] = 1;
    }
    constant.ifPresent(each -> constant(column, each, inputs));
    return inputs;
  }

  private void constant(InputColumn column, String cell, float[] inputs) {
    String what = "missing of column " + column.name();
    Check.that(
        !cells.contains(cell) && !numbers(column).contains(CellNumber.of(cell)),
        what,
        "no missing cell itself",
        cell);
    try {
      column.write(cell, inputs, 0);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
    }
    boolean isInside =
        column.match(
            number -> {
              double value = CellNumber.of(cell);
              return value >= number.low() && value <= number.high();
            },
            category -> true,
            ordered -> true,
            date -> date.isInside(cell),
            text -> true,
            tokens -> true,
            missing -> true);
    Check.that(isInside, what, "within the bounds", cell);
  }

  /** Whether a cell is one of the values that a column names. */
  private static boolean names(InputColumn column, String cell) {
    return column.match(
        number -> false,
        category -> category.names(cell),
        ordered -> ordered.names(cell),
        date -> false,
        text -> false,
        tokens -> false,
        missing -> {
          throw new IllegalArgumentException(
              "missing cells of column " + column.name() + " must be declared once.");
        });
  }
}
