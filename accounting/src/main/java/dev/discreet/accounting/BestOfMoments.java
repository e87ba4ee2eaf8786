package dev.discreet.accounting;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Rényi divergences of the best of a random number of runs (Papernot and Steinke 2022, theorems 2
 * and 6). With f the generating function of K and q, q′ the probabilities of one event under one
 * run on either of two neighbours,
 *
 * <pre>(λ−1)·D_λ ≤ (λ−1)·D_λ(one run) + log max f′(q)^λ·f′(q′)^{1−λ}.</pre>
 *
 * <p>Negative binomial: f′(x) = E[K]·(γ/p)^{1+η} with p = 1 − (1−γ)x ≥ γ, and p, p′ are
 * probabilities of one event too, so p′ ≤ (p·e^ε̂)^{1−1/λ̂} for every order λ̂. That makes the last
 * term log E[K] + (λ−1)(1+η)((1−1/λ̂)·ε̂ + log(1/γ)/λ̂).
 *
 * <p>Poisson given that it is not 0: f′(x) = E[K]·e^{−μ(1−x)}, and 1−q′ ≤ e^ε̂(1−q) + δ̂. With e^ε̂
 * = λ/(λ−1) the last term is log E[K] + (λ−1)·μ·δ̂. (The paper's K may be 0, and its bound has log
 * μ.)
 *
 * <p>Of several candidates a run is one, whichever: at each order the worst of them counts.
 */
final class BestOfMoments implements RenyiMoments {
  private static final double[] KNOTS = knots();

  private final RandomRuns runs;
  private final List<RdpAccountant.Curve> candidates;
  private final double logMean;
  private final boolean free;
  // The log moments of one run at the knots; computed when first asked for.
  private double[] moments;
  private double perOrder = Double.NaN;

  BestOfMoments(Mechanism.BestOf best, Neighbouring relation) {
    runs = best.runs();
    candidates =
        best.candidates().stream()
            .map(entries -> new RdpAccountant.Curve(new Ledger(relation, entries)))
            .toList();
    free = candidates.stream().allMatch(RdpAccountant.Curve::free);
    logMean = Math.log(Math.max(1, runs.mean()));
  }

  @Override
  public boolean free() {
    return free;
  }

  @Override
  public String reason() {
    for (RdpAccountant.Curve curve : candidates) {
      if (!curve.reason.isEmpty()) {
        return curve.reason;
      }
      if (curve.failure > 0) {
        return "no bound is known for the best of runs that may fail outright";
      }
    }
    return "";
  }

  @Override
  public double failure() {
    return 0;
  }

  @Override
  public double logMoment(double order) {
    if (free) {
      return 0;
    }
    double extra =
        runs.match(this::perOrder, poisson -> poisson.mu() * delta(-Math.log1p(-1 / order)));
    return ofOne(order) + logMean + (order - 1) * extra;
  }

  /** Whole orders are quick; of the others as many as small orders need. */
  private static double[] knots() {
    return DoubleStream.concat(
            DoubleStream.of(1.25, 1.5, 1.75, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5),
            DoubleStream.of(RdpAccountant.defaultOrders())
                .filter(order -> order > 1.9 && order == Math.rint(order)))
        .sorted()
        .toArray();
  }

  private double[] moments() {
    if (moments == null) {
      moments =
          DoubleStream.of(KNOTS)
              .map(
                  order ->
                      candidates.stream()
                          .mapToDouble(curve -> curve.logMoment(order))
                          .max()
                          .orElseThrow())
              .toArray();
    }
    return moments;
  }

  /** The log moment of one run: it is convex and 0 at order 1, so a chord lies above it. */
  private double ofOne(double order) {
    int at = Arrays.binarySearch(KNOTS, order);
    if (at >= 0) {
      return moments()[at];
    }
    int next = -at - 1;
    if (next == KNOTS.length) {
      return Double.POSITIVE_INFINITY;
    }
    double below = next == 0 ? 1 : KNOTS[next - 1];
    double low = next == 0 ? 0 : moments()[next - 1];
    double high = moments()[next];
    return low == high ? low : low + (order - below) / (KNOTS[next] - below) * (high - low);
  }

  /** (1+η)·min (log moment + log(1/γ))/λ̂; the moment of λ̂ = 1 is 0. */
  private double perOrder(RandomRuns.NegativeBinomial law) {
    if (Double.isNaN(perOrder)) {
      double log = -Math.log(law.gamma());
      double least = log;
      for (int i = 0; i < KNOTS.length; i++) {
        least = Math.min(least, (moments()[i] + log) / KNOTS[i]);
      }
      perOrder = (1 + law.eta()) * least;
    }
    return perOrder;
  }

  /** δ of one run at ε̂: the conversion of {@link RdpAccountant}. */
  private double delta(double epsilon) {
    double least = 0;
    for (int i = 0; i < KNOTS.length; i++) {
      double order = KNOTS[i];
      least =
          Math.min(
              least,
              moments()[i] + (order - 1) * (Math.log1p(-1 / order) - epsilon) - Math.log(order));
    }
    return Math.max(Double.MIN_VALUE, Math.exp(least));
  }
}
