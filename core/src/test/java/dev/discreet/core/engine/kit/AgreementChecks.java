package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine gives what the oracle gives, to single precision. */
abstract class AgreementChecks extends EngineChecks {
  AgreementChecks(EngineKit kit) {
    super(kit);
  }

  private static final double[] DECAYS = {0, 1e-4, 1e-2, 5};

  private static Layout layout(String network, String shape) {
    int[] sides = java.util.Arrays.stream(shape.split("x")).mapToInt(Integer::parseInt).toArray();
    return Network.parse(network).on(new Shape(sides[0], sides[1], sides[2]));
  }

  /** Norms under decay may be over by a relative 2⁻¹⁴, and sums be off by ten times as much. */
  private void close(Trial trial, Engine engine, String what) {
    double error = trial.error(engine);
    double allowed = trial.rule().decay() > 0 ? 10 * tolerance() : tolerance();
    assertTrue(error < allowed, what + ": off by " + error + " of the sum");
  }

  /** Every layer and loss, alone with what it needs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1x1x7 | dense(5)",
        "1x1x7 | dense(5,bias=false)",
        "1x1x70 | dense(66) relu dense(3)",
        "5x4x3 | dense(4) loss=logistic",
        "5x4x3 | dense(4) loss=squared",
        "5x4x3 | dense(4) loss=huber(0.7)",
        "7x5x3 | conv(17,3x2,stride=2x1,pad=1x0) flatten dense(3)",
        "7x5x3 | conv(4,3,bias=false) tanh conv(5,2,pad=1) flatten dense(3)",
        "6x6x4 | tanh conv(8,3,pad=1,groups=4) tanh conv(6,3,stride=2,groups=2) flatten dense(3)",
        "6x6x3 | conv(17,3,standardised=true) tanh conv(3,2,standardised=true,bias=false) dense(3)",
        "6x6x3 | conv(17,3) maxpool(3x2,stride=2x1,pad=1) flatten dense(3)",
        "6x6x3 | conv(17,3) avgpool(3x2,stride=2x1,pad=1) flatten dense(3)",
        "6x6x3 | conv(17,3) globalavgpool dense(3)",
        "1x1x9 | dense(33) leakyrelu(0.2) dense(3)",
        "1x1x9 | dense(33) elu(1.2) dense(3)",
        "1x1x9 | dense(33) gelu dense(3)",
        "1x1x9 | dense(33) sigmoid dense(3)",
        "1x1x9 | dense(33) temperedsigmoid(2,1.5,0.7) dense(3)",
        "1x1x9 | dense(33) dropout(0.5) dense(3)",
        "4x4x6 | conv(6,3,pad=1) groupnorm(3) relu flatten dense(3)",
        "4x4x6 | groupnorm(2) layernorm dense(3)",
        "1x7x1 | embedding(5,6) layernorm dense(3)",
        "4x4x6 | shift conv(5,3) tanh shift flatten dense(3)",
        "1x7x1 | embedding(3,17) globalavgpool dense(3)",
        "5x5x3 | residual(conv(3,3,pad=1) relu) flatten dense(3)",
        "5x5x3 | tanh residual(conv(3,3,pad=1) residual(tanh conv(3,1))) dense(3)",
        "5x5x3 | conv(4,1) projected(relu conv(17,3,stride=2,pad=1) groupnorm(1)) relu dense(3)",
        "5x5x3 | projected(conv(4,3,stride=2,pad=1)) dense(3)",
        // Small pieces of wrn(10,1).
        "6x6x3 | conv(4,3,pad=1,standardised=true) relu groupnorm(2) projected(conv(6,3,stride=2,"
            + "pad=1,standardised=true) relu groupnorm(3) conv(6,3,pad=1,standardised=true)) relu"
            + " groupnorm(3) globalavgpool dense(3)"
      })
  void everyLayerUnderEveryRule(String shape, String network) {
    Layout layout = layout(network, shape);
    Examples examples = Trial.examples(layout, 9, 2);
    int turn = 0;
    for (ClippingRule clipping : Trial.RULES) {
      for (double decay : DECAYS) {
        Trial.Groups groups = Trial.Groups.values()[turn++ % 3];
        if (passesOver(17)) {
          continue;
        }
        UnitRule rule =
            Trial.rule(layout, clipping, groups, decay, Trial.Decayed.values()[turn / 3 % 2]);
        Trial trial = Trial.of(layout, rule, examples, Trial.thresholds(rule, 0.7));
        close(trial, engine(), clipping + ", " + groups + ", decay " + decay);
      }
    }
    publicDoor(layout, examples, Trial.parameters(layout, 3));
  }

  /**
   * The whole network of De et al. 2022, as small as it gets, under the decay that it is hard for.
   */
  @Test
  void aWideResidualNetwork() {
    takesOneOf(7);
    Layout layout = Network.named("wrn(10,1)", 3).on(new Shape(8, 8, 3));
    UnitRule rule =
        Trial.rule(layout, new ClippingRule.Flat(), Trial.Groups.ONE, 1e-2, Trial.Decayed.WEIGHTS);
    Trial trial = Trial.of(layout, rule, Trial.examples(layout, 3, 2), 0.7);
    double error = trial.error(engine());
    assertTrue(error < 10 * tolerance(), "off by " + error);
  }

