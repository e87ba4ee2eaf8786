package dev.discreet.accounting;

/**
 * What an attacker could do: the best true-positive rate of any test for a unit's presence, at a
 * given false-positive rate. A certified upper bound, from δ(ε) at the best ε: TPR ≤ δ + e^ε·FPR
 * and TPR ≤ 1 − e^−ε(1 − δ − FPR).
 */
public final class TradeOff {
  private static final int EVALUATIONS = 24;

  private final Accountant accountant;
  private final Ledger ledger;

  /** {@code accountant} must be one that gives guarantees. */
  public TradeOff(Accountant accountant, Ledger ledger) {
    this.accountant = accountant;
    this.ledger = ledger;
  }

  /** By the default accountant, at a tolerance that suits a picture or a statement. */
  public static TradeOff of(Ledger ledger) {
    return new TradeOff(new PldAccountant(1e-3), ledger);
  }

  public double truePositiveRate(double falsePositiveRate) {
    Check.in(falsePositiveRate, 0, 1, "false-positive rate");
    // Beyond this ε the second term alone is more than 1.
    double largest = falsePositiveRate > 0 ? -Math.log(falsePositiveRate) : 700;
    if (largest == 0) {
      return 1;
    }
    double best =
        Minimum.value(epsilon -> bound(epsilon, falsePositiveRate), 0, largest, EVALUATIONS);
    double atEnds = Math.min(bound(0, falsePositiveRate), bound(largest, falsePositiveRate));
    return Math.max(falsePositiveRate, Math.min(best, atEnds));
  }

  private double bound(double epsilon, double falsePositiveRate) {
    Cost cost = accountant.delta(ledger, epsilon);
    if (!(cost instanceof Guarantee)) {
      throw new IllegalArgumentException(
          "accountant must be one that gives guarantees. Provided value: " + accountant.name());
    }
    double delta = cost.delta();
    double low = delta + Math.exp(epsilon) * falsePositiveRate;
    double high = 1 - Math.exp(-epsilon) * Math.max(0, 1 - delta - falsePositiveRate);
    return Math.min(1, Math.min(low, high));
  }
}
