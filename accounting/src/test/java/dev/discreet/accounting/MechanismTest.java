package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import dev.discreet.accounting.Mechanism.RenyiCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MechanismTest {
  private static final Gaussian GAUSSIAN = new Gaussian(1);
  private static final RenyiCurve CURVE = new RenyiCurve(List.of(2.0), List.of(1.0));

  private static Arguments refusal(String message, Executable call) {
    return arguments(message, call);
  }

  static Stream<Arguments> refusals() {
    PoissonSampled sampled = new PoissonSampled(0.5, GAUSSIAN);
    FixedSizeSampled fixed = new FixedSizeSampled(1, 2, GAUSSIAN);
    String unsampled =
        "sampled mechanism must be unsampled and not a bare Rényi curve. Provided value: ";
    return Stream.of(
        refusal("noise multiplier must be at least 0. Provided value: -1", () -> new Gaussian(-1)),
        refusal(
            "noise multiplier must be at least 0. Provided value: -0.5", () -> new Gaussian(-0.5)),
        refusal(
            "noise multiplier must be at least 0. Provided value: NaN",
            () -> new Gaussian(Double.NaN)),
        refusal(
            "noise multipliers must be at least one. Provided value: none",
            () -> new JointGaussian(List.of())),
        refusal(
            "noise multiplier must be at least 0. Provided value: -2",
            () -> new JointGaussian(List.of(1.0, -2.0))),
        refusal(
            "noise multiplier must be at least 0. Provided value: NaN",
            () -> new EstimatedNormGaussian(Double.NaN, 1)),
        refusal(
            "projections must be at least 1. Provided value: 0",
            () -> new EstimatedNormGaussian(1, 0)),
        refusal("Laplace scale must be at least 0. Provided value: -3", () -> new Laplace(-3)),
        refusal(
            "categories must be at least 2. Provided value: 1",
            () -> new RandomizedResponse(0.5, 1)),
        refusal(
            "truth probability must be in [0, 1]. Provided value: 1.5",
            () -> new RandomizedResponse(1.5, 2)),
        refusal(
            "epsilon must be at least 0. Provided value: -1",
            () -> RandomizedResponse.ofEpsilon(-1)),
        refusal(
            "epsilon must be at least 0. Provided value: NaN", () -> new Exponential(Double.NaN)),
        refusal("epsilon must be at least 0. Provided value: -0.1", () -> new PureDp(-0.1)),
        refusal("epsilon must be at least 0. Provided value: -1", () -> new ApproximateDp(-1, 0)),
        refusal("delta must be in [0, 1]. Provided value: 2", () -> new ApproximateDp(1, 2)),
        refusal(
            "delta must be in [0, 1]. Provided value: NaN", () -> new ApproximateDp(1, Double.NaN)),
        refusal(
            "orders must be at least one. Provided value: none",
            () -> new RenyiCurve(List.of(), List.of())),
        refusal(
            "divergences must be as many as orders. Provided value: 1",
            () -> new RenyiCurve(List.of(2.0, 3.0), List.of(1.0))),
        refusal(
            "orders must be rising, finite and above 1. Provided value: 0.5",
            () -> new RenyiCurve(List.of(0.5), List.of(1.0))),
        refusal(
            "orders must be rising, finite and above 1. Provided value: 2.5",
            () -> new RenyiCurve(List.of(3.5, 2.5), List.of(1.0, 1.0))),
        refusal(
            "orders must be rising, finite and above 1. Provided value: Infinity",
            () -> new RenyiCurve(List.of(Double.POSITIVE_INFINITY), List.of(1.0))),
        refusal(
            "divergence must be at least 0. Provided value: -1",
            () -> new RenyiCurve(List.of(2.0), List.of(-1.0))),
        refusal(
            "sampling rate must be in [0, 1]. Provided value: 1.5",
            () -> new PoissonSampled(1.5, GAUSSIAN)),
        refusal(
            "sampling rate must be in [0, 1]. Provided value: -0.1",
            () -> new PoissonSampled(-0.1, GAUSSIAN)),
        refusal(
            "sampling rate must be in [0, 1]. Provided value: NaN",
            () -> new PoissonSampled(Double.NaN, GAUSSIAN)),
        refusal(
            "units must be at least 1. Provided value: 0",
            () -> new FixedSizeSampled(0, 0, GAUSSIAN)),
        refusal(
            "lot size must be in [0, 10]. Provided value: 11",
            () -> new FixedSizeSampled(11, 10, GAUSSIAN)),
        refusal(
            "lot size must be in [0, 10]. Provided value: -1",
            () -> new FixedSizeSampled(-1, 10, GAUSSIAN)),
        refusal(unsampled + sampled, () -> new FixedSizeSampled(1, 2, sampled)),
        refusal(unsampled + fixed, () -> new PoissonSampled(0.5, fixed)),
        refusal(unsampled + CURVE, () -> new PoissonSampled(0.5, CURVE)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void refusesWithTheOffendingValue(String message, Executable call) {
    Expect.refused(message, call);
    assertTrue(message.matches("(?s).+ must be .+\\. Provided value: .+"), message);
  }

  @Test
  void nothingCannotBeSampled() {
    assertThrows(IllegalArgumentException.class, () -> new PoissonSampled(0.5, null));
    assertThrows(IllegalArgumentException.class, () -> new FixedSizeSampled(1, 2, null));
  }

  @Test
  void edgesOfTheRangesAreAllowed() {
    assertEquals(0, new Gaussian(0).noiseMultiplier());
    assertEquals(
        Double.POSITIVE_INFINITY, new Gaussian(Double.POSITIVE_INFINITY).noiseMultiplier());
    assertEquals(1, new PoissonSampled(1, GAUSSIAN).rate());
    assertEquals(0, new FixedSizeSampled(0, 10, GAUSSIAN).rate());
    assertEquals(0.3, new FixedSizeSampled(3, 10, GAUSSIAN).rate());
    assertEquals(1, new ApproximateDp(Double.POSITIVE_INFINITY, 1).delta());
  }

  @Test
  void listsAreCopied() {
    List<Double> sigmas = new ArrayList<>(List.of(1.0, 2.0));
    JointGaussian joint = new JointGaussian(sigmas);
    sigmas.set(0, 1e9);
    assertEquals(List.of(1.0, 2.0), joint.noiseMultipliers());
    assertThrows(UnsupportedOperationException.class, () -> joint.noiseMultipliers().set(0, 1e9));

    List<Double> divergences = new ArrayList<>(List.of(1.0));
    RenyiCurve curve = new RenyiCurve(List.of(2.0), divergences);
    divergences.set(0, 0.0);
    assertEquals(List.of(1.0), curve.divergences());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 1, 5, 10})
  void binaryResponseHasTheEpsilonAskedFor(double epsilon) {
    RandomizedResponse response = RandomizedResponse.ofEpsilon(epsilon);
    assertEquals(2, response.categories());
    assertEquals(epsilon, Math.log(response.truth() / (1 - response.truth())), 1e-11);
  }

  /** A probability near 1 has few digits; what it lacks is on the safe side. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-17, 1e-10, 0.3, 7, 16, 20.5, 25, 30, 33.3, 36.9, 50, 1e300})
  void binaryResponseIsNeverCheaperThanAskedFor(double epsilon) {
    Ledger ledger = Ledgers.addRemove(RandomizedResponse.ofEpsilon(epsilon), 1);
    double found = TheoremAccountant.sequential().epsilon(ledger, 0).epsilon();
    assertTrue(found >= epsilon, found + " is below " + epsilon);
    assertTrue(epsilon > 30 || found <= epsilon + 1e-15 + 1.2e-16 * Math.exp(epsilon), found + "");
  }

  @Test
  void jointGaussianIsOneGaussianOfTheSummedPrecision() {
    assertEquals(2.5, new JointGaussian(List.of(2.5)).combined().noiseMultiplier(), 1e-15);
    assertEquals(1, new JointGaussian(List.of(2.0, 2.0, 2.0, 2.0)).combined().noiseMultiplier());
    // 1/9 + 1/16 = (5/12)²
    assertEquals(2.4, new JointGaussian(List.of(3.0, 4.0)).combined().noiseMultiplier(), 1e-15);
    // Squares that leave the range of a double.
    assertEquals(
        3e200, new JointGaussian(List.of(5e200, 3.75e200)).combined().noiseMultiplier(), 1e186);
    assertEquals(
        3e-200, new JointGaussian(List.of(5e-200, 3.75e-200)).combined().noiseMultiplier(), 1e-214);
    // A release without noise spoils all, one with infinite noise none.
    assertEquals(0, new JointGaussian(List.of(3.0, 0.0)).combined().noiseMultiplier());
    assertEquals(
        3,
        new JointGaussian(List.of(3.0, Double.POSITIVE_INFINITY)).combined().noiseMultiplier(),
        1e-15);
  }
}
