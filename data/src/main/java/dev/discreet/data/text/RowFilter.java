package dev.discreet.data.text;

import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.data.text.ConditionText.Constant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which rows of a table meet a condition, by what each holds itself. As in SQL, a comparison of an
 * empty cell, or of one that is no number with a number, is undecided; NOT of that is undecided
 * too; and a row for which the condition is undecided does not meet it.
 */
public final class RowFilter {
  /** Whether a row meets it; empty where that is undecided. */
  private interface Test {
    Optional<Boolean> of(List<String> cells);
  }

  private final List<String> columns;
  private final Test test;
  private final ComparedCells compared;
  // Of each column, which cells are as good as empty.
  private final List<Predicate<String>> missing;

  private RowFilter(
      List<String> columns, Test test, ComparedCells compared, List<Predicate<String>> missing) {
    this.columns = List.copyOf(columns);
    this.test = test;
    this.compared = compared;
    this.missing = List.copyOf(missing);
  }

  /**
   * Reads a condition as {@link ConditionText} has it.
   *
   * @param name what messages call it
   * @param marks of numbers in cells; those of the condition are plain
   */
  public static RowFilter of(String name, String condition, NumberMarks marks) {
    List<String> columns = new ArrayList<>();
    ComparedCells compared = new ComparedCells(marks);
    Test test = ConditionText.read(name, condition, new Tests(columns, marks, compared));
    return new RowFilter(
        columns,
        test,
        compared,
        columns.stream().<Predicate<String>>map(each -> String::isEmpty).toList());
  }

  /**
   * The same condition, for which more cells than the empty ones are missing.
   *
   * @param of which they are, by the name of a column
   */
  public RowFilter missing(Function<String, Predicate<String>> of) {
    return new RowFilter(columns, test, compared, columns.stream().map(of).toList());
  }

  /** The columns that it looks at. */
  public List<String> columns() {
    return columns;
  }

  /**
   * Whether a row meets the condition.
   *
   * @param cells of {@link #columns}, in that order
   */
  public boolean chooses(List<String> cells) {
    return test(cells).orElse(false);
  }

  /** The same; empty where it is undecided. */
  public Optional<Boolean> test(List<String> cells) {
    return test.of(there(cells));
  }

  /**
   * The place of a cell that cannot be compared as the condition asks, whatever it says of the
   * other cells: one that is garbled, or no number where it is compared with a number. An empty
   * cell is none of these, nor is a text that the condition compares the column with too.
   *
   * @param cells of {@link #columns}, in that order
   * @return −1 for none
   */
  public int misfit(List<String> cells) {
    return compared.misfit(there(cells));
  }

  private List<String> there(List<String> cells) {
    List<String> there = cells;
    for (int i = 0; i < cells.size(); i++) {
      if (!cells.get(i).isEmpty() && missing.get(i).test(cells.get(i))) {
        there = there == cells ? new ArrayList<>(cells) : there;
        there.set(i, "");
      }
    }
    return there;
  }

