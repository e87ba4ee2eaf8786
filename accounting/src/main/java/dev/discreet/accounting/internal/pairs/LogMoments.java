package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.LogSum;
import java.util.List;

/**
 * Log moments (α−1)·D_α = log E_Q[(dP/dQ)^α], exact to about 13 digits at integer and fractional
 * orders alike. They are computed as excess moments E_Q[(dP/dQ)^α] − 1, because a sampled release
 * may differ from nothing by 1e-16 and be made 1e7 times.
 */
public final class LogMoments {
  // Quadrature runs out to order·μ; past this it is no longer worth its time.
  private static final double LARGEST_QUADRATURE_ORDER = 300;
  private static final double LARGEST_BINOMIAL_ORDER = 1 << 14;

  private LogMoments() {}

  /** No divergence is above the largest loss in size. */
  public static double largestLoss(LossPair pair) {
    return Math.max(pair.max(), -pair.min());
  }

  /** The worse of both directions of a pair that has no closed form. */
  static double worseDirection(LossPair pair, double order) {
    double bound = (order - 1) * largestLoss(pair);
    if (order > LARGEST_QUADRATURE_ORDER) {
      return bound;
    }
    double forward = quadrature(pair, order);
    return Math.min(
        bound, pair.symmetric() ? forward : Math.max(forward, quadrature(pair.reversed(), order)));
  }

  static double gaussian(double sigma, double order) {
    return order * (order - 1) / (2 * sigma * sigma);
  }

  /**
   * Of the Gaussian on a Poisson sample, whose unit is in it with the probability {@code rate}. The
   * direction that removes a unit is the worse one (Mironov, Talwar and Zhang 2019).
   */
  public static double sampledGaussian(LossPair pair, double sigma, double rate, double order) {
    return order == Math.rint(order)
        ? binomial(sigma, rate, (long) order)
        : quadrature(pair, order);
  }

  /**
   * E[(1−q+q·w)^α] − 1 = Σ_{k≥2} C(α,k)(1−q)^{α−k}q^k(e^{k(k−1)/2σ²} − 1) at integer α, where
   * E[w^k] = e^{k(k−1)/2σ²}; the −1 takes out the sum of the binomial probabilities, and every term
   * is positive.
   */
  private static double binomial(double sigma, double rate, long order) {
    if (order > LARGEST_BINOMIAL_ORDER) {
      return Double.POSITIVE_INFINITY;
    }
    LogSum sum = new LogSum();
    double logOdds = Math.log(rate) - Math.log1p(-rate);
    double logTerm = order * Math.log1p(-rate) + Math.log(order) + logOdds;
    for (long k = 2; k <= order; k++) {
      logTerm += Math.log((order - k + 1.0) / k) + logOdds;
      double exponent = k * (k - 1.0) / (2 * sigma * sigma);
      sum.add(logTerm + (exponent > 40 ? exponent : Math.log(Math.expm1(exponent))));
    }
    return log1pExp(sum.log());
  }

  /** log E_Q[e^{order·L}] by numerical integration; the order may be negative. */
  public static double quadrature(LossPair pair, double order) {
    if (pair.infinity() > 0 || pair.minusInfinity() > 0) {
      return pair.logExpectQ(l -> order * l, order);
    }
    return log1pExp(pair.logExpectQ(l -> logExcess(l, order), order));
  }

  /**
   * log(e^{αl} − 1 − α(e^l − 1)): the integrand less what integrates to 0. Never negative, and of
   * second order in l.
   */
  private static double logExcess(double l, double order) {
    double rest = (order - 1) * l;
    if (Math.abs(l) <= 0.1 && Math.abs(order * l) <= 0.5) {
      // Σ (α^k − α)·l^k/k!, with α^(k−1) − 1 by its own recurrence: α may be near 1.
      double sum = 0;
      double term = order * l;
      double power = order - 1;
      for (int k = 2; k <= 16; k++) {
        term *= l / k;
        sum += term * power;
        power = order * power + (order - 1);
      }
      return Math.log(sum);
    }
    if (rest > 40) {
      return order * l;
    }
    return l > 0
        ? l + Math.log(Math.expm1(rest) + (order - 1) * Math.expm1(-l))
        : Math.log(Math.exp(l) * Math.expm1(rest) - (order - 1) * Math.expm1(l));
  }

  /** log(1 + e^x). */
  private static double log1pExp(double x) {
    return x > 40 ? x : Math.log1p(Math.exp(x));
  }

  /** log(e^x − 1). */
  private static double logExpm1(double x) {
    return x > 40 ? x : Math.log(Math.expm1(x));
  }

  /**
   * Mironov 2017, table II: E[(dP/dQ)^α] − 1 = (α(e^{(α−1)ε} − 1) − (α−1)(1 − e^−αε))/(2α−1) with ε
   * the largest loss.
   */
  static double laplace(double epsilon, double order) {
    double rest = (order - 1) * epsilon;
    if (rest > 40) {
      return rest + Math.log(order / (2 * order - 1));
    }
    if (order * epsilon > 0.5) {
      return Math.log1p(
          (order * Math.expm1(rest) + (order - 1) * Math.expm1(-order * epsilon))
              / (2 * order - 1));
    }
    // The first order cancels: α(α−1)·Σ c_k·ε^k/k! with c₂ = 1, c₃ = −1, c_{k+1} = α(α−1)c_{k−1} −
    // c_k.
    double sum = 0;
    double term = epsilon;
    double before = 0;
    double factor = 1;
    for (int k = 2; k <= 18; k++) {
      term *= epsilon / k;
      sum += factor * term;
      double next = order * (order - 1) * before - factor;
      before = factor;
      factor = next;
    }
    return Math.log1p(order * (order - 1) * sum);
  }

  /**
   * The best two-point mechanism of loss range η for order α: Q gives the upper loss the mass w =
   * (e^αη − 1 − α(e^η − 1))/((α−1)(e^αη − 1)(e^η − 1)), where the moment's derivative is 0.
   */
  static double boundedRange(double range, double order) {
    double logW =
        logExcess(range, order) - Math.log(order - 1) - logExpm1(order * range) - logExpm1(range);
    double w = Math.exp(logW);
    double lower = -log1pExp(logW + logExpm1(range));
    LogSum sum = new LogSum();
    sum.add(logExcess(range + lower, order) + logW);
    sum.add(logExcess(lower, order) + Math.log1p(-w));
    return log1pExp(sum.log());
  }

  /** (α−1)·D_α is convex and 0 at α = 1, so a chord between known orders lies above it. */
  public static double interpolated(List<Double> orders, List<Double> divergences, double order) {
    if (divergences.contains(0.0)) {
      return 0; // a divergence of 0 at one order is one at every order
    }
    double below = 1;
    double at = 0;
    for (int i = 0; i < orders.size(); i++) {
      double next = orders.get(i);
      double value = (next - 1) * divergences.get(i);
      if (Double.isInfinite(value)) {
        continue;
      }
      if (order <= next) {
        double part = (order - below) / (next - below);
        return order == next ? value : part == 0 ? at : at + part * (value - at);
      }
      below = next;
      at = value;
    }
    return Double.POSITIVE_INFINITY;
  }
}
