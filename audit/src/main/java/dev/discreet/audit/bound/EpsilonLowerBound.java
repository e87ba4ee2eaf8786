package dev.discreet.audit.bound;

import dev.discreet.accounting.Check;

/**
 * The largest ε for which the guesses refute (ε, δ)-privacy: a guarantee bounds TPR ≤ e^ε·FPR + δ
 * for every test, so ε ≥ ln((TPR − δ)/FPR). Clopper and Pearson's bounds of both rates stand in for
 * the rates, each with half of the error rate.
 *
 * <p>Assumes nothing about the mechanism. The price is that few draws prove little: n draws on each
 * side never prove more than about ln(n) less a constant, however good the guesses are.
 *
 * @param epsilon the mechanism is not (ε′, δ)-private for any ε′ below this; 0 proves nothing
 * @param delta the δ that was granted
 * @param errorRate the chance that {@code epsilon} is too large
 * @param counts the guesses that prove it
 */
public record EpsilonLowerBound(
    double epsilon, double delta, double errorRate, GuessCounts counts) {

  /** Of scores: the best cut, in the best of its readings. */
  public static EpsilonLowerBound of(ScoreSample scores, double delta, double errorRate) {
    double deviations = ScoreSample.deviations(errorRate);
    return of(
        scores.best(
            counts ->
                epsilon(
                    counts.likelyTruePositiveRate(deviations),
                    counts.likelyFalsePositiveRate(deviations),
                    delta)),
        delta,
        errorRate);
  }

  /** Of the counts of one event that was fixed before they were made. */
  public static EpsilonLowerBound of(GuessCounts counts, double delta, double errorRate) {
    double proven =
        epsilon(
            counts.leastTruePositiveRate(errorRate / 2),
            counts.mostFalsePositiveRate(errorRate / 2),
            Check.delta(delta));
    return new EpsilonLowerBound(Math.max(0, proven), delta, errorRate, counts);
  }

  private static double epsilon(double truePositives, double falsePositives, double delta) {
    return truePositives <= delta
        ? Double.NEGATIVE_INFINITY
        : Math.log((truePositives - delta) / falsePositives);
  }
}
