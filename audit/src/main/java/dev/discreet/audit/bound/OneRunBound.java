package dev.discreet.audit.bound;

import dev.discreet.accounting.Check;

/**
 * What guesses about many canaries of <em>one</em> run prove (Steinke, Nasr and Jagielski 2023,
 * theorem 5.2). Each of m canaries was in the run or not by a fair coin of its own; an adversary
 * guessed r of the coins from what the run released, and v guesses were right. Of an (ε, δ)-private
 * run the chance of v or more is at most P(W ≥ v) + 2mδ·maxᵢ P(v > W ≥ v − i)/i, where W is
 * binomial with r tries of probability e^ε/(1 + e^ε).
 *
 * <p>Assumes nothing about the run, nor that its canaries do not disturb each other. How many
 * guesses are made must not depend on the coins.
 *
 * @param epsilon the run is not (ε′, δ)-private for any ε′ below this; 0 proves nothing
 * @param delta the δ that was granted
 * @param errorRate the chance that {@code epsilon} is too large
 */
public record OneRunBound(
    double epsilon, double delta, double errorRate, int canaries, int guesses, int right) {
  // Beyond this no number of canaries proves anything.
  private static final double LARGEST = 50;

  /** The largest ε at which so many right guesses are too many. */
  public static OneRunBound of(
      int canaries, int guesses, int right, double delta, double errorRate) {
    Check.that(canaries >= 1, "canaries", "at least 1", canaries);
    Check.that(guesses >= 0 && guesses <= canaries, "guesses", "in [0, " + canaries + "]", guesses);
    Check.that(right >= 0 && right <= guesses, "right guesses", "in [0, " + guesses + "]", right);
    Check.delta(delta);
    Check.that(errorRate > 0 && errorRate < 1, "error rate", "in (0, 1)", errorRate);
    double low = 0;
    double high = LARGEST;
    if (chance(canaries, guesses, right, 0, delta) <= errorRate) {
      for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (chance(canaries, guesses, right, middle, delta) <= errorRate) {
          low = middle;
        } else {
          high = middle;
        }
      }
    }
    return new OneRunBound(low, delta, errorRate, canaries, guesses, right);
  }

  /** The most likely that so many right guesses are, of an (ε, δ)-private run. */
  static double chance(int canaries, int guesses, int right, double epsilon, double delta) {
    double[] log = new double[guesses + 1];
    double logOdds = epsilon;
    double logWrong = -Math.log1p(Math.exp(epsilon));
    for (int k = 1; k <= guesses; k++) {
      log[k] = log[k - 1] + Math.log((double) (guesses - k + 1) / k);
    }
    double tail = 0;
    for (int k = right; k <= guesses; k++) {
      tail += Math.exp(log[k] + k * logOdds + guesses * logWrong);
    }
    double worst = 0;
    double below = 0;
    for (int i = 1; i <= right; i++) {
      below += Math.exp(log[right - i] + (right - i) * logOdds + guesses * logWrong);
      worst = Math.max(worst, below / i);
    }
    return Math.min(1, tail + 2 * canaries * delta * worst);
  }
}