  /** A column is its place among those that are looked at. */
  private record Tests(List<String> columns, NumberMarks marks, ComparedCells compared)
      implements ConditionText.Maker<Integer, Test> {
    @Override
    public Integer column(String name) {
      if (!columns.contains(name)) {
        columns.add(name);
      }
      return columns.indexOf(name);
    }

    @Override
    public String shown(Integer column) {
      return columns.get(column);
    }

    @Override
    public Set<Constant> takes(Integer column) {
      return EnumSet.of(Constant.NUMBER, Constant.TEXT);
    }

    @Override
    public boolean areAlike(Integer one, Integer other) {
      return true;
    }

    @Override
    public Test either(Test one, Test other) {
      return together(one, other, true);
    }

    @Override
    public Test both(Test one, Test other) {
      return together(one, other, false);
    }

    /** One of the answers decides by itself; else both have to be there. */
    private static Test together(Test one, Test other, boolean decides) {
      return cells -> {
        Optional<Boolean> first = one.of(cells);
        Optional<Boolean> second = other.of(cells);
        if (first.orElse(!decides) == decides || second.orElse(!decides) == decides) {
          return Optional.of(decides);
        }
        return first.isPresent() ? second : first;
      };
    }

    @Override
    public Test not(Test one) {
      return cells -> one.of(cells).map(met -> !met);
    }

    @Override
    public Test inside(Test one) {
      return one;
    }

    @Override
    public Test isNull(Integer column, boolean not) {
      return cells -> Optional.of(cells.get(column).isEmpty() != not);
    }

    @Override
    public Test in(Integer column, boolean not, List<String> constants) {
      if (constants.get(0).startsWith("'")) {
        Set<String> wanted = constants.stream().map(Tests::text).collect(Collectors.toSet());
        compared.withTexts(column, wanted::contains);
        return cells -> there(cells, column).map(cell -> wanted.contains(cell) != not);
      }
      compared.withNumbers(column);
      // 0.0 and −0.0 are the same number.
      Set<Double> wanted =
          constants.stream().map(each -> Double.valueOf(each) + 0.0).collect(Collectors.toSet());
      return cells -> {
        double number = marks.of(cells.get(column));
        return Double.isNaN(number)
            ? Optional.empty()
            : Optional.of(wanted.contains(number + 0.0) != not);
      };
    }

    @Override
    public Test between(Integer column, boolean not, String low, String high) {
      Test within = both(compared(column, ">=", low), compared(column, "<=", high));
      return not ? not(within) : within;
    }

    @Override
    public Test like(Integer column, boolean not, String pattern) {
      String wanted = text(pattern);
      compared.withTexts(column, cell -> isLike(cell, wanted));
      return cells -> there(cells, column).map(cell -> isLike(cell, wanted) != not);
    }

    @Override
    public Test compared(Integer column, String sign, String constant) {
      IntPredicate holds = holds(sign);
      if (constant.startsWith("'")) {
        String wanted = text(constant);
        compared.withTexts(column, wanted::equals);
        return cells -> there(cells, column).map(cell -> holds.test(cell.compareTo(wanted)));
      }
      compared.withNumbers(column);
      double wanted = Double.parseDouble(constant);
      return cells -> {
        double number = marks.of(cells.get(column));
        return Double.isNaN(number)
            ? Optional.empty()
            : Optional.of(holds.test(order(number, wanted)));
      };
    }

    /** As numbers where both are some, as texts where neither is. */
    @Override
    public Test compared(Integer column, String sign, Integer other) {
      IntPredicate holds = holds(sign);
      compared.withEachOther(column, other);
      return cells -> {
        double one = marks.of(cells.get(column));
        double two = marks.of(cells.get(other));
        if (Double.isNaN(one) != Double.isNaN(two)) {
          return Optional.empty();
        }
        return Double.isNaN(one)
            ? there(cells, column)
                .flatMap(a -> there(cells, other).map(b -> holds.test(a.compareTo(b))))
            : Optional.of(holds.test(order(one, two)));
      };
    }

    private static Optional<String> there(List<String> cells, int column) {
      String cell = cells.get(column);
      return cell.isEmpty() || cell.indexOf(InputColumn.GARBLED) >= 0
          ? Optional.empty()
          : Optional.of(cell);
    }

    /** 0.0 and −0.0 are the same number. */
    private static int order(double one, double two) {
      return one < two ? -1 : one > two ? 1 : 0;
    }

    private static IntPredicate holds(String sign) {
      return switch (sign) {
        case "=" -> order -> order == 0;
        case "<>" -> order -> order != 0;
        case "<" -> order -> order < 0;
        case "<=" -> order -> order <= 0;
        case ">" -> order -> order > 0;
        default -> order -> order >= 0;
      };
    }

    private static String text(String constant) {
      return constant.substring(1, constant.length() - 1).replace("''", "'");
    }

    /** % stands for any signs, _ for one. The last % is tried again, so no cell takes long. */
    private static boolean isLike(String cell, String pattern) {
      int at = 0;
      int in = 0;
      int star = -1;
      int tried = 0;
      while (at < cell.length()) {
        char next = in < pattern.length() ? pattern.charAt(in) : 0;
        if (in < pattern.length() && next == '%') {
          star = in++;
          tried = at;
        } else if (in < pattern.length() && (next == '_' || next == cell.charAt(at))) {
          in++;
          at++;
        } else if (star >= 0) {
          in = star + 1;
          at = ++tried;
        } else {
          return false;
        }
      }
      return pattern.substring(in).replace("%", "").isEmpty();
    }
  }
}