  private void publicDoor(Layout layout, Examples examples, float[] theta) {
    int[] chosen = {3, 0, 3, 7, 1, 2, 8};
    ReferenceEngine reference = new ReferenceEngine(layout, examples);
    double[] sum = new double[theta.length];
    double[] exact = new double[theta.length];
    reference.gradientSum(theta, chosen, exact);
    float[] outputs = reference.predict(theta, chosen);
    float[][] rows = reference.perExampleGradients(theta, chosen);
    float[] v = new float[theta.length];
    SplittableRandom dice = new SplittableRandom(theta.length);
    for (int i = 0; i < v.length; i++) {
      v[i] = (float) dice.nextGaussian();
    }
    double[] slopes = reference.directionalDerivatives(theta, chosen, v);
    for (Engine each : cuts()) {
      if (passesOver(9)) {
        continue;
      }
      try (PublicGradients engine = each.open(layout, examples)) {
        assertEquals(reference.loss(theta, chosen), engine.loss(theta, chosen), 1e-5);
        near(floats(outputs), floats(engine.predict(theta, chosen)), "outputs");
        // Twice, for buffers must not remember.
        for (int i = 0; i < 2; i++) {
          engine.gradientSum(theta, chosen, sum);
          near(exact, sum, "sum");
        }
        for (int i = 0; i < 2; i++) {
          double[] along = engine.directionalDerivatives(theta, chosen, v);
          for (int e = 0; e < along.length; e++) {
            double size = Math.max(1e-3, Trial.norm(floats(rows[e])));
            assertEquals(product(rows[e], v), slopes[e], 1e-5 * size, "reference " + e);
            assertEquals(slopes[e], along[e], 3e-5 * size, "slope " + e);
          }
        }
        float[][] found = engine.perExampleGradients(theta, chosen);
        for (int i = 0; i < rows.length; i++) {
          near(floats(rows[i]), floats(found[i]), "gradient " + i);
        }
      }
    }
  }

