package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A unit whose gradient is not finite contributes nothing and spoils nothing. */
abstract class NonFiniteChecks extends EngineChecks {
  NonFiniteChecks(EngineKit kit) {
    super(kit);
  }

  private static final int COUNT = 12;
  private static final int[] BAD = {2, 7};

  /** What is no number, and what becomes none in this engine's arithmetic. */
  private float[] values() {
    float[] all = Arrays.copyOf(overflowing(), overflowing().length + 3);
    all[all.length - 3] = Float.NaN;
    all[all.length - 2] = Float.POSITIVE_INFINITY;
    all[all.length - 1] = Float.NEGATIVE_INFINITY;
    return all;
  }

  private static float[] inputs(Layout layout, Examples examples) {
    float[] inputs = new float[examples.size() * layout.input().size()];
    for (int e = 0; e < examples.size(); e++) {
      examples.input(e, inputs, e * layout.input().size());
    }
    return inputs;
  }

  /** The sum with bad units is that without them, whatever else is in their tile. */
  private void assertRefused(Trial bad, String what) {
    Trial gone = bad.without(BAD[1]).without(BAD[0]);
    for (Engine cut : fewCuts()) {
      if (passesOver(29)) {
        continue;
      }
      Trial.Answer with = bad.run(cut);
      Trial.Answer without = gone.run(cut);
      assertArrayEquals(without.sum().integers(), with.sum().integers(), what + ", " + cut);
      assertEquals(BAD.length, with.refused(), what + ", refused");
      assertEquals(0, without.refused());
      assertFalse(Arrays.stream(without.sum().integers()).allMatch(i -> i == 0));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1x1x9 | dense(3) loss=squared",
        "1x1x70 | dense(66) leakyrelu(0.5) dense(3) loss=squared",
        "1x1x9 | dense(20) leakyrelu(0.5) dropout(0.3) dense(3) loss=squared",
        "6x5x2 | conv(5,3,stride=2,pad=1) leakyrelu(0.5) dense(3) loss=squared",
        "6x5x2 | conv(17,3) maxpool(2) conv(3,1) globalavgpool loss=squared",
        "6x5x4 | projected(conv(6,3,pad=1,groups=2)) avgpool(2) dense(3) loss=squared",
        "6x5x2 | conv(4,3,standardised=true) dense(3) loss=squared"
      })
  void inputs(String shape, String network) {
    int[] sides = Arrays.stream(shape.split("x")).mapToInt(Integer::parseInt).toArray();
    Layout layout = Network.parse(network).on(new Shape(sides[0], sides[1], sides[2]));
    Examples good = Trial.examples(layout, COUNT, 3);
    float[] targets = new float[COUNT * layout.outputs()];
    for (int e = 0; e < COUNT; e++) {
      good.target(e, targets, e * layout.outputs());
    }
    int turn = 0;
    for (float value : values()) {
      float[] inputs = inputs(layout, good);
      for (int unit : BAD) {
        int size = layout.input().size();
        Arrays.fill(inputs, unit * size, (unit + 1) * size, value);
      }
      Examples examples = Examples.of(layout.input(), inputs, layout.outputs(), targets);
      ClippingRule clipping = Trial.RULES.get(turn++ % 3);
      for (double decay : new double[] {0, 1e-2, 5}) {
        UnitRule rule =
            Trial.rule(layout, clipping, Trial.Groups.values()[turn % 2], decay, Trial.Decayed.ALL);
        Trial trial = Trial.of(layout, rule, examples, Trial.thresholds(rule, 0.4));
        assertRefused(trial, value + ", decay " + decay);
      }
    }
  }

  @Test
  void oneValueAndOneTarget() {
    Layout layout =
        Network.parse("groupnorm(2) dense(8) layernorm relu dense(3) loss=squared")
            .on(new Shape(2, 3, 4));
    Examples good = Trial.examples(layout, COUNT, 3);
    float[] inputs = inputs(layout, good);
    float[] targets = new float[COUNT * 3];
    for (int e = 0; e < COUNT; e++) {
      good.target(e, targets, 3 * e);
    }
    inputs[BAD[0] * 24 + 5] = Float.NaN;
    targets[BAD[1] * 3 + 1] = Float.POSITIVE_INFINITY;
    UnitRule rule = UnitRule.flat(layout);
    assertRefused(
        Trial.of(layout, rule, Examples.of(layout.input(), inputs, 3, targets), 0.4), "norms");
  }

