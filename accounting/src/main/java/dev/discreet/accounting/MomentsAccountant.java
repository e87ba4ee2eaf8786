package dev.discreet.accounting;

import dev.discreet.accounting.internal.pairs.LogMoments;
import dev.discreet.accounting.internal.pairs.LossPair;
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
    return Guarantee.worst(ledger, part -> epsilonOfPart(new Moments(part), delta));
  }

  private Guarantee epsilonOfPart(Moments moments, double delta) {
    if (moments.free) {
      return Guarantee.epsilonAt(delta, 0, 0, name(), "");
    }
    double left = delta - moments.failure;
    double best = Double.POSITIVE_INFINITY;
    int bestLambda = 0;
    for (int lambda = 1; moments.bounded() && left > 0 && lambda <= LARGEST_LAMBDA; lambda++) {
      double epsilon = (moments.at(lambda) - Math.log(left)) / lambda;
      if (epsilon < best) {
        best = epsilon;
        bestLambda = lambda;
      }
    }
    String why =
        moments.bounded() && left <= 0 ? "no delta is left for the moments" : moments.reason;
    return Guarantee.epsilonAt(delta, 0, best, name(), note(why, bestLambda));
  }

  @Override
  public Guarantee delta(Ledger ledger, double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    return Guarantee.worst(ledger, part -> deltaOfPart(new Moments(part), epsilon));
  }

  private Guarantee deltaOfPart(Moments moments, double epsilon) {
    if (moments.free) {
      return Guarantee.deltaAt(epsilon, 0, 0, name(), "");
    }
    double best = 0;
    int bestLambda = 0;
    for (int lambda = 1; moments.bounded() && lambda <= LARGEST_LAMBDA; lambda++) {
      double logDelta = moments.at(lambda) - lambda * epsilon;
      if (logDelta < best) {
        best = logDelta;
        bestLambda = lambda;
      }
    }
    double delta = Math.exp(best) + moments.failure;
    return Guarantee.deltaAt(epsilon, 0, delta, name(), note(moments.reason, bestLambda));
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
    if (!(mechanism instanceof Mechanism.Sampled)) {
      return RenyiMoments.of(mechanism, relation).logMoment(lambda + 1);
    }
    RenyiMoments.OfPair moments = new RenyiMoments.OfPair(mechanism, relation);
    LossPair pair = moments.pair();
    if (pair == null) {
      return moments.logMoment(lambda + 1);
    }
    double second = LogMoments.quadrature(pair, lambda + 1);
    double first = pair.symmetric() ? second : LogMoments.quadrature(pair, -lambda);
    return Math.min(lambda * LogMoments.largestLoss(pair), Math.max(first, second));
  }

  private static final class Moments {
    private final Map<Mechanism, Long> totals;
    private final Neighbouring relation;
    final double failure;
    final String reason;
    final boolean free;

    Moments(Ledger ledger) {
      totals = ledger.totals();
      relation = ledger.neighbouring();
      RdpAccountant.Curve curve = new RdpAccountant.Curve(ledger);
      failure = curve.failure;
      reason = curve.reason;
      free = curve.free();
    }

    boolean bounded() {
      return reason.isEmpty();
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
