package dev.discreet.accounting;

import java.util.ArrayList;
import java.util.List;

/**
 * What k units together are promised: a family, or one person who is k rows.
 *
 * <p>Unsampled additive noise scales: k units move a sum k times as far, and the answer is as tight
 * as the accountant. For anything else the general theorem holds: what is (ε, δ)-private for one
 * unit is (kε, δ·(e^{kε}−1)/(e^ε−1))-private for k.
 */
public final class GroupPrivacy {
  private GroupPrivacy() {}

  /**
   * The ε for {@code units} units at {@code delta}; an upper bound, with lower end 0 where the
   * theorem was used.
   */
  public static Guarantee epsilon(Accountant accountant, Ledger ledger, int units, double delta) {
    Check.that(units >= 1, "units", "at least 1", units);
    Check.delta(delta);
    Ledger scaled = scaled(ledger, units);
    if (scaled != null) {
      return guarantee(accountant.epsilon(scaled, delta));
    }
    double low = 0;
    double high = 1;
    while (deltaOfGroup(accountant, ledger, units, high) > delta) {
      low = high;
      high *= 2;
      if (high > 1e9) {
        return Guarantee.epsilonAt(
            delta, 0, Double.POSITIVE_INFINITY, accountant.name(), "no bound for this group");
      }
    }
    while (high - low > 1e-4 * high) {
      double middle = (low + high) / 2;
      if (deltaOfGroup(accountant, ledger, units, middle) > delta) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Guarantee.epsilonAt(
        delta, 0, units * high, accountant.name(), "by the general theorem for groups");
  }

  private static double deltaOfGroup(
      Accountant accountant, Ledger ledger, int units, double epsilon) {
    double one = guarantee(accountant.delta(ledger, epsilon)).delta();
    if (one == 0) {
      return 0;
    }
    double growth = epsilon == 0 ? units : Math.expm1(units * epsilon) / Math.expm1(epsilon);
    return Math.min(1, one * growth);
  }

  private static Guarantee guarantee(Cost cost) {
    if (cost instanceof Guarantee guarantee) {
      return guarantee;
    }
    throw new IllegalArgumentException(
        "accountant must be one that gives guarantees. Provided value: " + cost.accountant());
  }

  /**
   * The ledger of a sum that moves {@code units} times as far, or null where an entry is not of
   * that kind.
   */
  private static Ledger scaled(Ledger ledger, int units) {
    List<Ledger.Entry> entries = new ArrayList<>();
    for (Ledger.Entry entry : ledger.entries()) {
      Mechanism scaled;
      if (units == 1) {
        scaled = entry.mechanism();
      } else if (entry.mechanism() instanceof Mechanism.Gaussian gaussian) {
        scaled = new Mechanism.Gaussian(gaussian.noiseMultiplier() / units);
      } else if (entry.mechanism() instanceof Mechanism.JointGaussian joint) {
        scaled = new Mechanism.Gaussian(joint.combined().noiseMultiplier() / units);
      } else if (entry.mechanism() instanceof Mechanism.Laplace laplace) {
        scaled = new Mechanism.Laplace(laplace.scale() / units);
      } else {
        return null;
      }
      // k units may be spread over all parts, so parts are no shelter for a group.
      entries.add(new Ledger.Entry(scaled, entry.count(), units == 1 ? entry.part() : ""));
    }
    return new Ledger(ledger.neighbouring(), entries);
  }
}
