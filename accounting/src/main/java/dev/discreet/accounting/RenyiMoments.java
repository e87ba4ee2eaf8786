package dev.discreet.accounting;

import dev.discreet.accounting.internal.pairs.LogMoments;
import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.PairBounds;

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

  /**
   * By the pairs that dominate the mechanism, unless it states its divergences itself or only they
   * are known.
   */
  static RenyiMoments of(Mechanism mechanism, Neighbouring relation) {
    if (mechanism instanceof Mechanism.RenyiCurve curve) {
      return new OfCurve(curve);
    }
    return mechanism instanceof Mechanism.BestOf best
        ? new BestOfMoments(best, relation)
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
  }
}
