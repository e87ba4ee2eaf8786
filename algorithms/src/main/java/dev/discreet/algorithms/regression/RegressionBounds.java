package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The declared bounds of features and target: public knowledge or a guess, never read off private
 * rows. Values outside are moved to the nearest bound.
 */
public record RegressionBounds(List<Interval> features, Interval target) {

  /** From low to high; zero may lie anywhere. */
  public record Interval(double low, double high) {
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

  public RegressionBounds {
    features = List.copyOf(features);
    Check.that(!features.isEmpty(), "features", "at least 1", 0);
  }

  /** The same for all features. */
  public static RegressionBounds same(int features, Interval each, Interval target) {
    Check.that(features >= 1, "features", "at least 1", features);
    return new RegressionBounds(Collections.nCopies(features, each), target);
  }

  public static RegressionBounds of(
      double[] low, double[] high, double targetLow, double targetHigh) {
    Check.that(low.length == high.length, "bounds", "pairs of low and high", high.length);
    Interval[] all = new Interval[low.length];
    Arrays.setAll(all, i -> new Interval(low[i], high[i]));
    return new RegressionBounds(List.of(all), new Interval(targetLow, targetHigh));
  }
}
