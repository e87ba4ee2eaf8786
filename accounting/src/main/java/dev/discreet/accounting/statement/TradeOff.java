package dev.discreet.accounting.statement;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.math.Minimum;
import java.util.function.DoubleUnaryOperator;

/**
 * What an attacker could do: the best true-positive rate of any test for a unit's presence, at a
 * given false-positive rate. A certified upper bound, from δ(ε) at the best ε: TPR ≤ δ + e^ε·FPR
 * and TPR ≤ 1 − e^−ε(1 − δ − FPR).
 *
 * <pre>{@code
 * double rate = TradeOff.of(ledger).truePositiveRate(0.01);
 * }</pre>
 */
@PublicApi
public final class TradeOff {
  // Enough for a curve with a corner at its minimum. Most minima are flat and take half as many.
  private static final int EVALUATIONS = 24;
  private static final int LEAST_EVALUATIONS = 12;
  private static final double FLAT = 1e-6;

  // A bound that is this near to blind guessing (relative) is not refined.
  private static final double NEAR_BLIND = 1e-4;

  // A δ this much smaller than the rate adds nothing that a statement or a picture shows.
  private static final double NEGLIGIBLE = 1e-6;

  // A rate that is nearer to 1 than this counts as 1.
  private static final double LOG_SMALLEST = Math.log(0x1p-53);

  private final Accountant accountant;
  private final Ledger ledger;

  /**
   * The trade-off of a ledger, by the answers of an accountant.
   *
   * @param accountant one that gives guarantees
   * @param ledger what was released
   */
  public TradeOff(Accountant accountant, Ledger ledger) {
    this.accountant = accountant;
    this.ledger = ledger;
  }

  /**
   * By the default accountant, at a tolerance that suits a picture or a statement.
   *
   * @param ledger what was released
   * @return the trade-off
   */
  public static TradeOff of(Ledger ledger) {
    return new TradeOff(new PldAccountant(1e-3), ledger);
  }

  /**
   * The most that any test reaches.
   *
   * @param falsePositiveRate how often the test is wrong about the absent, in [0, 1]
   * @return how often it can be right about the present
   */
  public double truePositiveRate(double falsePositiveRate) {
    Check.in(falsePositiveRate, 0, 1, "false-positive rate");
    if (falsePositiveRate == 0) {
      return delta(Double.POSITIVE_INFINITY);
    }
    if (falsePositiveRate == 1) {
      return 1;
    }
    double atZero = delta(0) + falsePositiveRate;
    if (atZero <= falsePositiveRate * (1 + NEAR_BLIND)) {
      return Math.min(1, atZero);
    }
    // Each bound is the same at 0, falls, then rises with ε, and says nothing beyond the largest.
    double first =
        Math.min(
            atZero,
            least(
                epsilon -> delta(epsilon) + Math.exp(epsilon) * falsePositiveRate,
                Math.min(-Math.log(falsePositiveRate), enough(falsePositiveRate))));
    // The region that δ(ε) leaves is its own mirror image in TPR = 1 − FPR, and so are the bounds.
    double best =
        first <= 1 - falsePositiveRate
            ? first
            : Math.min(
                first,
                least(
                    epsilon -> 1 - Math.exp(-epsilon) * (1 - delta(epsilon) - falsePositiveRate),
                    Math.min(
                        Math.log1p(-falsePositiveRate) - LOG_SMALLEST,
                        enough(1 - falsePositiveRate))));
    return Math.min(1, Math.max(falsePositiveRate, best));
  }

  /** Beyond the ε whose δ no longer matters the bounds only rise, and δ is costly to find. */
  private double enough(double rate) {
    return accountant.epsilon(ledger, rate * NEGLIGIBLE).epsilon();
  }

  private static double least(DoubleUnaryOperator bound, double largest) {
    double inside = Minimum.value(bound, 0, largest, LEAST_EVALUATIONS, EVALUATIONS, FLAT);
    // Where the loss is bounded, the curve has its corner at the largest ε.
    return Math.min(inside, bound.applyAsDouble(largest));
  }

  private double delta(double epsilon) {
    Cost cost = accountant.delta(ledger, epsilon);
    if (!(cost instanceof Guarantee)) {
      throw new IllegalArgumentException(
          "accountant must be one that gives guarantees. Provided value: " + accountant.name());
    }
    return cost.delta();
  }
}
