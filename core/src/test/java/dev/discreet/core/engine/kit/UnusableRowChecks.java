package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.ExactSum;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An example that cannot be used counts as zero, touches no other, and no exception tells. */
abstract class UnusableRowChecks extends EngineChecks {
  UnusableRowChecks(EngineKit kit) {
    super(kit);
  }

  private static final int COUNT = 12;
  private static final int[] BAD = {2, 7};

  /** Zero at its bend, so that something that is no number could hide behind it. */
  private static final Layout LAYOUT =
      Network.parse("conv(4,2) relu maxpool(3) dense(3)").on(new Shape(4, 4, 2));

  /** What can be wrong with a row, and one thing that is not the row's. */
  private enum Fault {
    MACHINE_FAILS {
      @Override
      void input(float[] to, int at) {
        throw new OutOfMemoryError("test");
      }
    },
    INPUT_THROWS {
      @Override
      void input(float[] to, int at) {
        throw new UncheckedIOException(new IOException("a row that cannot be read"));
      }
    },
    INPUT_STOPS {
      @Override
      void input(float[] to, int at) {
        to[at] = 1;
        throw new ArrayIndexOutOfBoundsException("a row that is too long");
      }
    },
    INPUT_IS_SHORT {
      @Override
      void input(float[] to, int at) {
        to[at] = 1;
      }
    },
    INPUT_IS_NO_NUMBER {
      @Override
      void input(float[] to, int at) {
        Arrays.fill(to, at, at + LAYOUT.input().size(), -1);
        to[at + 5] = Float.NaN;
      }
    },
    INPUT_IS_INFINITE {
      @Override
      void input(float[] to, int at) {
        Arrays.fill(to, at, at + LAYOUT.input().size(), Float.NEGATIVE_INFINITY);
      }
    },
    TARGET_THROWS {
      @Override
      void target(float[] to, int at) {
        throw new IllegalStateException("a target that cannot be read");
      }
    },
    TARGET_IS_ABSENT {
      @Override
      void target(float[] to, int at) {}
    },
    LABEL_IS_NO_CLASS {
      @Override
      void target(float[] to, int at) {
        to[at] = 3;
      }
    },
    LABEL_IS_NOT_WHOLE {
      @Override
      void target(float[] to, int at) {
        to[at] = 1.5f;
      }
    };

    void input(float[] to, int at) {
      Arrays.fill(to, at, at + LAYOUT.input().size(), 0.5f);
    }

    void target(float[] to, int at) {
      to[at] = 1;
    }
  }

  private record Faulty(Examples good, Set<Integer> bad, Fault fault) implements Examples {
    @Override
    public int size() {
      return good.size();
    }

    @Override
    public Shape input() {
      return good.input();
    }

    @Override
    public int targets() {
      return good.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      if (bad.contains(example)) {
        fault.input(to, at);
      } else {
        good.input(example, to, at);
      }
    }

    @Override
    public void target(int example, float[] to, int at) {
      if (bad.contains(example)) {
        fault.target(to, at);
      } else {
        good.target(example, to, at);
      }
    }
  }

  private static UnitRule counted(UnitRule rule) {
    return new UnitRule(rule.clipping(), rule.group(), rule.decay(), rule.decayed(), true);
  }

  /** Every rule, with one group and with several, with decay and without. */
  private static List<UnitRule> rules() {
    List<UnitRule> rules =
        new ArrayList<>(
            List.of(
                Trial.rule(
                    LAYOUT,
                    new ClippingRule.Estimated(3),
                    Trial.Groups.ONE,
                    0,
                    Trial.Decayed.ALL)));
    for (ClippingRule clipping : Trial.RULES) {
      for (Trial.Groups groups : Trial.Groups.values()) {
        for (double decay : new double[] {0, 1e-2, 5}) {
          rules.add(counted(Trial.rule(LAYOUT, clipping, groups, decay, Trial.Decayed.ALL)));
        }
      }
    }
    return rules;
  }

  private void assertAsWithout(Trial bad, Trial gone, int refused, String what) {
    if (!takes(bad.rule().clipping())) {
      return;
    }
    ExactSum exact = bad.exact();
    ExactSum others = gone.exact();
    assertArrayEquals(others.sum(), exact.sum(), what);
    assertArrayEquals(others.counts(), exact.counts(), what);
    assertEquals(refused, exact.refused(), what);
    for (Engine cut : fewCuts()) {
      if (passesOver(17)) {
        continue;
      }
      Trial.Answer with = bad.run(cut);
      Trial.Answer without = gone.run(cut);
      assertArrayEquals(without.sum().integers(), with.sum().integers(), what + ", " + cut);
      assertFalse(Arrays.stream(without.sum().integers()).allMatch(i -> i == 0), what);
      assertEquals(refused, with.refused(), what + ", " + cut);
      assertEquals(0, without.refused(), what);
    }
  }

