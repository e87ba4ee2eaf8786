package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The declared bounds of features and target: public knowledge or a guess, never read off private
 * rows. Values outside are moved to the nearest bound.
 *
 * <pre>{@code
 * RegressionBounds bounds =
 *     RegressionBounds.of(new double[] {0, -5}, new double[] {100, 1}, 0, 200_000);
 * }</pre>
 *
 * @param features one for each feature, in the order of the features; at least one
 * @param target of the number to predict
 */
@PublicApi
public record RegressionBounds(List<Interval> features, Interval target) implements Serializable {

  /**
   * From low to high; zero may lie anywhere.
   *
   * @param low the lower end, finite
   * @param high the upper end, finite and above the lower one
   */
  public record Interval(double low, double high) implements Serializable {
    /** Refuses bounds that are infinite or in the wrong order. */
    public Interval {
      Check.that(
          low < high && Double.isFinite(low) && Double.isFinite(high) && high / 2 - low / 2 > 0,
          "bounds",
          "finite and rising",
          Digits.shortest(low) + ".." + Digits.shortest(high));
    }

    double middle() {
      return low / 2 + high / 2;
    }

    double half() {
      return high / 2 - low / 2;
    }

    /** The largest absolute value. Both ends count: think of [0, 100] and [−100, 0]. */
    double largest() {
      return Math.max(Math.abs(low), Math.abs(high));
    }

    double clamped(double value) {
      return Math.max(low, Math.min(high, value));
    }
  }

  /** Refuses no features; copies the list. */
  public RegressionBounds {
    features = List.copyOf(features);
    Check.that(!features.isEmpty(), "features", "at least 1", 0);
  }

  /**
   * The same for all features.
   *
   * @param features how many there are
   * @param each the bounds of each
   * @param target the bounds of the target
   * @return the bounds
   */
  public static RegressionBounds same(int features, Interval each, Interval target) {
    Check.that(features >= 1, "features", "at least 1", features);
    return new RegressionBounds(Collections.nCopies(features, each), target);
  }

  /**
   * Bounds in arrays.
   *
   * @param low the lower bound of each feature
   * @param high the upper bound of each feature
   * @param targetLow the lower bound of the target
   * @param targetHigh the upper bound of the target
   * @return the bounds
   */
  public static RegressionBounds of(
      double[] low, double[] high, double targetLow, double targetHigh) {
    Check.that(low.length == high.length, "bounds", "pairs of low and high", high.length);
    Interval[] all = new Interval[low.length];
    Arrays.setAll(all, i -> new Interval(low[i], high[i]));
    return new RegressionBounds(List.of(all), new Interval(targetLow, targetHigh));
  }
}
