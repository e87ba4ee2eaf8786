package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.engine.reference.ReferenceSource;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clipping by norms that random projections estimate. */
abstract class EstimatedNormChecks extends EngineChecks {
  EstimatedNormChecks(EngineKit kit) {
    super(kit);
  }

  @BeforeEach
  void areTaken() {
    ClippingRule estimated = new ClippingRule.Estimated(3);
    if (!takes(estimated)) {
      Layout layout = layout("dense(3)", Shape.vector(2));
      Trial trial = Trial.of(layout, rule(layout, 3, false), Trial.examples(layout, 5, 1), 1);
      trial.open(engine());
      fail("must be refused by name");
    }
  }

  /** One group; with {@code frozen}, every third slice but the first keeps its parameters. */
  static UnitRule rule(Layout layout, int projections, boolean frozen) {
    int[] group = new int[layout.slices().size()];
    for (int s = 1; frozen && s < group.length; s += 3) {
      group[s] = -1;
    }
    return new UnitRule(
        new ClippingRule.Estimated(projections), group, 0, new boolean[group.length]);
  }

  static Layout layout(String network, Shape shape) {
    return Network.parse(network).on(shape);
  }

  /**
   * The reference's estimates come from forward mode in double precision; the engine's are larger
   * by the bounds on their roundings, which grow with a layer's inputs: to 0.4% for a thousand.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void agreesWithTheReference(int ten) {
    takesOneOf(5);
    for (int seed = 5 * ten; seed < 5 * ten + (isThorough() ? 5 : 1); seed++) {
      Layout layout = RandomNetworks.layout(seed);
      UnitRule rule = rule(layout, 5, seed % 2 == 1);
      Trial trial = Trial.of(layout, rule, Trial.examples(layout, 9, seed), 0.3);
      double error = trial.error(cuts().get(seed % cuts().size()));
      assertTrue(error < 6e-3, "seed " + seed + ", " + layout.network() + ": off by " + error);
    }
  }

  /** Layers below the lowest that trains have no δ; what is estimated is without them. */
  @Test
  void agreesWhereTheLowestLayersAreFrozen() {
    Layout layout = layout("conv(5,2) tanh flatten dense(20) tanh dense(4)", new Shape(4, 4, 2));
    int[] group = new int[layout.slices().size()];
    Arrays.fill(group, 0, 4, -1);
    UnitRule rule =
        new UnitRule(new ClippingRule.Estimated(5), group, 0, new boolean[group.length]);
    Trial trial = Trial.of(layout, rule, Trial.examples(layout, 9, 2), 0.05);
    double error = trial.error(engine());
    assertTrue(error < 6e-3, "off by " + error);
  }

  /** A step whose threshold is below the run's largest has a finer grid, with room for the cut. */
  @Test
  void fallingThresholdsKeepRoundingsSmall() {
    Layout layout = layout("conv(5,2) tanh flatten dense(4)", new Shape(4, 4, 2));
    UnitRule rule = rule(layout, 5, false);
    Trial trial = Trial.of(layout, rule, Trial.examples(layout, 9, 1), 0.05);
    ClippedSum expected = trial.run(engine()).sum();
    ClippedSum found = trial.with(Trial.grid(3, 13, 4000)).run(engine()).sum();
    assertEquals(expected.exponent(), found.exponent());
    assertArrayEquals(expected.sensitivities(), found.sensitivities());
    assertArrayEquals(expected.integers(), found.integers());
  }

  @Test
  void sameBitsOnAnyNumberOfThreadsAndTiles() {
    Layout layout = layout("conv(5,2) relu flatten dense(20) tanh dense(4)", new Shape(4, 4, 2));
    Trial trial = Trial.of(layout, rule(layout, 5, false), Trial.examples(layout, 50, 1), 0.5);
    long[] expected = trial.run(engine()).sum().integers();
    for (Engine cut : cuts()) {
      assertArrayEquals(expected, trial.run(cut).sum().integers(), cut.toString());
    }
  }

  /**
   * s of each unit: how much longer than C what it adds may be, from gradients and directions that
   * the engine has no part in.
   */
  static double scale(Trial trial, int unit) {
    ReferenceEngine reference = new ReferenceEngine(trial.layout(), trial.examples());
    double[] g = reference.unitGradient(trial.rule(), trial.units(), unit, trial.request());
    int r = ((ClippingRule.Estimated) trial.rule().clipping()).projections();
    double sum = 0;
    for (int j = 0; j < r; j++) {
      float[] v = new float[g.length];
      trial.request().key().direction(trial.release(), j, v);
      double p = 0;
      for (int i = 0; i < g.length; i++) {
        p += g[i] * v[i];
      }
      sum += p * p;
    }
    return Math.sqrt(r / sum) * Trial.norm(g);
  }

  private static double moved(ClippedSum a, ClippedSum b) {
    double steps = Math.sqrt(Trial.squaredDistance(a, b, 0).doubleValue());
    return Math.scalb(steps, a.exponent());
  }

