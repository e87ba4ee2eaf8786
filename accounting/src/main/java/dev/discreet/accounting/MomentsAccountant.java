package dev.discreet.accounting;

import dev.discreet.accounting.pairs.LossPair;
import java.util.Locale;
import java.util.Map;

/**
 * The moments accountant of Abadi et al. (2016), as seeds 000 and 004 state it: α(λ) = log max(E₁,
 * E₂) by numerical integration at integer λ up to 32, added over the releases, and δ = min over λ
 * of exp(α(λ) − λε). Looser than {@link RdpAccountant}, which it is the ancestor of; kept to
 * compare with published figures.
 */
public final class MomentsAccountant implements Accountant {
  private static final int LARGEST_LAMBDA = 32;

  @Override
  public String name() {
    return "moments";
  }

  @Override
  public Guarantee epsilon(Ledger ledger, double delta) {
    Check.delta(delta);
    Guarantee worst = null;
    for (Ledger part : ledger.perPart()) {
      Moments moments = new Moments(part);
      double left = delta - moments.failure;
      double best = left > 0 && moments.reason.isEmpty() ? Double.POSITIVE_INFINITY : Double.NaN;
      int bestLambda = 0;
      for (int lambda = 1; best > 0 && lambda <= LARGEST_LAMBDA; lambda++) {
        double epsilon = (moments.at(lambda) - Math.log(left)) / lambda;
        if (epsilon < best) {
          best = epsilon;
          bestLambda = lambda;
        }
      }
      double epsilon = moments.free() ? 0 : Double.isNaN(best) ? Double.POSITIVE_INFINITY : best;
      String why =
          moments.reason.isEmpty() && left <= 0 && !moments.free()
              ? "no delta is left for the moments"
              : moments.reason;
      Guarantee next = Guarantee.epsilonAt(delta, 0, epsilon, name(), note(why, bestLambda));
      worst = worst == null || next.epsilon() > worst.epsilon() ? next : worst;
    }
    return worst;
  }

  @Override
  public Guarantee delta(Ledger ledger, double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    Guarantee worst = null;
    for (Ledger part : ledger.perPart()) {
      Moments moments = new Moments(part);
      double best = moments.reason.isEmpty() ? 0 : Double.NaN;
      int bestLambda = 0;
      for (int lambda = 1; best <= 0 && lambda <= LARGEST_LAMBDA; lambda++) {
        double logDelta = moments.at(lambda) - lambda * epsilon;
        if (logDelta < best) {
          best = logDelta;
          bestLambda = lambda;
        }
      }
      double delta = moments.free() ? 0 : Double.isNaN(best) ? 1 : Math.exp(best) + moments.failure;
      Guarantee next =
          Guarantee.deltaAt(epsilon, 0, delta, name(), note(moments.reason, bestLambda));
      worst = worst == null || next.delta() > worst.delta() ? next : worst;
    }
    return worst;
  }

  private static String note(String reason, int lambda) {
    return reason.isEmpty() && lambda > 0
        ? String.format(Locale.ROOT, "best lambda %d", lambda)
        : reason;
  }

  /**
   * log max(E₁, E₂) of one release, with E₁ = E_{μ₀}[(μ₀/μ)^λ] and E₂ = E_μ[(μ/μ₀)^λ] =
   * E_{μ₀}[(μ/μ₀)^{λ+1}].
   */
  static double logMoment(Mechanism mechanism, Neighbouring relation, int lambda) {
    Renyi renyi = new Renyi(mechanism, relation);
    LossPair pair = renyi.pair();
    boolean sampled =
        mechanism instanceof Mechanism.PoissonSampled
            || mechanism instanceof Mechanism.FixedSizeSampled;
    if (!sampled || pair == null) {
      return renyi.logMoment(lambda + 1);
    }
    return Math.max(Renyi.quadrature(pair, lambda + 1), Renyi.quadrature(pair, -lambda));
  }

  private static final class Moments {
    private final Map<Mechanism, Long> totals;
    private final Neighbouring relation;
    final double failure;
    final String reason;
    private final boolean free;

    Moments(Ledger ledger) {
      totals = ledger.totals();
      relation = ledger.neighbouring();
      RdpAccountant.Curve curve = new RdpAccountant.Curve(ledger);
      failure = curve.failure;
      reason = curve.reason;
      free = curve.free();
    }

    boolean free() {
      return free;
    }

    double at(int lambda) {
      double sum = 0;
      for (Map.Entry<Mechanism, Long> entry : totals.entrySet()) {
        sum += entry.getValue() * logMoment(entry.getKey(), relation, lambda);
      }
      return sum;
    }
  }
}
