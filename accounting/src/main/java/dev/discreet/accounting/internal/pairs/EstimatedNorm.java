package dev.discreet.accounting.internal.pairs;

import dev.discreet.accounting.math.Normal;
import java.util.function.UnaryOperator;
import org.apache.commons.numbers.gamma.RegularizedGamma;

/**
 * Gaussian noise on members clipped by a norm that r random projections estimated. A member's true
 * norm after clipping is at most C·s with s = √(r/χ²ᵣ), whatever the member; the projections, and
 * so s, are given to the attacker.
 *
 * <p><b>Formal guarantee.</b> δ(ε) of a Gaussian of μ = s/σ is convex in u = Φ(μ/2), whatever ε:
 * its derivative by μ is φ(μ/2 − ε/μ), and so by u it is 2·exp(ε/2 − ε²/2μ²), which rises with μ. s
 * is cut into strata. From above, a stratum is one of its two ends, with the probabilities that
 * keep the mean of u (the chord); from below, it is its mean of u (Jensen). Both are off by the
 * square of a stratum's width only. The mean itself is bounded on either side by much finer strata.
 * What is below the first stratum counts as its lower end, and beyond the last everything is
 * revealed.
 */
public final class EstimatedNorm {
  // Most strata lie where the mass is; the rest reach out to where everything may as well be
  // revealed.
  private static final int INNER = 96;
  private static final int STRATA = 160;
  private static final int FINE = 64;
  private static final double COMMON = 1e-6;
  private static final double REVEALED = 1e-30;

  // A generous bound on the relative error of sums and quantiles.
  private static final double ROUNDING = 1e-12;

  private static final double UNDERFLOW = 1e-290;

  private EstimatedNorm() {}

  /**
   * @param r the number of projections
   * @param leastScale every smaller s is taken for this one
   * @param sampling samples a pair, or leaves it as it is
   */
  public static PairBounds bounds(
      double sigma, int r, double leastScale, UnaryOperator<LossPair> sampling) {
    double low = Math.max(leastScale, scaleAbove(r, 1 - COMMON));
    double middle = scaleAbove(r, COMMON);
    double high = scaleAbove(r, REVEALED);
    // Ends of strata, then what is revealed; and before all strata what is below them.
    double[] above = new double[STRATA + 2];
    LossPair[] upper = new LossPair[STRATA + 2];
    double[] below = new double[STRATA + 2];
    LossPair[] lower = new LossPair[STRATA + 2];
    above[0] = headAt(r, low);
    below[0] = above[0];
    lower[0] = DiscretePair.approximate(0, 0);
    for (int i = 0; i <= STRATA; i++) {
      double from = end(i, low, middle, high);
      upper[i] = new GaussianPair(from / sigma);
      if (i < STRATA) {
        Stratum stratum = Stratum.of(r, sigma, from, end(i + 1, low, middle, high));
        above[i] += stratum.weight - stratum.atTop;
        above[i + 1] += stratum.atTop;
        below[i + 1] = stratum.weight;
        lower[i + 1] = new GaussianPair(stratum.mean);
      }
    }
    above[STRATA + 1] = tailAt(r, high);
    upper[STRATA + 1] = DiscretePair.approximate(0, 1);
    below[STRATA + 1] = above[STRATA + 1];
    lower[STRATA + 1] = new GaussianPair(high / sigma);
    // s does not depend on the unit's presence. So a sample of the mixture is the mixture of the
    // samples.
    return new PairBounds(
        sampling.apply(new MixturePair(above, upper)),
        sampling.apply(new MixturePair(below, lower)),
        "");
  }

  /** Evenly in the logarithm of s, in two stretches. */
  private static double end(int i, double low, double middle, double high) {
    return i <= INNER
        ? low * Math.pow(middle / low, (double) i / INNER)
        : middle * Math.pow(high / middle, (double) (i - INNER) / (STRATA - INNER));
  }

  /**
   * @param weight its probability
   * @param atTop how much of that its upper end gets
   * @param mean the μ at the mean of u, or less
   */
  private record Stratum(double weight, double atTop, double mean) {

    /** In terms of 1 − u, the tail, which keeps its digits where u is nearly 1. */
    static Stratum of(int r, double sigma, double from, double to) {
      double bottom = Normal.tail(from / sigma / 2);
      double top = Normal.tail(to / sigma / 2);
      double weight = 0;
      double least = 0;
      double most = 0;
      double tail = tailAt(r, from);
      double v = bottom;
      for (int i = 1; i <= FINE; i++) {
        double s = i == FINE ? to : from * Math.pow(to / from, (double) i / FINE);
        double nextTail = tailAt(r, s);
        double next = Normal.tail(s / sigma / 2);
        double mass = Math.max(0, tail - nextTail);
        weight += mass;
        least += mass * next;
        most += mass * v;
        tail = nextTail;
        v = next;
      }
      // Rounding is charged relative to the sums. Where noise drowns all, their difference is
      // nothing
      // but rounding.
      double share = weight * bottom * (1 + ROUNDING) - least;
      double atTop = bottom > top ? Math.min(weight, share / (bottom - top)) : weight;
      // A tail that underflows says nothing of how far out it is.
      double mean =
          most > UNDERFLOW * weight ? 2 * Normal.tailQuantile(most / weight * (1 + ROUNDING)) : 0;
      double floor = from / sigma;
      return new Stratum(weight, atTop, mean > floor ? mean * (1 - ROUNDING) : floor);
    }
  }

  /** P(s > scale) = P(χ²ᵣ < r/scale²). */
  private static double tailAt(int r, double scale) {
    return RegularizedGamma.P.value(r / 2.0, r / (2 * scale * scale));
  }

  private static double headAt(int r, double scale) {
    return RegularizedGamma.Q.value(r / 2.0, r / (2 * scale * scale));
  }

  private static double scaleAbove(int r, double tail) {
    double low = 1e-6;
    double high = 1e30;
    for (int i = 0; i < 200 && high / low > 1 + 1e-9; i++) {
      double middle = Math.sqrt(low * high);
      if (tailAt(r, middle) > tail) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
