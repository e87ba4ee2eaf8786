package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Features that nobody trained, before layers that somebody does. */
abstract class ScatteringChecks extends EngineChecks {
  /**
   * How far what follows may be off. Features are rounded to half precision, and one that lies
   * between two halves may be rounded to either.
   */
  private static final double TOLERANCE = 2e-4;

  private static final int COUNT = 6;

  ScatteringChecks(EngineKit kit) {
    super(kit);
  }

  @BeforeEach
  void areTaken() {
    if (!takesScattering()) {
      Layout layout = layout("scattering(1,3) flatten dense(3)", "4x6x1");
      Trial trial = Trial.of(layout, UnitRule.flat(layout), Trial.examples(layout, COUNT, 2), 0.7);
      trial.open(engine());
      fail("must be refused by name");
    }
  }

  private static Layout layout(String network, String shape) {
    return Network.parse(network).on(Shape.parse(shape));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4x6x1 | scattering(1,3) flatten dense(3)",
        "6x4x2 | scattering(1,5,together=3) conv(4,2) relu flatten dense(3)",
        "8x12x1 | scattering(2,2,together=3) flatten dense(3)",
        "8x12x1 | scattering(2,2,together=3) shift flatten dense(3)",
        "16x16x1 | scattering(3,1,together=1) flatten dense(3)",
      })
  void agrees(String shape, String network) {
    takesOneOf(3);
    Layout layout = layout(network, shape);
    Examples examples = Trial.examples(layout, COUNT, 2);
    Trial trial = Trial.of(layout, UnitRule.flat(layout), examples, 0.7);
    for (Engine cut : fewCuts()) {
      double error = trial.error(cut);
      assertTrue(error < TOLERANCE, cut + ": off by " + error);
      outputs(layout, examples, trial.theta(), cut);
    }
  }

  private static void outputs(Layout layout, Examples examples, float[] theta, Engine engine) {
    int[] chosen = {3, 0, 3, 5};
    try (PublicGradients found = engine.open(layout, examples)) {
      ReferenceEngine reference = new ReferenceEngine(layout, examples);
      float[] expected = reference.predict(theta, chosen);
      assertArrayEquals(expected, found.predict(theta, chosen), 2e-3f);
      assertEquals(reference.loss(theta, chosen), found.loss(theta, chosen), 2e-3);
    }
  }

  /** A comparison that nothing can fail shows nothing: the same filters in another order. */
  @Test
  void featuresThatAreGroupedOtherwiseWouldBeSeen() {
    Layout layout = layout("scattering(2,2,together=3) flatten dense(3)", "8x8x1");
    Layout other = layout("scattering(2,2,together=9) flatten dense(3)", "8x8x1");
    Trial trial = Trial.of(layout, UnitRule.flat(layout), Trial.examples(layout, COUNT, 2), 0.7);
    Trial off = Trial.of(other, UnitRule.flat(other), trial.examples(), 0.7);
    double[] exact = trial.exact().sum();
    double[] found = off.run(engine()).values(layout.parameters());
    double distance = 0;
    for (int i = 0; i < found.length; i++) {
      distance = Math.hypot(distance, found[i] - exact[i]);
    }
    assertTrue(distance / Trial.norm(exact) > 10 * TOLERANCE);
  }

  @Test
  void sameBitsWhateverTheCutAndNoMoreThanOneUnitMoves() {
    Layout layout = layout("scattering(2,2,together=3) flatten dense(3)", "8x8x1");
    Trial trial = Trial.of(layout, UnitRule.flat(layout), Trial.examples(layout, COUNT, 3), 0.7);
    Trial.Answer whole = trial.run(engine());
    for (Engine cut : fewCuts()) {
      assertArrayEquals(whole.sum().integers(), trial.run(cut).sum().integers(), cut.toString());
    }
    Trial.assertWithin(whole.sum(), trial.without(2).run(engine()).sum(), "one unit less");
  }

  @Test
  void anImageThatCannotBeReadAddsNothing() {
    Layout layout = layout("scattering(1,2,together=3) flatten dense(3)", "4x4x1");
    Examples good = Trial.examples(layout, COUNT, 4);
    Trial trial = Trial.of(layout, UnitRule.flat(layout), good, 0.7);
    Trial.Answer without = trial.without(2).run(engine());
    for (float bad : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      float[] pixels = new float[COUNT * 16];
      float[] labels = new float[COUNT];
      for (int i = 0; i < COUNT; i++) {
        good.input(i, pixels, i * 16);
        good.target(i, labels, i);
      }
      pixels[2 * 16 + 5] = bad;
      Trial.Answer found = trial.with(Examples.of(layout.input(), pixels, 1, labels)).run(engine());
      assertArrayEquals(without.sum().integers(), found.sum().integers());
      assertEquals(1, found.refused());
    }
  }
}
