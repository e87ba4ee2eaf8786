package dev.discreet.data.text;

import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.NumberMarks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What a condition compares the cells of a row with, and which of them cannot be compared so. */
final class ComparedCells {
  private record Pair(int one, int other) {}

  private final NumberMarks marks;
  private final Set<Integer> withNumbers = new HashSet<>();
  // Of each column that is compared, the texts that the condition names.
  private final Map<Integer, Predicate<String>> named = new TreeMap<>();
  private final List<Pair> pairs = new ArrayList<>();

  ComparedCells(NumberMarks marks) {
    this.marks = marks;
  }

  void withNumbers(int column) {
    withTexts(column, cell -> false);
    withNumbers.add(column);
  }

  void withTexts(int column, Predicate<String> those) {
    named.merge(column, those, Predicate::or);
  }

  void withEachOther(int one, int other) {
    withTexts(one, cell -> false);
    withTexts(other, cell -> false);
    pairs.add(new Pair(one, other));
  }

  /** The place of such a cell; −1 for none. */
  int misfit(List<String> cells) {
    for (int column : named.keySet()) {
      String cell = cells.get(column);
      if (cell.indexOf(InputColumn.GARBLED) >= 0
          || withNumbers.contains(column) && isText(cell) && !named.get(column).test(cell)) {
        return column;
      }
    }
    for (Pair pair : pairs) {
      String one = cells.get(pair.one);
      String other = cells.get(pair.other);
      if (!one.isEmpty() && !other.isEmpty() && isText(one) != isText(other)) {
        return isText(one) ? pair.one : pair.other;
      }
    }
    return -1;
  }

  private boolean isText(String cell) {
    return !cell.isEmpty() && Double.isNaN(marks.of(cell));
  }
}
