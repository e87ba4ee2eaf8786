package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.MechanismCalibration;
import java.util.function.Function;

/**
 * What the coefficients of a regression may cost, under the session's neighbouring relation.
 *
 * <pre>{@code
 * FunctionalMechanism mechanism =
 *     new FunctionalMechanism(
 *         bounds, RegressionLoss.SQUARED, true, new RegressionBudget.Gaussian(0.8, 1e-6));
 * }</pre>
 */
@PublicApi
public sealed interface RegressionBudget {
  /**
   * Noise is wider than the target needs by this factor. So what an accountant certifies, including
   * its own margin for rounding, is not above the target either.
   */
  double WIDER = 1 + 1e-9;

  /**
   * The δ that goes with the budget's ε.
   *
   * @return 0 for Laplace noise
   */
  double delta();

  /**
   * Answers by the kind of budget. A new kind does not compile until every caller knows it.
   *
   * @param <R> what is answered
   * @param pure for {@link Pure}
   * @param split for {@link Split}
   * @param joint for {@link Joint}
   * @param gaussian for {@link Gaussian}
   * @return what the function of this kind gives
   */
  <R> R match(
      Function<Pure, R> pure,
      Function<Split, R> split,
      Function<Joint, R> joint,
      Function<Gaussian, R> gaussian);

  /**
   * Laplace noise, with ε split between quadratic and linear coefficients in the best proportion.
   *
   * @param epsilon what the whole fit costs; above 0
   */
  record Pure(double epsilon) implements RegressionBudget {
    /** Refuses an ε that is not above 0. */
    public Pure {
      checkEpsilon(epsilon);
    }

    @Override
    public double delta() {
      return 0;
    }

    @Override
    public <R> R match(
        Function<Pure, R> pure,
        Function<Split, R> split,
        Function<Joint, R> joint,
        Function<Gaussian, R> gaussian) {
      return pure.apply(this);
    }
  }

  /**
   * Laplace noise with the caller's own split: ε is the sum.
   *
   * @param quadratic ε for the quadratic coefficients; above 0
   * @param linear ε for the linear coefficients; above 0
   */
  record Split(double quadratic, double linear) implements RegressionBudget {
    /** Refuses an ε that is not above 0. */
    public Split {
      checkEpsilon(quadratic);
      checkEpsilon(linear);
    }

    @Override
    public double delta() {
      return 0;
    }

    @Override
    public <R> R match(
        Function<Pure, R> pure,
        Function<Split, R> split,
        Function<Joint, R> joint,
        Function<Gaussian, R> gaussian) {
      return split.apply(this);
    }
  }

  /**
   * Laplace noise of one scale on all coefficients, in one release, as in the paper.
   *
   * @param epsilon what the whole fit costs; above 0
   */
  record Joint(double epsilon) implements RegressionBudget {
    /** Refuses an ε that is not above 0. */
    public Joint {
      checkEpsilon(epsilon);
    }

    @Override
    public double delta() {
      return 0;
    }

    @Override
    public <R> R match(
        Function<Pure, R> pure,
        Function<Split, R> split,
        Function<Joint, R> joint,
        Function<Gaussian, R> gaussian) {
      return joint.apply(this);
    }
  }

  /**
   * Gaussian noise in the best proportion, in one release.
   *
   * @param epsilon what the whole fit costs; above 0
   * @param delta what the whole fit costs, in (0, 1)
   */
  record Gaussian(double epsilon, double delta) implements RegressionBudget {
    /** Refuses an ε that is not above 0, and a δ outside (0, 1). */
    public Gaussian {
      checkEpsilon(epsilon);
      Check.that(delta > 0 && delta < 1, "delta", "in (0, 1) for Gaussian noise", delta);
    }

    /** The multiplier of all coefficients together, where a neighbour moves a sum by one bound. */
    double multiplier() {
      return WIDER * MechanismCalibration.analyticGaussian(epsilon, delta);
    }

    @Override
    public <R> R match(
        Function<Pure, R> pure,
        Function<Split, R> split,
        Function<Joint, R> joint,
        Function<Gaussian, R> gaussian) {
      return gaussian.apply(this);
    }
  }

  private static void checkEpsilon(double epsilon) {
    Check.that(
        epsilon > 0 && Double.isFinite(epsilon), "epsilon", "finite and greater than 0", epsilon);
  }
}
