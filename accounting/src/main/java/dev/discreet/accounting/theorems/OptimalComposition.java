package dev.discreet.accounting.theorems;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.math.LogSum;

/**
 * The optimal composition of {@code count} releases that are each (ε₀, δ₀)-private (Kairouz, Oh and
 * Viswanath 2015): no smaller (ε, δ) holds for all of them. Exact, for any ε between the theorem's
 * steps too.
 */
public record OptimalComposition(double epsilon0, double delta0, int count) {
  public OptimalComposition {
    Check.nonNegative(epsilon0, "epsilon");
    Check.that(Double.isFinite(epsilon0), "epsilon", "finite", epsilon0);
    Check.in(delta0, 0, 1, "delta");
    Check.that(count >= 1, "steps", "a whole number of at least 1", count);
  }

  /** 1 − (1−δ₀)^k·(1 − Σ_j P(loss = (k−2j)ε₀)·(1 − e^{ε − loss})₊). */
  public double delta(double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    double logSafe = count * Math.log1p(-delta0);
    double inner = Math.exp(logDivergence(epsilon));
    return -Math.expm1(logSafe + Math.log1p(-Math.min(1, inner)));
  }

  private double logDivergence(double epsilon) {
    LogSum sum = new LogSum();
    double logChoose = 0;
    double logUp = -Math.log1p(Math.exp(-epsilon0));
    double logDown = logUp - epsilon0;
    for (int j = 0; j <= count; j++) {
      double loss = (count - 2.0 * j) * epsilon0;
      if (loss <= epsilon) {
        break;
      }
      double logGain = Math.log(-Math.expm1(epsilon - loss));
      sum.add(logChoose + (count - j) * logUp + j * logDown + logGain);
      logChoose += Math.log((count - j) / (j + 1.0));
    }
    return sum.log();
  }

  /** The least ε at {@code delta}, from above. */
  public double epsilon(double delta) {
    Check.delta(delta);
    double high = count * epsilon0;
    if (delta(high) > delta) {
      return Double.POSITIVE_INFINITY;
    }
    if (delta(0) <= delta) {
      return 0;
    }
    double low = 0;
    for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
      double middle = (low + high) / 2;
      if (delta(middle) > delta) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