  private static double product(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static double[] floats(float[] values) {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
  }

  private void near(double[] expected, double[] found, String what) {
    assertEquals(expected.length, found.length);
    double[] difference = new double[expected.length];
    for (int i = 0; i < difference.length; i++) {
      difference[i] = expected[i] - found[i];
    }
    double error = Trial.norm(difference) / Math.max(1e-3, Trial.norm(expected));
    assertTrue(error < tolerance(), what + ": off by " + error);
  }

  /** Up to ten seeds a test, two hundred networks in all. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
  void randomNetworks(int ten) {
    takesOneOf(3);
    for (int seed = 10 * ten; seed < 10 * ten + (isThorough() ? 10 : 1); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Layout layout = RandomNetworks.layout(seed);
      double decay = DECAYS[random.nextInt(4)];
      UnitRule rule =
          Trial.rule(
              layout,
              Trial.RULES.get(random.nextInt(4)),
              Trial.Groups.values()[random.nextInt(layout.slices().size() > 1 ? 3 : 2)],
              decay,
              Trial.Decayed.values()[random.nextInt(2)]);
      Examples examples = Trial.examples(layout, 9, seed);
      Trial trial = Trial.of(layout, rule, examples, Trial.thresholds(rule, 0.4));
      if (rule.clipping() instanceof ClippingRule.Normalised && smallestNorm(trial) < 1e-3) {
        // Nothing but rounding errors, brought to length C: no two engines agree about those.
        continue;
      }
      Engine engine = cuts().get(random.nextInt(cuts().size()));
      close(trial, engine, "seed " + seed + ", " + layout.network() + " on " + layout.input());
      if (seed % 4 == 0) {
        publicDoor(layout, examples, trial.theta());
      }
    }
  }

  private static double smallestNorm(Trial trial) {
    return java.util.Arrays.stream(trial.exact().norms())
        .flatMapToDouble(java.util.Arrays::stream)
        .min()
        .orElse(0);
  }

  static List<ClippingRule> rules() {
    return Trial.RULES;
  }

  @ParameterizedTest
  @MethodSource("rules")
  void unitsOfNoneOneAndSeveralExamples(ClippingRule clipping) {
    Layout layout =
        layout("conv(5,3,pad=1) relu dropout(0.3) flatten dense(20) tanh dense(3)", "4x3x2");
    Examples examples = Trial.examples(layout, 30, 4);
    long[] ids = {7, 3, 11, 2, 30, 8, 1, 4};
    int[][] members = {
      {0}, {1, 2, 3}, {}, {4}, {5, 6}, IntStream.range(7, 24).toArray(), {24}, {25, 25}
    };
    for (double decay : DECAYS) {
      for (Trial.Groups groups : Trial.Groups.values()) {
        if (passesOver(11)) {
          continue;
        }
        UnitRule rule = Trial.rule(layout, clipping, groups, decay, Trial.Decayed.WEIGHTS);
        Trial trial =
            Trial.of(layout, rule, examples, Trial.thresholds(rule, 0.5))
                .with(Units.of(ids, members));
        close(trial, engine(), groups + ", decay " + decay);
      }
    }
  }

  @Test
  void dropoutIsTheSameMaskAndChangesWithTheRelease() {
    Layout layout = layout("dense(30) dropout(0.5) dense(3)", "1x1x5");
    UnitRule rule = UnitRule.flat(layout);
    Trial trial = Trial.of(layout, rule, Trial.examples(layout, 8, 2), 1);
    List<double[]> sums = new ArrayList<>();
    for (long release : new long[] {1, 2}) {
      Trial at = trial.withNoise(0, release);
      close(at, engine(), "release " + release);
      sums.add(at.run(engine()).values(layout.parameters()));
    }
    assertTrue(!java.util.Arrays.equals(sums.get(0), sums.get(1)));
  }

  /** A comparison that nothing can fail shows nothing. */
  @Test
  void oneWeightOffByAThousandthWouldBeSeen() {
    for (String network :
        List.of("conv(5,3) relu flatten dense(3)", "dense(20) tanh layernorm dense(3)")) {
      Layout layout = layout(network, "5x5x2");
      Trial trial = Trial.of(layout, UnitRule.flat(layout), Trial.examples(layout, 9, 2), 0.7);
      float[] theta = trial.theta().clone();
      theta[3] += 1e-3f;
      double[] exact = trial.exact().sum();
      double[] off = trial.with(theta).run(engine()).values(layout.parameters());
      double distance = 0;
      for (int i = 0; i < off.length; i++) {
        distance = Math.hypot(distance, off[i] - exact[i]);
      }
      double error = distance / Trial.norm(exact);
      assertTrue(error > 2 * tolerance(), "only " + error);
    }
  }
}
