package dev.discreet.accounting;

import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * The law of a random number of runs, K ≥ 1, of which only the best is ever seen (Liu and Talwar
 * 2019; Papernot and Steinke 2022). How often a search runs must be drawn like this and kept
 * secret: with a number that is fixed, the best of k runs may cost as much as all k.
 */
public sealed interface RandomRuns {
  /** γ is a multiple of this where {@code ofMean} found it: a die can draw by it exactly. */
  double GRID = 0x1p-50;

  /** And μ of this; so must η be. */
  double COARSE = 0x1p-20;

  /** The most that a search runs on average. */
  double MOST = 1e6;

  /** E[K]. */
  double mean();

  /** In words, with its parameters. */
  String text();

  /** One answer for each law. */
  <R> R match(Function<NegativeBinomial, R> negativeBinomial, Function<Poisson, R> poisson);

  /**
   * The negative binomial given that it is not 0: P[K=k] ∝ (1−γ)^k·∏_{ℓ&lt;k}(ℓ+η)/(ℓ+1). η = 1 is
   * geometric, η = 0 logarithmic (the limit). The smaller η, the less it costs and the more the
   * number of runs scatters.
   */
  record NegativeBinomial(double eta, double gamma) implements RandomRuns {
    public NegativeBinomial {
      Check.that(eta > -1 && Double.isFinite(eta), "eta", "finite and above -1", eta);
      Check.that(gamma > 0 && gamma < 1, "gamma", "in (0, 1)", gamma);
    }

    /** With the least γ on the grid whose mean is not above the given one. */
    public static NegativeBinomial ofMean(double eta, double mean) {
      return new NegativeBinomial(
          eta, edge(gamma -> new NegativeBinomial(eta, gamma), mean, GRID, 1 - GRID, GRID));
    }

    @Override
    public double mean() {
      double log = Math.log(gamma);
      if (Math.abs(eta) < 1e-15) {
        return (1 - gamma) / (-gamma * log);
      }
      // η(1−γ)/(γ(1−γ^η)), such that no power of γ can overflow and make it too small.
      return eta > 0
          ? eta * (1 - gamma) / (-gamma * Math.expm1(eta * log))
          : eta * (1 - gamma) * Math.exp(-(1 + eta) * log) / Math.expm1(-eta * log);
    }

    @Override
    public String text() {
      String name =
          eta == 1
              ? "geometric"
              : eta == 0 ? "logarithmic" : "negative binomial of eta " + Digits.plain(eta);
      return name + ", gamma " + Digits.plain(gamma);
    }

    @Override
    public <R> R match(
        Function<NegativeBinomial, R> negativeBinomial, Function<Poisson, R> poisson) {
      return negativeBinomial.apply(this);
    }
  }

  /** Poisson given that it is not 0: P[K=k] ∝ μ^k/k!. It scatters least, and costs most. */
  record Poisson(double mu) implements RandomRuns {
    public Poisson {
      Check.that(mu > 0 && Double.isFinite(mu), "mu", "finite and greater than 0", mu);
    }

    /** With the largest μ on the grid whose mean is not above the given one. */
    public static Poisson ofMean(double mean) {
      return new Poisson(edge(Poisson::new, mean, COARSE, COARSE, 2 * MOST));
    }

    @Override
    public double mean() {
      return mu / -Math.expm1(-mu);
    }

    @Override
    public String text() {
      return "Poisson of mu " + Digits.plain(mu);
    }

    @Override
    public <R> R match(
        Function<NegativeBinomial, R> negativeBinomial, Function<Poisson, R> poisson) {
      return poisson.apply(this);
    }
  }

  /**
   * The last x, seen from {@code fits}, whose law has at most this mean; a multiple of {@code
   * grid}.
   */
  private static double edge(
      DoubleFunction<RandomRuns> law, double mean, double grid, double fits, double above) {
    Check.that(mean > 1 && mean <= MOST, "mean number of runs", "above 1 and at most 1e6", mean);
    double most = law.apply(above).mean();
    Check.that(
        most > mean, "mean number of runs", "below " + Digits.down(most) + " with this eta", mean);
    while (true) {
      // In proportion first, as γ may be anywhere between 1 and the grid.
      boolean far = Math.max(fits, above) > 4 * Math.min(fits, above);
      double middle = far ? Math.sqrt(fits) * Math.sqrt(above) : (fits + above) / 2;
      middle = Math.rint(middle / grid) * grid;
      if (middle == fits || middle == above) {
        return fits;
      }
      if (law.apply(middle).mean() <= mean) {
        fits = middle;
      } else {
        above = middle;
      }
    }
  }
}