  /** All rules where reading fails, and two with whatever else is wrong. */
  private static List<UnitRule> rules(Fault fault) {
    return fault == Fault.INPUT_THROWS ? rules() : List.of(rules().get(0), rules().get(5));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MACHINE_FAILS")
  void inTheMiddleOfATile(Fault fault) {
    Examples good = Trial.examples(LAYOUT, COUNT, 3);
    Examples faulty = new Faulty(good, Set.of(BAD[0], BAD[1]), fault);
    for (UnitRule rule : rules(fault)) {
      double[] thresholds = Trial.thresholds(rule, 0.4);
      Trial bad = Trial.of(LAYOUT, rule, faulty, thresholds);
      Trial gone = Trial.of(LAYOUT, rule, good, thresholds).without(BAD[1]).without(BAD[0]);
      assertAsWithout(bad, gone, BAD.length, fault + ", " + rule);
    }
  }

  /** In the step before, other units stood where it stands now, and nothing of those is left. */
  @ParameterizedTest
  @ValueSource(strings = {"conv(4,2) relu maxpool(3) dense(3)", "dense(6) relu dense(3)"})
  void whereAnotherWasInTheStepBefore(String network) {
    Layout layout = Network.parse(network).on(LAYOUT.input());
    Examples good = Trial.examples(layout, COUNT, 3);
    Examples faulty = new Faulty(good, Set.of(BAD[0], BAD[1]), Fault.INPUT_THROWS);
    // Two more units have no examples at all.
    int[][] members = new int[COUNT][];
    Arrays.setAll(members, i -> i == 4 || i == 9 ? new int[0] : new int[] {i});
    Units units = Units.of(IntStream.range(0, COUNT).asLongStream().toArray(), members);
    UnitRule rule =
        Trial.rule(layout, Trial.RULES.get(0), Trial.Groups.values()[0], 0.1, Trial.Decayed.ALL);
    Trial trial =
        Trial.of(layout, rule, faulty, Trial.thresholds(rule, 0.4)).with(units).in(engine());
    Trial next = trial.withNoise(0, trial.release() + 1);
    for (Engine cut : cuts()) {
      long[] fresh = next.run(cut).sum().integers();
      try (GradientSource source = trial.open(cut)) {
        source.clippedSum(trial.request());
        assertArrayEquals(fresh, source.clippedSum(next.request()).integers(), cut.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MACHINE_FAILS")
  void amongSeveralOfAUnit(Fault fault) {
    Examples good = Trial.examples(LAYOUT, 3 * COUNT, 3);
    // One of three, and all of them.
    Examples faulty = new Faulty(good, Set.of(7, 21, 22, 23), fault);
    long[] ids = IntStream.range(0, COUNT).asLongStream().toArray();
    int[][] all = new int[COUNT][];
    Arrays.setAll(all, i -> new int[] {3 * i, 3 * i + 1, 3 * i + 2});
    int[][] usable = all.clone();
    usable[BAD[0]] = new int[] {6, 8};
    usable[BAD[1]] = new int[0];
    List<UnitRule> rules = rules(fault);
    // Estimated norms, the first of them, are for units of one example.
    for (UnitRule rule : rules.subList(1, rules.size())) {
      Trial trial = Trial.of(LAYOUT, rule, faulty, Trial.thresholds(rule, 0.4));
      assertAsWithout(
          trial.with(Units.of(ids, all)),
          trial.with(Units.of(ids, usable)),
          BAD.length,
          fault + ", " + rule);
    }
  }

  /** In a mean it is still one of those that are divided by: nobody else's share grows. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MACHINE_FAILS")
  void inAMicroBatch(Fault fault) {
    Examples faulty = new Faulty(Trial.examples(LAYOUT, 8, 3), Set.of(1), fault);
    Units groups = Units.of(new long[] {4, 9}, new int[][] {{0, 1, 2, 3}, {4, 5, 6, 7}});
    UnitRule flat = UnitRule.flat(LAYOUT);
    UnitRule mean =
        new UnitRule(flat.clipping(), flat.group(), flat.decay(), flat.decayed(), true, true);
    Trial trial = Trial.of(LAYOUT, mean, faulty, 100).with(groups);
    Units others = Units.of(new long[] {4, 9}, new int[][] {{0, 2, 3}, {4, 5, 6, 7}});
    ReferenceEngine reference = new ReferenceEngine(LAYOUT, faulty);
    double[] sum = reference.unitGradient(flat, others, 0, trial.request());
    double[] quarter = Arrays.stream(sum).map(value -> value / 4).toArray();
    assertArrayEquals(quarter, reference.unitGradient(mean, groups, 0, trial.request()));
    for (Engine cut : fewCuts()) {
      if (passesOver(5)) {
        continue;
      }
      assertTrue(trial.error(cut) < 1e-5, fault + ", " + trial.error(cut));
      assertEquals(1, trial.run(cut).refused());
    }
  }

  @Test
  void noiseBeforeClippingIsNotOnWhatIsNotThere() {
    Examples good = Trial.examples(LAYOUT, COUNT, 3);
    Examples faulty = new Faulty(good, Set.of(BAD[0], BAD[1]), Fault.INPUT_THROWS);
    UnitRule rule = UnitRule.flat(LAYOUT);
    Trial bad = Trial.of(LAYOUT, rule, faulty, 0.4).withNoise(0.3, 5);
    Trial gone = bad.without(BAD[1]).without(BAD[0]);
    assertArrayEquals(gone.run(engine()).sum().integers(), bad.run(engine()).sum().integers());
  }

  @Test
  void tokensOutsideTheTable() {
    Layout layout = Network.parse("embedding(6,4) relu dense(3)").on(new Shape(1, 5, 1));
    for (float value : new float[] {-1, 6, 2.5f, Float.NaN}) {
      float[] tokens = new float[10 * 5];
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] = i * 7 % 5;
      }
      tokens[3 * 5 + 3] = value;
      Examples examples = Examples.of(layout.input(), tokens, 1, new float[10]);
      Trial trial = Trial.of(layout, UnitRule.flat(layout), examples, 0.4);
      long[] ids = {0, 1};
      int[][] all = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};
      int[][] usable = {{0, 1, 2, 4}, {5, 6, 7, 8, 9}};
      assertAsWithout(
          trial.with(Units.of(ids, all)), trial.with(Units.of(ids, usable)), 1, "token " + value);
    }
  }

  @Test
  void allOfThem() {
    Examples good = Trial.examples(LAYOUT, 3, 3);
    Examples faulty = new Faulty(good, Set.of(0, 1, 2), Fault.INPUT_THROWS);
    Trial trial = Trial.of(LAYOUT, UnitRule.flat(LAYOUT), faulty, 1);
    Trial.Answer answer = trial.run(engine());
    assertTrue(Arrays.stream(answer.sum().integers()).allMatch(i -> i == 0));
    assertEquals(3, answer.refused());
    try (GradientSource source =
        new Reference()
            .source(
                LAYOUT,
                trial.rule(),
                PrivateData.of(faulty, trial.units()),
                new Sampler.Poisson(1, 3),
                trial.grid())) {
      assertTrue(
          Arrays.stream(source.clippedSum(trial.request()).integers()).allMatch(i -> i == 0));
      assertEquals(3, source.refusedUnits());
    }
  }

  /** A machine that has no memory left is no fault of a row. */
  @Test
  void errorsAreNotRefusals() {
    Examples broken = new Faulty(Trial.examples(LAYOUT, 3, 3), Set.of(1), Fault.MACHINE_FAILS);
    Trial trial = Trial.of(LAYOUT, UnitRule.flat(LAYOUT), broken, 1);
    assertThrows(OutOfMemoryError.class, () -> trial.run(engine()));
    assertThrows(OutOfMemoryError.class, trial::exact);
  }

  /** Public examples have no one to hide, and whoever brought them can mend them. */
  @Test
  void publicExamplesAreRefused() {
    Examples good = Trial.examples(LAYOUT, 3, 3);
    float[] theta = Trial.parameters(LAYOUT, 1);
    for (Fault fault : List.of(Fault.INPUT_THROWS, Fault.TARGET_THROWS, Fault.LABEL_IS_NO_CLASS)) {
      try (PublicGradients gradients = engine().open(LAYOUT, new Faulty(good, Set.of(1), fault))) {
        assertThrows(
            RuntimeException.class,
            () -> gradients.gradientSum(theta, new int[] {0, 1}, new double[theta.length]));
      }
    }
  }

  /** A schema that fits no row is no fault of a row: it is refused before anything is spent. */
  @Test
  void targetsThatNoRowCouldHaveAreRefusedAtOnce() {
    Examples wide = Examples.of(LAYOUT.input(), new float[64], 2, new float[4]);
    Trial trial = Trial.of(LAYOUT, UnitRule.flat(LAYOUT), wide, 1);
    assertEquals(
        "numbers in a target must be 1, a class. Provided value: 2",
        assertThrows(IllegalArgumentException.class, () -> trial.open(engine())).getMessage());
  }
}
