package dev.discreet.audit.bound;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import java.util.ArrayList;
import java.util.List;

/**
 * A claim of privacy as a trade-off curve: the points (ε, δ) that are all promised at once, each of
 * which bounds TPR ≤ e^ε·FPR + δ for every test. One pair (ε, δ) is the curve of one point.
 *
 * <p>Where {@link dev.discreet.accounting.statement.TradeOff} takes the best ε for one
 * false-positive rate, this takes the best of a few ε for all of them. It is as certified, lies a
 * little above, and costs so little that a test can be chosen by it.
 *
 * @param points what is promised, at least one
 */
public record ClaimedCurve(List<Point> points) {
  private static final int POINTS = 20;

  // A δ this small is far below what any number of draws can see.
  private static final double SMALLEST_DELTA = 1e-9;

  private static final double FAR = 500;

  /**
   * One promise.
   *
   * @param epsilon at least 0
   * @param delta in [0, 1]
   */
  public record Point(double epsilon, double delta) {
    /** Refuses what is out of range. */
    public Point {
      Check.nonNegative(epsilon, "epsilon");
      Check.in(delta, 0, 1, "delta");
    }

    private double truePositiveRate(double falsePositiveRate) {
      return falsePositiveRate == 0 ? delta : Math.exp(epsilon) * falsePositiveRate + delta;
    }

    /** How many standard deviations the counts lie beyond what this point allows. */
    private double excess(GuessCounts counts) {
      if (epsilon == Double.POSITIVE_INFINITY) {
        return Double.NEGATIVE_INFINITY;
      }
      double truePositives = (counts.hits() + 0.5) / (counts.tries() + 1);
      double falsePositives = (counts.falseHits() + 0.5) / (counts.falseTries() + 1);
      double spread =
          Math.sqrt(truePositives * (1 - truePositives) / counts.tries())
              + Math.exp(epsilon)
                  * Math.sqrt(falsePositives * (1 - falsePositives) / counts.falseTries());
      return (truePositives - truePositiveRate(falsePositives)) / spread;
    }
  }

  /** Refuses a claim of nothing. */
  public ClaimedCurve {
    Check.that(!points.isEmpty(), "points", "at least one", "none");
    points = List.copyOf(points);
  }

  /** What a ledger certifies: δ at several ε, from 0 to where δ no longer counts. */
  public static ClaimedCurve of(Ledger ledger) {
    // A wider bracket is as certified, and found sooner.
    PldAccountant accountant = new PldAccountant(1e-2);
    double last = accountant.epsilon(ledger, 0).epsilon();
    if (!Double.isFinite(last)) {
      last = accountant.epsilon(ledger, SMALLEST_DELTA).epsilon();
    }
    if (!Double.isFinite(last)) {
      // Some of δ may be left at every ε: where what falls has fallen, there is no more to claim.
      double left = accountant.delta(ledger, FAR).delta();
      double least = left + Math.max(SMALLEST_DELTA, left / 1000);
      last = least < 1 ? accountant.epsilon(ledger, least).epsilon() : last;
    }
    List<Point> points = new ArrayList<>();
    for (int i = 0; Double.isFinite(last) && i < POINTS; i++) {
      double epsilon = last * i / POINTS;
      points.add(new Point(epsilon, accountant.delta(ledger, epsilon).delta()));
    }
    points.add(new Point(last, accountant.delta(ledger, last).delta()));
    return new ClaimedCurve(points);
  }

  /** The claim of one pair. */
  public static ClaimedCurve of(double epsilon, double delta) {
    return new ClaimedCurve(List.of(new Point(epsilon, delta)));
  }

  /** The most true positives that the claim allows any test. */
  public double truePositiveRate(double falsePositiveRate) {
    Check.in(falsePositiveRate, 0, 1, "false-positive rate");
    return points.stream()
        .mapToDouble(
            point ->
                Math.min(
                    point.truePositiveRate(falsePositiveRate),
                    // The same point for the opposite guess.
                    1 - Math.exp(-point.epsilon) * (1 - point.delta - falsePositiveRate)))
        .reduce(1, Math::min);
  }

  /**
   * Whether scores refute the claim: an honest claim is refuted with probability {@code errorRate}
   * at most, whatever the mechanism is.
   */
  public boolean refutedBy(ScoreSample scores, double errorRate) {
    return refutedBy(
        scores.best(
            counts ->
                points.stream()
                    .mapToDouble(point -> point.excess(counts))
                    .reduce(Double.NEGATIVE_INFINITY, Math::max)),
        errorRate);
  }

  /** The same for the counts of one event that was fixed before they were made. */
  public boolean refutedBy(GuessCounts counts, double errorRate) {
    return counts.leastTruePositiveRate(errorRate / 2)
        > truePositiveRate(counts.mostFalsePositiveRate(errorRate / 2));
  }
}
