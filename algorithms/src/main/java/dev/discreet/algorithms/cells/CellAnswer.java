package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.algorithms.query.NoiseLaw;
import dev.discreet.algorithms.query.NoisyNumber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What was released of a table: anything may be done with it.
 *
 * @param axes of the table; the last changes fastest
 * @param estimates one for each cell
 * @param cost what the ledger was charged
 * @param sums what the estimates follow from; empty for quantiles
 */
public record CellAnswer(
    List<CellAxis> axes, List<NoisyNumber> estimates, Ledger cost, Optional<CellSums> sums) {
  /** Copies the lists, and refuses another number of estimates than of cells. */
  public CellAnswer {
    axes = List.copyOf(axes);
    estimates = List.copyOf(estimates);
    Check.that(
        estimates.size() == CellAxis.cells(axes),
        "estimates",
        "one for each cell",
        estimates.size());
  }

  static CellAnswer of(
      List<CellAxis> axes, Measure measure, double[][] sums, NoiseLaw law, Ledger cost) {
    return of(axes, new CellSums(measure, new NoiseSum(law, 1), sums, sums), cost);
  }

  private static CellAnswer of(List<CellAxis> axes, CellSums sums, Ledger cost) {
    return new CellAnswer(axes, sums.estimates(), cost, Optional.of(sums));
  }

  /**
   * The margin of this table: all values of one axis together. It follows from the noisy sums of
   * the cells, costs nothing more, and has the noise of all of them.
   *
   * @param axis its place among the axes
   * @return the table without it
   */
  public CellAnswer without(int axis) {
    CellSums all =
        sums.orElseThrow(() -> new IllegalArgumentException("quantiles have no margins"));
    List<CellAxis> left = new ArrayList<>(axes);
    int merged = left.remove(axis).labels().size();
    int inner = CellAxis.cells(axes.subList(axis + 1, axes.size()));
    int cells = CellAxis.cells(left);
    int[] first =
        IntStream.range(0, cells).map(i -> i / inner * inner * merged + i % inner).toArray();
    return of(left, all.added(first, inner, merged), cost);
  }

  /**
   * This table with no value below 0 and the same total (or 0, where that is below 0), and so with
   * margins that agree with their cells: the nearest such table. It costs nothing, for it looks at
   * the noisy values alone. Intervals are those of the noisy values, moved to 0 and beyond, and
   * made to hold the new value.
   *
   * @return the table; its values are no longer without bias
   */
  public CellAnswer nonNegative() {
    CellSums all =
        sums.orElseThrow(() -> new IllegalArgumentException("quantiles have no margins"));
    Check.that(
        all.measure().addsUp() && all.measure().isNeverNegative(),
        "question of a table without negative values",
        "a count, or a sum of numbers that are at least 0",
        all.measure());
    return of(axes, all.nonNegative(), cost);
  }

  /**
   * The values of a cell on each axis.
   *
   * @param cell its number
   * @return one label for each axis
   */
  public List<String> labels(int cell) {
    String[] labels = new String[axes.size()];
    int left = cell;
    for (int i = labels.length - 1; i >= 0; i--) {
      List<String> of = axes.get(i).labels();
      labels[i] = of.get(left % of.size());
      left /= of.size();
    }
    return List.of(labels);
  }

  /** The noisy sums of cells, and what is shown of them. */
  public static final class CellSums {
    private final Measure measure;
    private final NoiseSum noise;
    private final double[][] noisy;
    // The same array, but for tables that were made without negative values.
    private final double[][] shown;

    CellSums(Measure measure, NoiseSum noise, double[][] noisy, double[][] shown) {
      this.measure = measure;
      this.noise = noise;
      this.noisy = noisy;
      this.shown = shown;
    }

    /** {@return what was asked} */
    public Measure measure() {
      return measure;
    }

    private boolean isAdjusted() {
      return noisy != shown;
    }

    List<NoisyNumber> estimates() {
      return IntStream.range(0, noisy.length)
          .mapToObj(
              i -> {
                NoisyNumber plain = measure.estimate(noisy[i], noise);
                if (!isAdjusted()) {
                  return plain;
                }
                double value = measure.estimate(shown[i], noise).value();
                return new NoisyNumber(
                    value,
                    plain.deviation(),
                    confidence ->
                        plain.interval(confidence).within(0, Double.POSITIVE_INFINITY).with(value));
              })
          .toList();
    }

    CellSums added(int[] first, int stride, int merged) {
      double[][] sum = added(noisy, first, stride, merged);
      return new CellSums(
          measure,
          new NoiseSum(noise.law(), noise.terms() * merged),
          sum,
          isAdjusted() ? added(shown, first, stride, merged) : sum);
    }

    private static double[][] added(double[][] cells, int[] first, int stride, int merged) {
      double[][] sums = new double[first.length][cells[0].length];
      for (int i = 0; i < first.length; i++) {
        for (int k = 0; k < merged; k++) {
          for (int part = 0; part < sums[i].length; part++) {
            sums[i][part] += cells[first[i] + k * stride][part];
          }
        }
      }
      return sums;
    }

    /** max(0, y − τ), with the τ at which the total stays; all 0 where it is negative. */
    CellSums nonNegative() {
      double[] falling =
          Arrays.stream(noisy).mapToDouble(cell -> -cell[0]).sorted().map(x -> -x).toArray();
      double total = Math.max(0, Arrays.stream(falling).sum());
      double above = 0;
      double shift = falling[0];
      for (int i = 0; i < falling.length; i++) {
        above += falling[i];
        double candidate = (above - total) / (i + 1);
        if (candidate >= falling[i]) {
          break;
        }
        shift = candidate;
      }
      double moved = shift;
      return new CellSums(
          measure,
          noise,
          noisy,
          Arrays.stream(noisy)
              .map(cell -> new double[] {Math.max(0, cell[0] - moved)})
              .toArray(double[][]::new));
    }
  }
}
