package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The declared bins of a histogram. A value in no bin is not counted.
 *
 * <pre>{@code
 * Query ages = new Query.Histogram(Bins.Edges.even(new ColumnBounds(0, 120), 12));
 * }</pre>
 */
@PublicApi
public sealed interface Bins extends Serializable {
  /** There are no more bins than this. */
  int MOST = 1_000_000;

  /** {@return what the bins are called, in their order} */
  List<String> names();

  /**
   * The bin of a number, or −1.
   *
   * @param value any number
   * @return an index into the names, or −1
   */
  int of(double value);

  /**
   * Bins between rising edges; the last bin includes its upper edge.
   *
   * @param edges finite and rising, in the column's own units; two or more
   */
  record Edges(List<Double> edges) implements Bins {
    /** Refuses edges that are too few, too many or not rising. */
    public Edges {
      edges = List.copyOf(edges);
      Check.that(
          edges.size() >= 2 && edges.size() <= MOST,
          "edges of bins",
          "in [2, " + MOST + "]",
          edges.size());
      for (int i = 0; i < edges.size(); i++) {
        Check.that(
            Double.isFinite(edges.get(i)) && (i == 0 || edges.get(i) > edges.get(i - 1)),
            "edges of bins",
            "finite and rising",
            edges.get(i));
      }
    }

    /**
     * {@code bins} bins of equal width.
     *
     * @param bounds where the first begins and the last ends
     * @param bins how many
     * @return the bins
     */
    public static Edges even(ColumnBounds bounds, int bins) {
      Check.that(bins >= 1 && bins < MOST, "bins", "in [1, " + MOST + ")", bins);
      return new Edges(
          IntStream.rangeClosed(0, bins)
              .mapToObj(i -> i == bins ? bounds.high() : bounds.low() + bounds.width() / bins * i)
              .toList());
    }

    @Override
    public List<String> names() {
      return IntStream.range(1, edges.size())
          .mapToObj(i -> Digits.plain(edges.get(i - 1)) + ".." + Digits.plain(edges.get(i)))
          .toList();
    }

    @Override
    public int of(double value) {
      int last = edges.size() - 1;
      if (!(value >= edges.get(0) && value <= edges.get(last))) {
        return -1;
      }
      // 0.0 and −0.0 are the same number, but not for the binary search.
      int at = Collections.binarySearch(edges, value + 0.0);
      return at >= 0 ? Math.min(at, last - 1) : -at - 2;
    }
  }

  /**
   * One bin for each category; a column of categories has the numbers 0, 1, … of {@link #number}.
   *
   * @param names distinct; the place of a name in the list is its number
   */
  record Categories(List<String> names) implements Bins {
    /** Refuses categories that are too many or not distinct. */
    public Categories {
      names = List.copyOf(names);
      Check.that(
          !names.isEmpty() && names.size() <= MOST,
          "categories",
          "in [1, " + MOST + "]",
          names.size());
      Check.that(new HashSet<>(names).size() == names.size(), "categories", "distinct", names);
    }

    /**
     * The number of the category; NaN if there is no such category.
     *
     * @param name of a category
     * @return its number as a column has it
     */
    public double number(String name) {
      int at = names.indexOf(name);
      return at < 0 ? Double.NaN : at;
    }

    @Override
    public int of(double value) {
      return value >= 0 && value < names.size() ? (int) value : -1;
    }
  }
}
