package dev.discreet.accounting;

import static dev.discreet.accounting.internal.pairs.PairBounds.FREE;
import static dev.discreet.accounting.internal.pairs.PairBounds.unbounded;

import dev.discreet.accounting.internal.pairs.BoundedRangePair;
import dev.discreet.accounting.internal.pairs.DiscretePair;
import dev.discreet.accounting.internal.pairs.EstimatedNorm;
import dev.discreet.accounting.internal.pairs.GaussianPair;
import dev.discreet.accounting.internal.pairs.LaplacePair;
import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.PairBounds;
import dev.discreet.accounting.internal.pairs.PoissonReplacePair;
import dev.discreet.accounting.internal.pairs.RenyiConversion;
import dev.discreet.accounting.internal.pairs.SampledPair;
import dev.discreet.accounting.internal.pairs.TwoSidedPair;
import java.util.function.DoubleFunction;
import java.util.function.UnaryOperator;

/**
 * The dominating pairs of a mechanism, whose answer depends on these.
 *
 * @param relation which data sets are neighbours
 * @param sensitivity how many C a sum moves
 * @param group how many units differ, for mechanisms that state a guarantee between neighbours
 * @param sampling samples a pair, or leaves it as it is
 */
record DominatingPairs(
    Neighbouring relation, int sensitivity, int group, UnaryOperator<LossPair> sampling)
    implements MechanismVisitor<PairBounds> {

  static PairBounds of(Mechanism mechanism, Neighbouring relation) {
    return mechanism.accept(
        new DominatingPairs(relation, relation.sensitivity(), 1, UnaryOperator.identity()));
  }

  /** The one Gaussian that costs what several on one sample do; anything else as it is. */
  static Mechanism simplified(Mechanism mechanism) {
    return mechanism instanceof Mechanism.JointGaussian joint ? joint.combined() : mechanism;
  }

  private PairBounds ofInner(
      Mechanism mechanism, int moved, int units, UnaryOperator<LossPair> sampled) {
    return mechanism.accept(new DominatingPairs(relation, moved, units, sampled));
  }

  @Override
  public PairBounds visit(Mechanism.PoissonSampled sampled) {
    double rate = sampled.rate();
    if (rate == 0) {
      return FREE;
    }
    if (rate == 1 || relation == Neighbouring.ADD_REMOVE) {
      return ofInner(
          sampled.inner(), relation.sensitivity(), 1, pair -> SampledPair.of(pair, rate));
    }
    Mechanism inner = simplified(sampled.inner());
    if (!(inner instanceof Mechanism.AddedNoise)) {
      // Sampling amplifies a guarantee that compares a lot with the unit to the lot without it. A
      // guarantee between data sets of one size says nothing about these two, because the
      // mechanism may reveal the size of the lot.
      PairBounds plain = ofInner(inner, relation.sensitivity(), 1, pair -> pair);
      PairBounds lower =
          ofInner(inner, relation.sensitivity(), 1, pair -> SampledPair.of(pair, rate));
      return new PairBounds(plain.upper(), lower.attained(), plain.reason());
    }
    if (relation == Neighbouring.ZERO_OUT) {
      return ofInner(inner, 1, 1, pair -> SampledPair.of(pair, rate));
    }
    if (inner instanceof Mechanism.Gaussian gaussian && gaussian.noiseMultiplier() > 0) {
      return Double.isInfinite(gaussian.noiseMultiplier())
          ? FREE
          : PairBounds.exactly(new PoissonReplacePair(gaussian.noiseMultiplier(), rate));
    }
    return replaceInSample(inner, rate, 1, 1, rate);
  }

  /**
   * A lot of exactly m of N places.
   *
   * <p><b>Formal guarantee.</b> Under every relation the pair has to be two-sided. Where the data
   * have fewer units than declared, a unit more takes an empty place of a sample of the same size,
   * and so does one that is zeroed out. With q = m/N, A the lots that did not draw the place, B_x
   * those that drew it with the unit x, and B_0 those that drew it empty, the outputs are P =
   * (1−q)A + qB_x and Q = (1−q)A + qB_0. Each lot of A is one of B_x with x displaced by another
   * unit, so any two of A, B_x and B_0 are at most 2C (two steps between neighbours) apart. For e^ε
   * = a ≥ 1 advanced joint convexity (Balle, Barthe and Gaboardi 2018) gives H_a(P‖Q) ≤
   * q·H_{1+(a−1)/q} of that pair, the divergence of the sampled pair, and the same for H_a(Q‖P);
   * that is a bound for both signs of ε. Q alone never being the sum without the unit, its one side
   * does not bound the other: with A = B_x the pair is the reverse of the sampled one. With N units
   * or more, one more is drawn with probability m/(N+1) or less, and displaces another: the sampled
   * pair in its two directions, which the two-sided pair is above.
   */
  @Override
  public PairBounds visit(Mechanism.FixedSizeSampled sampled) {
    double rate = sampled.rate();
    if (rate == 0) {
      return FREE;
    }
    Mechanism inner = simplified(sampled.inner());
    if (inner instanceof Mechanism.EstimatedNormGaussian) {
      return unbounded(
          "a displaced unit has an estimated norm of its own, for which no bound is known");
    }
    if (relation != Neighbouring.ADD_REMOVE) {
      int differing = relation == Neighbouring.REPLACE_ONE ? 1 : 2;
      return replaceInSample(inner, rate, differing, relation.sensitivity(), rate);
    }
    // The data have as many units as declared and then one more, which is drawn with a rate a
    // little below m/N. A stated guarantee is attained in one step between neighbours, but perhaps
    // not in two.
    double oneMore = sampled.lotSize() / (sampled.units() + 1.0);
    return replaceInSample(inner, rate, 2, inner instanceof Mechanism.AddedNoise ? 2 : 1, oneMore);
  }

  /**
   * Both neighbours are samples of the same size: a drawn unit displaces another, which moves a sum
   * by 2C, and the sampled pair bounds them from both sides of ε = 0.
   *
   * @param attained how many C some data really move, drawn with the rate {@code attainedRate}
   */
  private PairBounds replaceInSample(
      Mechanism inner, double rate, int differing, int attained, double attainedRate) {
    PairBounds upper = ofInner(inner, 2, differing, pair -> SampledPair.of(pair, rate));
    if (upper.upper() == null) {
      return upper;
    }
    PairBounds lower = ofInner(inner, attained, 1, pair -> SampledPair.of(pair, attainedRate));
    LossPair pair = rate == 1 ? upper.upper() : new TwoSidedPair(upper.upper());
    return new PairBounds(pair, lower.attained(), "");
  }

  @Override
  public PairBounds visit(Mechanism.Gaussian gaussian) {
    return noise(
        gaussian.noiseMultiplier(), sensitivity, mu -> sampling.apply(new GaussianPair(mu)));
  }

  @Override
  public PairBounds visit(Mechanism.JointGaussian joint) {
    return visit(joint.combined());
  }

  @Override
  public PairBounds visit(Mechanism.EstimatedNormGaussian estimated) {
    if (sensitivity > 1) {
      return unbounded(
          "two replaced units have estimated norms of their own, for which no joint bound is"
              + " known");
    }
    PairBounds exact = visit(new Mechanism.Gaussian(estimated.noiseMultiplier()));
    return exact.upper() == null
        ? exact
        : EstimatedNorm.bounds(
            estimated.noiseMultiplier(), estimated.projections(), estimated.leastScale(), sampling);
  }

  @Override
  public PairBounds visit(Mechanism.Laplace laplace) {
    return noise(laplace.scale(), sensitivity, epsilon -> sampling.apply(new LaplacePair(epsilon)));
  }

  @Override
  public PairBounds visit(Mechanism.RandomizedResponse response) {
    double other = (1 - response.truth()) / (response.categories() - 1);
    if (response.truth() == 0 || other == 0) {
      return unbounded(
          "randomised response with truth probability "
              + Digits.exact(response.truth())
              + " reveals the answer");
    }
    LossPair pair = DiscretePair.response(response.truth(), response.categories());
    return group == 1 ? PairBounds.exactly(sampling.apply(pair)) : stated(group * pair.max(), 0);
  }

  @Override
  public PairBounds visit(Mechanism.Exponential exponential) {
    double range = group * exponential.epsilon();
    if (range == 0 || Double.isInfinite(range)) {
      return stated(range, 0);
    }
    return new PairBounds(
        sampling.apply(new BoundedRangePair(range)),
        sampling.apply(DiscretePair.approximate(range / 2, 0)),
        "");
  }

  @Override
  public PairBounds visit(Mechanism.PureDp pure) {
    return stated(group * pure.epsilon(), 0);
  }

  @Override
  public PairBounds visit(Mechanism.ApproximateDp approximate) {
    double epsilon = approximate.epsilon();
    double delta = approximate.delta() * (group == 1 ? 1 : 1 + Math.exp(epsilon));
    return stated(group * epsilon, Math.min(1, delta));
  }

  @Override
  public PairBounds visit(Mechanism.RenyiCurve curve) {
    return RenyiConversion.bounds(curve.orders(), curve.divergences());
  }

  @Override
  public PairBounds visit(Mechanism.BestOf best) {
    return unbounded("only Rényi bounds are known for the best of a random number of runs");
  }

  private static PairBounds noise(double scale, int sensitivity, DoubleFunction<LossPair> pair) {
    double ratio = sensitivity / scale;
    if (ratio == 0) {
      return FREE;
    }
    return Double.isInfinite(ratio)
        ? unbounded("there is no noise")
        : PairBounds.exactly(pair.apply(ratio));
  }

  /** Of what states (ε, δ) between neighbours. */
  private PairBounds stated(double epsilon, double delta) {
    if (epsilon == 0 && delta == 0) {
      return FREE;
    }
    return Double.isInfinite(epsilon)
        ? unbounded("an entry promises nothing (epsilon is infinite)")
        : PairBounds.exactly(sampling.apply(DiscretePair.approximate(epsilon, delta)));
  }
}
