package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.matrix.ProductSums;
import dev.discreet.algorithms.matrix.RowReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import java.io.Serializable;

/**
 * How declared bounds become [−1, 1]. A row is (z₀, …, z_{p−1}, t): the features and then the
 * target, each a multiple of 2⁻¹⁵ with an absolute value of at most 1.
 *
 * <p>With an intercept, z₀ = 1 and every bound [low, high] is moved to [−1, 1] by its middle and
 * half its width; the intercept absorbs the shift. Without one nothing may be moved, so values are
 * divided by the larger of |low| and |high|: [0, 100] becomes [0, 1] and [−100, 20] becomes [−1,
 * 0.2]. A logistic target y in [0, 1] is always t = 2y − 1, since the polynomial of the loss
 * contains y − ½.
 */
record Scaling(RegressionBounds bounds, boolean intercept, RegressionLoss loss)
    implements Serializable {
  private static final int ONE = RowReader.ONE;

  Scaling {
    RegressionBounds.Interval target = bounds.target();
    Check.that(
        loss == RegressionLoss.SQUARED || (target.low() == 0 && target.high() == 1),
        "bounds of a logistic target",
        "0..1",
        Digits.shortest(target.low()) + ".." + Digits.shortest(target.high()));
    // Checked here too, because sums are paid for before they are taken.
    int most = ProductSums.MOST_COLUMNS - (intercept ? 2 : 1);
    Check.that(
        bounds.features().size() <= most, "features", "at most " + most, bounds.features().size());
  }

  /** The number of weights including the intercept: p. */
  int weights() {
    return bounds.features().size() + (intercept ? 1 : 0);
  }

  /** Refuses examples of another shape than the bounds'. */
  void check(Shape input, int targets) {
    int features = bounds.features().size();
    Check.that(
        input.size() == features,
        "features of the examples",
        "as many as bounds, " + features,
        input.size());
    Check.that(targets == 1, "targets of the examples", "1 number", targets);
  }

  /**
   * Rows of examples. An example with a value that is no number, or that cannot be read, is a row
   * of zeros, including z₀: it adds nothing anywhere. An infinite value is moved into its bounds.
   */
  RowReader rows(Examples examples) {
    check(examples.input(), examples.targets());
    int features = bounds.features().size();
    return (example, to) -> {
      float[] x = new float[features];
      float[] y = new float[1];
      try {
        examples.input(example, x, 0);
        examples.target(example, y, 0);
      } catch (RuntimeException e) {
        return;
      }
      write(x, y[0], to);
    };
  }

  /** Writes one row into an array of zeros. */
  void write(float[] x, float y, int[] to) {
    boolean number = !Float.isNaN(y);
    for (float value : x) {
      number &= !Float.isNaN(value);
    }
    if (!number) {
      return;
    }
    int at = 0;
    if (intercept) {
      to[at++] = ONE;
    }
    for (int i = 0; i < x.length; i++) {
      to[at++] = steps(bounds.features().get(i), x[i], intercept);
    }
    to[at] = steps(bounds.target(), y, targetIsMoved());
  }

  /** What a value of a feature becomes. */
  double scaled(int feature, double value) {
    return steps(bounds.features().get(feature), value, intercept) / (double) ONE;
  }

  private boolean targetIsMoved() {
    return intercept || loss == RegressionLoss.LOGISTIC;
  }

  private static int steps(RegressionBounds.Interval bound, double value, boolean moved) {
    double inside = bound.clamped(value);
    double scaled = moved ? (inside - bound.middle()) / bound.half() : inside / bound.largest();
    return (int) Math.max(-ONE, Math.min(ONE, Math.rint(scaled * ONE)));
  }

  /** The model whose weights on z are θ, in the units of the examples. */
  LinearModel model(double[] theta) {
    int first = intercept ? 1 : 0;
    double constant = intercept ? scale() * theta[0] : 0;
    constant += intercept && loss == RegressionLoss.SQUARED ? bounds.target().middle() : 0;
    double[] weights = new double[bounds.features().size()];
    for (int i = 0; i < weights.length; i++) {
      RegressionBounds.Interval bound = bounds.features().get(i);
      weights[i] = scale() * theta[first + i] / (intercept ? bound.half() : bound.largest());
      constant -= intercept ? weights[i] * bound.middle() : 0;
    }
    return new LinearModel(weights, constant, loss);
  }

  /**
   * By what each weight on z counts in a combination of intercept and weights of the {@link
   * #model}.
   */
  double[] factors(double ofIntercept, double[] ofWeights) {
    int first = intercept ? 1 : 0;
    double[] factors = new double[weights()];
    if (intercept) {
      factors[0] = scale() * ofIntercept;
    }
    for (int i = 0; i < ofWeights.length; i++) {
      RegressionBounds.Interval bound = bounds.features().get(i);
      factors[first + i] =
          intercept
              ? scale() * (ofWeights[i] - ofIntercept * bound.middle()) / bound.half()
              : scale() * ofWeights[i] / bound.largest();
    }
    return factors;
  }

  /** From z·θ to the target. */
  private double scale() {
    RegressionBounds.Interval target = bounds.target();
    // The minimum of the quadratic has θ·z near t = 2y − 1; that of the logistic loss is at twice
    // that.
    return loss == RegressionLoss.LOGISTIC ? 2 : targetIsMoved() ? target.half() : target.largest();
  }
}
