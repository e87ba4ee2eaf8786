package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The declared categories of a column, and which of them a cell is.
 *
 * <p>Other programs write the category 1 as 1.0: the same number is the same category, unless some
 * category is no number, or the declaration tells such spellings apart (02134 and 2134).
 */
public final class Vocabulary {
  /** The largest number of categories. */
  public static final int MOST = 65_536;

  private static final int MOST_SHOWN = 20;

  private final List<String> names;
  private final NumberMarks marks;
  private final Map<String, Integer> index;
  // Empty unless each category is a number of its own.
  private final Map<Double, Integer> byNumber;

  /**
   * Refuses categories that are too few, too many, empty or given twice.
   *
   * @param column its name, for refusals
   */
  public Vocabulary(String column, List<String> names) {
    this.names = List.copyOf(names);
    this.marks = NumberMarks.PLAIN;
    index = new HashMap<>();
    byNumber = new HashMap<>();
    Check.that(
        names.size() >= 2 && names.size() <= MOST,
        "categories of column " + column,
        "in [2, " + MOST + "]",
        names.size());
    for (String each : names) {
      Check.that(!each.isBlank(), "category of column " + column, "not empty", "nothing");
      Check.that(
          index.put(each, index.size()) == null,
          "categories of column " + column,
          "distinct",
          each);
      byNumber.put(CellNumber.of(each), byNumber.size());
    }
    if (byNumber.containsKey(Double.NaN) || byNumber.size() < names.size()) {
      byNumber.clear();
    }
  }

  private Vocabulary(Vocabulary plain, NumberMarks marks) {
    names = plain.names;
    index = plain.index;
    byNumber = plain.byNumber;
    this.marks = marks;
  }

  /** The same in cells whose numbers have other marks; those of the names stay plain. */
  Vocabulary marked(NumberMarks other) {
    return new Vocabulary(this, other);
  }

  public List<String> names() {
    return names;
  }

  public NumberMarks marks() {
    return marks;
  }

  /** Whether each category is a number of its own. */
  public boolean areNumbers() {
    return !byNumber.isEmpty();
  }

  /** Which category a cell is; empty for none. */
  public OptionalInt find(String cell) {
    Integer found = index.get(cell.strip());
    return found == null ? find(marks.of(cell)) : OptionalInt.of(found);
  }

  /** Which category a number is; empty for none. */
  public OptionalInt find(double value) {
    Integer found = byNumber.get(value + 0.0);
    return found == null ? OptionalInt.empty() : OptionalInt.of(found);
  }

  /** What a cell must be, for refusals. */
  public String allowed() {
    int shown = Math.min(names.size(), MOST_SHOWN);
    return "one of "
        + String.join(", ", names.subList(0, shown))
        + (shown < names.size() ? ", … (" + names.size() + " declared)" : "");
  }
}
