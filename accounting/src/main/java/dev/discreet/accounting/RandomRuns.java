package dev.discreet.accounting;

import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * The law of a random number of runs, K ≥ 1, of which only the best is ever seen (Liu and Talwar
 * 2019; Papernot and Steinke 2022). How often a search runs must be drawn like this and kept
 * secret: with a number that is fixed, the best of k runs may cost as much as all k.
 *
 * <pre>{@code
 * RandomRuns runs = RandomRuns.NegativeBinomial.ofMean(1, 10); // geometric, 10 runs on average
 * }</pre>
 */
@PublicApi
public sealed interface RandomRuns {
  /** What {@code ofMean} finds for γ is a multiple of this, so that dice can draw by it exactly. */
  double GRID = 0x1p-50;

  /** What {@code ofMean} finds for μ is a multiple of this; so must η be, to be drawn by. */
  double COARSE = 0x1p-20;

  /** The most that a search runs on average. */
  double MOST = 1e6;

  /**
   * How many runs there are on average.
   *
   * @return E[K]
   */
  double mean();

  /**
   * The law in words, with its parameters.
   *
   * @return words on one line
   */
  String text();

  /**
   * One answer for each law.
   *
   * @param <R> what is answered
   * @param negativeBinomial answers for that law
   * @param poisson answers for that law
   * @return the answer for this law
   */
  <R> R match(Function<NegativeBinomial, R> negativeBinomial, Function<Poisson, R> poisson);

  /**
   * The negative binomial given that it is not 0: P[K=k] ∝ (1−γ)^k·∏_{ℓ&lt;k}(ℓ+η)/(ℓ+1). η = 1 is
   * geometric, η = 0 logarithmic (the limit). The smaller η, the less it costs and the more the
   * number of runs scatters.
   *
   * @param eta the shape, above −1
   * @param gamma the success probability, in (0, 1)
   */
  record NegativeBinomial(double eta, double gamma) implements RandomRuns {
    /**
     * Refuses what is out of range.
     *
     * @param eta the shape, above −1
     * @param gamma the success probability, in (0, 1)
     */
    public NegativeBinomial {
      Check.that(eta > -1 && Double.isFinite(eta), "eta", "finite and above -1", eta);
      Check.that(gamma > 0 && gamma < 1, "gamma", "in (0, 1)", gamma);
    }

    /**
     * The law with the least γ on the grid whose mean is not above the given one.
     *
     * @param eta the shape, above −1
     * @param mean above 1 and at most 1e6
     * @return the law
     */
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
      // η(1−γ)/(γ(1−γ^η)), written so that no power of γ overflows and makes the mean too small.
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

  /**
   * Poisson given that it is not 0: P[K=k] ∝ μ^k/k!. It scatters least, and costs most.
   *
   * @param mu the parameter, greater than 0
   */
  record Poisson(double mu) implements RandomRuns {
    /**
     * Refuses what is out of range.
     *
     * @param mu the parameter, greater than 0
     */
    public Poisson {
      Check.that(mu > 0 && Double.isFinite(mu), "mu", "finite and greater than 0", mu);
    }

    /**
     * The law with the largest μ on the grid whose mean is not above the given one.
     *
     * @param mean above 1 and at most 1e6
     * @return the law
     */
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
      // First by the geometric mean, because γ may have any magnitude between the grid and 1.
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