  /**
   * A unit moves the sum by at most max(s, least) sensitivities, and nearly by that: neither the
   * bound nor what is clipped to it can be off by 2.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.01", "2, 0.01", "5, 0.01", "30, 0.01", "30, 0.3"})
  void aUnitMovesTheSumByItsRandomSensitivity(int projections, double threshold) {
    takesOneOf(5);
    Layout layout = layout("conv(5,2) tanh flatten dense(20) tanh dense(4)", new Shape(4, 4, 2));
    UnitRule rule = rule(layout, projections, false);
    double least = new EstimatedNormGaussian(1, projections).leastScale();
    Trial trial = Trial.of(layout, rule, Trial.examples(layout, 12, 3), threshold);
    double largest = 0;
    int cut = 0;
    for (long release = 0; release < 5; release++) {
      Trial at = trial.withNoise(0, release);
      ClippedSum all = at.run(engine()).sum();
      for (int gone = 0; gone < 12; gone += 3) {
        double distance = moved(all, at.without(gone).run(engine()).sum());
        double s = scale(at, gone);
        double bound = Math.max(s, least) * all.sensitivities()[0];
        assertTrue(distance <= bound, distance + " > " + bound + " for s = " + s);
        double rounding = all.sensitivities()[0] - threshold;
        assertTrue(distance <= 4 * threshold + rounding, "cut: " + distance);
        cut += s > 4 ? 1 : 0;
        largest = Math.max(largest, distance / bound);
      }
    }
    assertTrue(largest > 0.95, "the most used share of the bound is " + largest);
    assertTrue(largest <= 1);
    assertTrue(projections > 1 || cut > 0, "cuts were met: " + cut);
  }

  /** With most names' worth of rounding the sensitivity stays within a few percent of C. */
  @Test
  void roundingStaysSmall() {
    for (String name : new String[] {"mnist-cnn", "mlp(1000)"}) {
      Layout layout = Network.named(name, 10).on(new Shape(28, 28, 1));
      double per = engine().unitsPerChunk(layout);
      Grid grid = Grid.of(600, per, 4);
      double bound = new ClippingRule.Estimated(30).sensitivity(grid, 1, 1, layout.parameters());
      assertTrue(bound > 1 && bound < 1.06, name + ": " + bound);
    }
  }

  @Test
  void unitsThatAreNoNumbersAddNothing() {
    Layout layout = layout("dense(3)", Shape.vector(2));
    float[] inputs = {1, 2, Float.NaN, 1, 1e38f, 1e38f, 0, 0};
    Examples set = Examples.of(Shape.vector(2), inputs, 1, new float[4]);
    Trial trial = Trial.of(layout, rule(layout, 3, false), set, 1);
    Trial.Answer answer = trial.run(engine());
    assertTrue(answer.refused() >= 1 && answer.refused() <= 2, "refused " + answer.refused());
    for (double value : answer.values(layout.parameters())) {
      assertTrue(Math.abs(value) < 20, "a value of " + value);
    }
  }

  @Test
  void theReferenceSourceStatesTheSameSensitivity() {
    Layout layout = layout("dense(5) tanh dense(3)", Shape.vector(4));
    Trial trial = Trial.of(layout, rule(layout, 3, false), Trial.examples(layout, 9, 1), 0.1);
    ReferenceSource source =
        new ReferenceSource(
            layout,
            trial.examples(),
            trial.units(),
            new Sampler.Poisson(1, 9),
            trial.rule(),
            trial.grid());
    ClippedSum expected = source.clippedSum(trial.request());
    ClippedSum found = trial.run(engine()).sum();
    assertArrayEquals(expected.sensitivities(), found.sensitivities());
    assertEquals(0, moved(expected, found), 1e-3 * 0.9);
  }

  @Test
  void whatHasNoBoundIsRefused() {
    Layout layout = layout("dense(5) tanh dense(3)", Shape.vector(4));
    int slices = layout.slices().size();
    ClippingRule estimated = new ClippingRule.Estimated(3);
    refused(
        "weight decay before clipping must be 0 where norms are estimated. Provided value: 0.1",
        () -> new UnitRule(estimated, new int[slices], 0.1, new boolean[slices]));
    refused(
        "clipping groups must be 1 where norms are estimated. Provided value: 4",
        () -> Trial.rule(layout, estimated, Trial.Groups.EACH, 0, Trial.Decayed.ALL));
    refused(
        "counts of norms must be absent where norms are estimated. Provided value: true",
        () -> new UnitRule(estimated, new int[slices], 0, new boolean[slices], true));
    refused(
        "projections must be in [1, 4096]. Provided value: 0", () -> new ClippingRule.Estimated(0));
    Trial trial = Trial.of(layout, rule(layout, 3, false), Trial.examples(layout, 9, 1), 0.1);
    refused(
        "examples of a unit must be 1 where norms are estimated. Provided value: 2",
        () -> trial.with(Units.of(new long[] {1}, new int[][] {{0, 1}})).run(engine()));
    refused(
        "noise before clipping must be 0 where norms are estimated. Provided value: 0.5",
        () -> trial.withNoise(0.5, 1).run(engine()));
    // A unit without examples adds nothing.
    Trial empty = trial.with(Units.of(new long[] {1}, new int[][] {{}}));
    assertTrue(Arrays.stream(empty.run(engine()).sum().integers()).allMatch(i -> i == 0));
    try (GradientSource source = trial.open(engine())) {
      assertEquals(0, source.refusedUnits());
    }
  }

  private static void refused(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }
}
