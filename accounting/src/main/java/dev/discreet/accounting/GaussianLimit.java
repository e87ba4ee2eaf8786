package dev.discreet.accounting;

import dev.discreet.accounting.internal.pairs.GaussianPair;
import dev.discreet.accounting.internal.pairs.GaussianProfile;
import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.PairBounds;
import dev.discreet.accounting.math.Normal;
import java.util.Map;

/**
 * The Gaussian limit (Dong, Roth and Su 2019; Bu et al. 2020): many small releases look like one
 * Gaussian N(μ, 1) against N(0, 1). It is a limit, not a bound, and falls below the truth at finite
 * steps; hence the answer's type.
 */
public final class GaussianLimit implements Accountant {

  @Override
  public String name() {
    return "gdp";
  }

  @Override
  public Approximation epsilon(Ledger ledger, double delta) {
    Check.delta(delta);
    Limit limit = limit(ledger);
    double left = delta - limit.infinity;
    double epsilon =
        !limit.reason.isEmpty() || (left <= 0 && limit.mu > 0) || left < 0
            ? Double.POSITIVE_INFINITY
            : GaussianProfile.epsilon(limit.mu, left);
    return new Approximation(epsilon, delta, name(), limit.reason);
  }

  @Override
  public Approximation delta(Ledger ledger, double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    Limit limit = limit(ledger);
    double delta =
        limit.mu == 0 || Double.isInfinite(epsilon) ? 0 : GaussianProfile.delta(limit.mu, epsilon);
    return new Approximation(
        epsilon,
        limit.reason.isEmpty() ? Math.min(1, delta + limit.infinity) : 1,
        name(),
        limit.reason);
  }

  /** The μ of the limit. */
  public double mu(Ledger ledger) {
    return limit(ledger).mu;
  }

  private record Limit(double mu, double infinity, String reason) {}

  private static Limit limit(Ledger ledger) {
    Limit worst = new Limit(0, 0, "");
    for (Ledger part : ledger.perPart()) {
      double squares = 0;
      double infinity = 0;
      for (Map.Entry<Mechanism, Long> entry : part.totals().entrySet()) {
        PairBounds known = DominatingPairs.of(entry.getKey(), ledger.neighbouring());
        if (!known.bounded()) {
          return new Limit(Double.POSITIVE_INFINITY, 0, known.reason());
        }
        if (!known.free()) {
          squares += entry.getValue() * squaredMu(entry.getKey(), ledger.neighbouring(), known);
          infinity += entry.getValue() * known.upper().infinity();
        }
      }
      double mu = Math.sqrt(squares);
      worst =
          new Limit(Math.max(worst.mu, mu), Math.max(worst.infinity, Math.min(1, infinity)), "");
    }
    return worst;
  }

  private static double squaredMu(Mechanism mechanism, Neighbouring relation, PairBounds known) {
    if (known.upper() instanceof GaussianPair pair) {
      return pair.mu() * pair.mu();
    }
    if (mechanism instanceof Mechanism.PoissonSampled sampled
        && relation != Neighbouring.REPLACE_ONE) {
      double mu = mu(sampled.inner(), 1);
      if (mu > 0) {
        return sampled.rate() == 1
            ? mu * mu
            : sampled.rate() * sampled.rate() * Math.expm1(mu * mu);
      }
    }
    if (mechanism instanceof Mechanism.FixedSizeSampled sampled) {
      double mu = mu(sampled.inner(), 2);
      if (mu > 0) {
        double rate = sampled.rate();
        double uniform = Math.exp(mu * mu) * Normal.tail(-1.5 * mu) + 3 * Normal.tail(0.5 * mu) - 2;
        return 2 * rate * rate * uniform;
      }
    }
    // For anything else μ follows from the mean and variance of the loss, because N(μ²/2, μ²) has
    // 4·mean²/variance = μ².
    double infinite = Double.POSITIVE_INFINITY;
    double mean =
        absoluteMoment(known.upper(), 1, 0, infinite)
            - absoluteMoment(known.upper(), 1, -infinite, 0);
    double variance = absoluteMoment(known.upper(), 2, -infinite, infinite) - mean * mean;
    return variance > 0 ? 4 * mean * mean / variance : 0;
  }

  /** E_P[|L|^power] over the losses in (low, high]. */
  private static double absoluteMoment(LossPair pair, int power, double low, double high) {
    return Math.exp(pair.logExpectQ(l -> l + power * Math.log(Math.abs(l)), 2, low, high));
  }

  private static double mu(Mechanism inner, int sensitivity) {
    return DominatingPairs.simplified(inner) instanceof Mechanism.Gaussian gaussian
        ? sensitivity / gaussian.noiseMultiplier()
        : 0;
  }
}
