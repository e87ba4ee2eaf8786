package dev.discreet.accounting.statement;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.MechanismVisitor;
import dev.discreet.accounting.PublicApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What k units together are promised: a family, or one person who is k rows.
 *
 * <p>Unsampled additive noise scales: k units move a sum k times as far, and the answer is as tight
 * as the accountant. For anything else the general theorem holds: what is (ε, δ)-private for one
 * unit is (kε, δ·(e^{kε}−1)/(e^ε−1))-private for k.
 *
 * <pre>{@code
 * Guarantee family = GroupPrivacy.epsilon(new PldAccountant(), ledger, 4, 1e-6);
 * }</pre>
 */
@PublicApi
public final class GroupPrivacy {
  private static final double AIM = 5e-4;

  private GroupPrivacy() {}

  /**
   * What a group is promised at one δ.
   *
   * @param accountant one that gives guarantees
   * @param ledger what was released
   * @param units how many units the group has, at least 1
   * @param delta the failure probability, in [0, 1)
   * @return an upper bound, with lower end 0 where the theorem was used
   */
  public static Guarantee epsilon(Accountant accountant, Ledger ledger, int units, double delta) {
    Check.that(units >= 1, "units", "at least 1", units);
    Check.delta(delta);
    Ledger scaled = scaled(ledger, units);
    if (scaled != null) {
      Guarantee cost = guarantee(accountant.epsilon(scaled, delta));
      boolean parts = ledger.entries().stream().anyMatch(entry -> !entry.part().isEmpty());
      // The scaled ledger has all k units in every part at once, which no k units can be.
      return units > 1 && parts
          ? Guarantee.epsilonAt(delta, 0, cost.epsilon(), cost.accountant(), cost.note())
          : cost;
    }
    String note = "by the general theorem for groups";
    if (delta == 0) {
      double one = guarantee(accountant.epsilon(ledger, 0)).epsilon();
      return Guarantee.epsilonAt(0, 0, units * one, accountant.name(), note);
    }
    double low = 0;
    double high = 1;
    double lowGap = gap(accountant, ledger, units, low, delta);
    if (lowGap <= 0) {
      return Guarantee.epsilonAt(delta, 0, 0, accountant.name(), note);
    }
    double highGap = gap(accountant, ledger, units, high, delta);
    while (highGap > 0) {
      low = high;
      lowGap = highGap;
      high *= 2;
      if (high > 1e9) {
        return Guarantee.epsilonAt(
            delta, 0, Double.POSITIVE_INFINITY, accountant.name(), "no bound for this group");
      }
      highGap = gap(accountant, ledger, units, high, delta);
    }
    // False position with the Illinois rule, until log δ or ε is near enough.
    boolean stayed = false;
    while (highGap < -2 * AIM && high - low > 1e-4 * high) {
      double share = (lowGap + AIM) / (lowGap - highGap);
      double next = low + Math.min(0.95, Math.max(0.05, share)) * (high - low);
      double gap = gap(accountant, ledger, units, next, delta);
      if (gap > 0) {
        low = next;
        lowGap = gap;
        stayed = false;
      } else {
        high = next;
        highGap = gap;
        lowGap *= stayed ? 0.5 : 1;
        stayed = true;
      }
    }
    return Guarantee.epsilonAt(delta, 0, units * high, accountant.name(), note);
  }

  /** How far log δ of the group is above the target. */
  private static double gap(
      Accountant accountant, Ledger ledger, int units, double epsilon, double delta) {
    // A δ of 0 may stand for one that is too small for a double.
    double one = Math.max(Double.MIN_VALUE, guarantee(accountant.delta(ledger, epsilon)).delta());
    double logGrowth =
        epsilon == 0
            ? Math.log(units)
            : (units - 1) * epsilon
                + Math.log(-Math.expm1(-units * epsilon))
                - Math.log(-Math.expm1(-epsilon));
    return Math.min(0, Math.log(one) + logGrowth) - Math.log(delta);
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
    if (units == 1) {
      return ledger;
    }
    List<Ledger.Entry> entries = new ArrayList<>();
    for (Ledger.Entry entry : ledger.entries()) {
      Optional<Mechanism> scaled = entry.mechanism().accept(new ForGroup(units));
      if (scaled.isEmpty()) {
        return null;
      }
      // The k units may be spread over all parts, so that parts do not protect a group.
      entries.add(new Ledger.Entry(scaled.get(), entry.count()));
    }
    return new Ledger(ledger.neighbouring(), entries);
  }

  /** What costs one unit as much as the mechanism costs so many; empty where that is not known. */
  private record ForGroup(int units) implements MechanismVisitor<Optional<Mechanism>> {
    @Override
    public Optional<Mechanism> visit(Mechanism.Gaussian gaussian) {
      return Optional.of(new Mechanism.Gaussian(gaussian.noiseMultiplier() / units));
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.JointGaussian joint) {
      return visit(joint.combined());
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.EstimatedNormGaussian estimated) {
      return Optional.empty();
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.Laplace laplace) {
      return Optional.of(new Mechanism.Laplace(laplace.scale() / units));
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.RandomizedResponse response) {
      return Optional.empty();
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.Exponential exponential) {
      return Optional.of(new Mechanism.Exponential(units * exponential.epsilon()));
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.PureDp pure) {
      return Optional.of(new Mechanism.PureDp(units * pure.epsilon()));
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.ApproximateDp approximate) {
      return Optional.empty();
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.RenyiCurve curve) {
      return Optional.empty();
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.PoissonSampled sampled) {
      return Optional.empty();
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.FixedSizeSampled sampled) {
      return Optional.empty();
    }

    @Override
    public Optional<Mechanism> visit(Mechanism.BestOf best) {
      return Optional.empty();
    }
  }
}