  /** Where numbers overflow: which example did it, the unit's sum does not tell. */
  @Test
  void anExampleAmongSeveralOfAUnit() {
    Layout layout =
        Network.parse("conv(4,2) leakyrelu(0.5) dense(3) loss=squared").on(new Shape(4, 4, 2));
    Examples good = Trial.examples(layout, 2 * COUNT, 3);
    float[] targets = new float[6 * COUNT];
    for (float value : overflowing()) {
      float[] inputs = inputs(layout, good);
      for (int unit : BAD) {
        Arrays.fill(inputs, (2 * unit + 1) * 32, (2 * unit + 2) * 32, value);
      }
      int[][] members = new int[COUNT][];
      long[] ids = new long[COUNT];
      for (int i = 0; i < COUNT; i++) {
        ids[i] = i;
        members[i] = new int[] {2 * i, 2 * i + 1};
      }
      Trial trial =
          Trial.of(
                  layout,
                  UnitRule.flat(layout),
                  Examples.of(layout.input(), inputs, 3, targets),
                  0.4)
              .with(Units.of(ids, members));
      assertRefused(trial, "several, " + value);
    }
  }

  /** A row of the table may not be finite. */
  @Test
  void aRowOfATable() {
    Layout layout =
        Network.parse("embedding(6,4) relu dense(3) loss=squared").on(new Shape(1, 5, 1));
    float[] tokens = new float[COUNT * 5];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = i * 7 % 5;
    }
    tokens[BAD[0] * 5 + 1] = 5;
    tokens[BAD[1] * 5 + 4] = 5;
    float[] targets = new float[COUNT * 3];
    Arrays.fill(targets, 0.5f);
    for (float value : values()) {
      float[] theta = Trial.parameters(layout, 1);
      Arrays.fill(theta, 5 * 4, 6 * 4, Math.abs(value));
      Trial trial =
          Trial.of(
                  layout,
                  UnitRule.flat(layout),
                  Examples.of(layout.input(), tokens, 3, targets),
                  0.4)
              .with(theta);
      assertRefused(trial, "row of " + value);
    }
  }

  /** An exception would tell of the row; and it would stop the run whenever the row is drawn. */
  @Test
  void whatIsNoTokenOrNoLabel() {
    Layout layout = Network.parse("embedding(6,4) relu dense(3)").on(new Shape(1, 5, 1));
    for (float value : new float[] {-1, 6, 2.5f, Float.NaN}) {
      float[] tokens = new float[COUNT * 5];
      float[] labels = new float[COUNT];
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] = i * 7 % 5;
      }
      tokens[BAD[0] * 5 + 3] = value;
      labels[BAD[1]] = value;
      Examples examples = Examples.of(layout.input(), tokens, 1, labels);
      assertRefused(Trial.of(layout, UnitRule.flat(layout), examples, 0.4), "token " + value);
    }
  }

  @Test
  void parametersThatAreNotFiniteGiveZeroNotNonsense() {
    Layout layout = Network.parse("conv(4,2) relu dense(3)").on(new Shape(4, 4, 2));
    for (double decay : new double[] {0, 1e-2}) {
      for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
        UnitRule rule =
            Trial.rule(layout, new ClippingRule.Flat(), Trial.Groups.ONE, decay, Trial.Decayed.ALL);
        float[] theta = Trial.parameters(layout, 1);
        theta[theta.length - 1] = value;
        Trial.Answer answer =
            Trial.of(layout, rule, Trial.examples(layout, COUNT, 3), 1).with(theta).run(engine());
        assertTrue(Arrays.stream(answer.sum().integers()).allMatch(i -> i == 0));
        assertEquals(COUNT, answer.refused());
      }
    }
  }
}
