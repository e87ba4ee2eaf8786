package dev.discreet.accounting;

import dev.discreet.accounting.internal.pairs.LogMoments;
import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.PairBounds;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/** Rényi divergences of one release, as log moments. */
interface RenyiMoments {

  /** Whether nothing of a unit can be seen. */
  boolean free();

  /** Why every divergence is infinite; empty where they are not. */
  String reason();

  /** The probability of an infinite loss, which no order sees; charged to δ directly. */
  double failure();

  /** (α−1)·D_α = log E_Q[(dP/dQ)^α], the worse of both directions, for α &gt; 1. */
  double logMoment(double order);

  /** The largest finite privacy loss; infinite where none is known. */
  double largestLoss();

  /**
   * By the pairs that dominate the mechanism, unless it states its divergences itself or only they
   * are known.
   */
  static RenyiMoments of(Mechanism mechanism, Neighbouring relation) {
    if (mechanism instanceof Mechanism.RenyiCurve curve) {
      return new OfCurve(curve);
    }
    return mechanism instanceof Mechanism.BestOf best
        ? new OfBest(best, relation)
        : new OfPair(mechanism, relation);
  }

  /** Of a stated curve. */
  record OfCurve(Mechanism.RenyiCurve curve) implements RenyiMoments {
    @Override
    public boolean free() {
      return curve.divergences().contains(0.0);
    }

    @Override
    public String reason() {
      return "";
    }

    @Override
    public double failure() {
      return 0;
    }

    @Override
    public double logMoment(double order) {
      return LogMoments.interpolated(curve.orders(), curve.divergences(), order);
    }

    @Override
    public double largestLoss() {
      return free() ? 0 : Double.POSITIVE_INFINITY;
    }
  }

  /** Of the pair that dominates a mechanism. */
  final class OfPair implements RenyiMoments {
    private final Mechanism mechanism;
    private final Neighbouring relation;
    private final PairBounds bounds;

    OfPair(Mechanism mechanism, Neighbouring relation) {
      this.mechanism = mechanism;
      this.relation = relation;
      this.bounds = DominatingPairs.of(mechanism, relation);
    }

    /** The pair that bounds the release; null where there is none or none is needed. */
    LossPair pair() {
      return bounds.upper();
    }

    @Override
    public boolean free() {
      return bounds.free() || trivial();
    }

    /** A pair whose only loss is 0. */
    private boolean trivial() {
      LossPair pair = pair();
      return pair != null && pair.min() == 0 && pair.max() == 0 && pair.infinity() == 0;
    }

    @Override
    public String reason() {
      return mechanism.unsampled() instanceof Mechanism.EstimatedNormGaussian && !bounds.free()
          ? "all Rényi divergences of a Gaussian with random sensitivity are infinite"
          : bounds.reason();
    }

    @Override
    public double failure() {
      return pair() == null ? 0 : pair().infinity();
    }

    @Override
    public double logMoment(double order) {
      LossPair pair = pair();
      if (pair == null) {
        return bounds.free() ? 0 : Double.POSITIVE_INFINITY;
      }
      return relation != Neighbouring.REPLACE_ONE
              && mechanism instanceof Mechanism.PoissonSampled sampled
              && sampled.rate() < 1
              && DominatingPairs.simplified(sampled.inner()) instanceof Mechanism.Gaussian gaussian
          ? LogMoments.sampledGaussian(pair, gaussian.noiseMultiplier(), sampled.rate(), order)
          : pair.logMoment(order);
    }

    @Override
    public double largestLoss() {
      return pair() == null
          ? bounds.free() ? 0 : Double.POSITIVE_INFINITY
          : LogMoments.largestLoss(pair());
    }
  }

  /**
   * Rényi divergences of the best of a random number of runs (Papernot and Steinke 2022, theorems 2
   * and 6). With f the generating function of K and q, q′ the probabilities of one event under one
   * run on either of two neighbours,
   *
   * <pre>(λ−1)·D_λ ≤ (λ−1)·D_λ(one run) + log max f′(q)^λ·f′(q′)^{1−λ}.</pre>
   *
   * <p>Negative binomial: f′(x) = E[K]·(γ/p)^{1+η} with p = 1 − (1−γ)x ≥ γ, and p, p′ are
   * probabilities of one event too, so p′ ≤ (p·e^ε̂)^{1−1/λ̂} for every order λ̂. That makes the
   * last term log E[K] + (λ−1)(1+η)((1−1/λ̂)·ε̂ + log(1/γ)/λ̂).
   *
   * <p>Poisson given that it is not 0: f′(x) = E[K]·e^{−μ(1−x)}, and 1−q′ ≤ e^ε̂(1−q) + δ̂. With
   * e^ε̂ = λ/(λ−1) the last term is log E[K] + (λ−1)·μ·δ̂. (The paper's K may be 0, and its bound
   * has log μ.)
   *
   * <p>Of several candidates a run is one, whichever: at each order the worst of them counts.
   */
  final class OfBest implements RenyiMoments {
    private static final double[] KNOTS = knots();

    private final RandomRuns runs;
    private final List<RdpAccountant.Curve> candidates;
    private final double logMean;
    private final boolean free;
    // The log moments of one run at the knots; computed when first asked for.
    private double[] moments;
    private double perOrder = Double.NaN;

    OfBest(Mechanism.BestOf best, Neighbouring relation) {
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

    @Override
    public double largestLoss() {
      return free ? 0 : Double.POSITIVE_INFINITY;
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
}
