package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.ADD_REMOVE;
import static dev.discreet.accounting.Neighbouring.REPLACE_ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.Mechanism.Exponential;
import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.JointGaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import dev.discreet.accounting.internal.pairs.DivergenceTest;
import dev.discreet.accounting.internal.pairs.GaussianPair;
import dev.discreet.accounting.internal.pairs.LaplacePair;
import dev.discreet.accounting.internal.pairs.LossPair;
import dev.discreet.accounting.internal.pairs.PairBounds;
import dev.discreet.accounting.internal.pairs.PoissonReplacePair;
import dev.discreet.accounting.internal.pairs.SampledPair;
import dev.discreet.accounting.internal.pairs.TwoSidedPair;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which pair bounds which mechanism, and that what is attained is never above it. */
class DominatingPairsTest {

  static Stream<Arguments> mechanisms() {
    List<Mechanism> plain =
        List.of(
            new Gaussian(1.5),
            new JointGaussian(List.of(2.0, 3.0)),
            new Laplace(0.8),
            new RandomizedResponse(0.6, 3),
            new Exponential(0.7),
            new PureDp(0.4),
            new ApproximateDp(0.4, 0.01),
            new EstimatedNormGaussian(3, 30));
    List<Arguments> all = new ArrayList<>();
    for (Mechanism mechanism : plain) {
      for (Neighbouring relation : Neighbouring.values()) {
        all.add(Arguments.of(mechanism, relation));
        all.add(Arguments.of(new PoissonSampled(0.3, mechanism), relation));
        all.add(Arguments.of(new FixedSizeSampled(3, 10, mechanism), relation));
        all.add(Arguments.of(new FixedSizeSampled(10, 10, mechanism), relation));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("mechanisms")
  void whatIsAttainedIsDominated(Mechanism mechanism, Neighbouring relation) {
    PairBounds known = DominatingPairs.of(mechanism, relation);
    if (!known.bounded()) {
      assertNull(known.upper());
      assertTrue(known.reason().contains("estimated norm"), known.reason());
      return;
    }
    for (double epsilon : new double[] {0, 0.05, 0.2, 0.5, 1, 2, 4}) {
      double upper = worse(known.upper(), epsilon);
      double attained = worse(known.attained(), epsilon);
      assertTrue(
          attained <= upper + 1e-9, attained + " is above " + upper + " at epsilon " + epsilon);
    }
  }

  private static double worse(LossPair pair, double epsilon) {
    return Math.max(
        DivergenceTest.divergence(pair, epsilon),
        DivergenceTest.divergence(pair.reversed(), epsilon));
  }

  /** Sampling never costs more than not sampling. */
  @ParameterizedTest
  @MethodSource("mechanisms")
  void samplingHelps(Mechanism mechanism, Neighbouring relation) {
    if (!(mechanism instanceof PoissonSampled sampled) || sampled.rate() == 1) {
      return;
    }
    PairBounds all = DominatingPairs.of(sampled.inner(), relation);
    PairBounds some = DominatingPairs.of(mechanism, relation);
    for (double epsilon : new double[] {0, 0.1, 0.5, 2}) {
      if (all.bounded()) {
        assertTrue(worse(some.upper(), epsilon) <= worse(all.upper(), epsilon) + 1e-9);
      }
    }
  }

  @Test
  void additiveNoise() {
    assertEquals(new GaussianPair(0.5), DominatingPairs.of(new Gaussian(2), ADD_REMOVE).upper());
    assertEquals(new GaussianPair(1), DominatingPairs.of(new Gaussian(2), REPLACE_ONE).upper());
    assertEquals(new LaplacePair(0.5), DominatingPairs.of(new Laplace(2), ADD_REMOVE).upper());
    assertEquals(new LaplacePair(1), DominatingPairs.of(new Laplace(2), REPLACE_ONE).upper());
    assertEquals(
        new SampledPair(new GaussianPair(0.5), 0.1),
        DominatingPairs.of(new PoissonSampled(0.1, new Gaussian(2)), ADD_REMOVE).upper());
    PairBounds fixedSize =
        DominatingPairs.of(new FixedSizeSampled(1, 10, new Gaussian(2)), ADD_REMOVE);
    assertEquals(new TwoSidedPair(new SampledPair(new GaussianPair(1), 0.1)), fixedSize.upper());
    // Ten units and an eleventh, which one lot in eleven draws.
    assertEquals(new SampledPair(new GaussianPair(1), 1 / 11.0), fixedSize.attained());
    assertEquals(
        new PoissonReplacePair(2, 0.1),
        DominatingPairs.of(new PoissonSampled(0.1, new Gaussian(2)), REPLACE_ONE).upper());
    assertEquals(
        new GaussianPair(1),
        DominatingPairs.of(new PoissonSampled(1, new Gaussian(2)), REPLACE_ONE).upper());
  }

  @Test
  void freeAndUnbounded() {
    assertTrue(DominatingPairs.of(new PoissonSampled(0, new Gaussian(0)), ADD_REMOVE).free());
    assertTrue(DominatingPairs.of(new Gaussian(Double.POSITIVE_INFINITY), ADD_REMOVE).free());
    PairBounds bare = DominatingPairs.of(new Gaussian(0), ADD_REMOVE);
    assertFalse(bare.free());
    assertFalse(bare.bounded());
    assertEquals("there is no noise", bare.reason());
    PairBounds honest = DominatingPairs.of(new RandomizedResponse(1, 3), ADD_REMOVE);
    assertTrue(honest.reason().contains("reveals the answer"), honest.reason());
    PairBounds empty = DominatingPairs.of(new PureDp(Double.POSITIVE_INFINITY), ADD_REMOVE);
    assertTrue(empty.reason().contains("promises nothing"), empty.reason());
  }
}
