package dev.discreet.audit.bound;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.math.Normal;

/**
 * The largest μ for which the guesses refute μ-Gaussian privacy (Dong, Roth and Su 2019; Nasr et
 * al. 2023). A μ-private mechanism is no easier to tell from its neighbour than N(μ, 1) from N(0,
 * 1), so at <em>any</em> cut of any scores μ ≥ Φ⁻¹(1 − FPR) − Φ⁻¹(1 − TPR).
 *
 * <p><b>What is assumed.</b> The bound on μ assumes nothing: it refutes smaller μ for every
 * mechanism. {@link #epsilon} assumes that the mechanism <em>is</em> Gaussian, or at least that its
 * trade-off curve is that of a Gaussian everywhere when it is so at one cut. That holds for a
 * Gaussian release, nearly for a long run of DP-SGD, and not for Laplace noise, a single sampled
 * step or a randomised response. Where it holds, a few thousand guesses at a moderate cut prove
 * what {@link EpsilonLowerBound} would need millions for.
 *
 * @param mu the mechanism is not μ′-Gaussian private for any μ′ below this; 0 proves nothing
 * @param errorRate the chance that {@code mu} is too large
 * @param counts the guesses that prove it
 */
public record GaussianFit(double mu, double errorRate, GuessCounts counts) {

  /** Of scores: the best cut, in the best of its readings. */
  public static GaussianFit of(ScoreSample scores, double errorRate) {
    double deviations = ScoreSample.deviations(errorRate);
    return of(
        scores.best(
            counts ->
                mu(
                    counts.likelyTruePositiveRate(deviations),
                    counts.likelyFalsePositiveRate(deviations))),
        errorRate);
  }

  /** Of the counts of one event that was fixed before they were made. */
  public static GaussianFit of(GuessCounts counts, double errorRate) {
    double proven =
        mu(
            counts.leastTruePositiveRate(errorRate / 2),
            counts.mostFalsePositiveRate(errorRate / 2));
    return new GaussianFit(Math.max(0, proven), errorRate, counts);
  }

  /**
   * The ε of a Gaussian mechanism with this μ.
   *
   * @param delta the δ that is granted
   * @return a lower bound on ε for a mechanism that is Gaussian, with the same error rate
   */
  public double epsilon(double delta) {
    return mu == 0
        ? 0
        : new PldAccountant()
            .epsilon(Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(1 / mu), 1), delta)
            .epsilonLower();
  }

  private static double mu(double truePositives, double falsePositives) {
    return truePositives <= 0 || falsePositives >= 1
        ? Double.NEGATIVE_INFINITY
        : Normal.tailQuantile(falsePositives) - Normal.tailQuantile(truePositives);
  }
}
