package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One example inside a micro-batch moves the sum by twice the threshold, which is what the ledger's
 * relation says, and never by more.
 */
abstract class MicroBatchChecks extends EngineChecks {
  MicroBatchChecks(EngineKit kit) {
    super(kit);
  }

  private static final SamplingKey KEY = SamplingKey.insecure(5);
  private static final int SIZE = 64;

  private static ResolvedPlan plan(double threshold) {
    return PrivacyPlan.noise(1)
        .samplingRate(1)
        .steps(1)
        .clip(threshold)
        .microBatch(4)
        .build()
        .forUnits(SIZE);
  }

  private static UnitRule averaged(Layout layout, ClippingRule clipping) {
    int slices = layout.slices().size();
    return new UnitRule(clipping, new int[slices], 0, new boolean[slices], false, true);
  }

  /** As a run does it: groups by the run's key, the sampler on groups. */
  private ClippedSum sum(
      Layout layout, UnitRule rule, Examples examples, Units units, float[] theta, double c) {
    ResolvedPlan plan = plan(c);
    PrivateData groups =
        PrivateData.of(examples, units).grouped(plan.microBatches().orElseThrow(), KEY);
    try (GradientSource source =
        engine().source(layout, rule, groups, plan.sampler(), plan.grid(8))) {
      return Trial.copy(source.clippedSum(new StepRequest(0, theta, c, KEY)));
    }
  }

  private static Units without(int gone) {
    int[] left = IntStream.range(0, SIZE).filter(i -> i != gone).toArray();
    return Units.of(
        Arrays.stream(left).asLongStream().toArray(),
        Arrays.stream(left).mapToObj(i -> new int[] {i}).toArray(int[][]::new));
  }

  private static double distance(ClippedSum a, ClippedSum b) {
    double square = Trial.squaredDistance(a, b, 0).doubleValue();
    return Math.scalb(Math.sqrt(square), a.exponent());
  }

  /** How far the ledger says that a neighbour moves the sum. */
  private static double accounted(ClippedSum sum, double c) {
    return plan(c).ledger().neighbouring().sensitivity() * sum.sensitivities()[0];
  }

  /** All say +3 but one, which says −1000: its group turns over when it comes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 17, 63})
  void anExtremeExampleTurnsItsGroupAroundAndNothingElse(int extreme) {
    Layout layout = Network.parse("dense(1) loss=squared").on(Shape.vector(1));
    float[] targets = new float[SIZE];
    Arrays.fill(targets, -3);
    targets[extreme] = 1_000;
    Examples examples = Examples.of(layout.input(), new float[SIZE], 1, targets);
    UnitRule rule = averaged(layout, new ClippingRule.Flat());
    float[] theta = new float[2];
    Units groups = plan(1).microBatches().orElseThrow().of(Units.each(SIZE), KEY);
    int own =
        IntStream.range(0, groups.count())
            .filter(
                g ->
                    IntStream.range(0, groups.size(g))
                        .anyMatch(i -> groups.example(g, i) == extreme))
            .findFirst()
            .orElseThrow();
    assertTrue(groups.size(own) > 1, "alone in its group it could not turn it around");
    ClippedSum with = sum(layout, rule, examples, Units.each(SIZE), theta, 1);
    ClippedSum less = sum(layout, rule, examples, without(extreme), theta, 1);
    double moved = distance(with, less);
    assertTrue(moved > 1.999 && moved <= accounted(with, 1), "moved by " + moved);
    assertTrue(moved > 1.9 * with.sensitivities()[0], "add/remove would be off by 2: " + moved);
  }

  /** Removed, and replaced by something else, on all rules and many networks. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
  void noExampleMovesTheSumByMoreThanTheLedgerSays(int seed) {
    takesOneOf(5);
    SplittableRandom random = new SplittableRandom(seed);
    Layout layout = RandomNetworks.layout(seed);
    UnitRule rule = averaged(layout, Trial.RULES.get(seed % 4));
    double c = random.nextInt(2) == 0 ? 0.02 : random.nextDouble(0.1, 2);
    Examples examples = Trial.examples(layout, SIZE, seed);
    Examples others = Trial.examples(layout, SIZE, seed + 100);
    float[] theta = Trial.parameters(layout, seed);
    ClippedSum all = sum(layout, rule, examples, Units.each(SIZE), theta, c);
    for (int i : new int[] {0, 31, 63}) {
      ClippedSum less = sum(layout, rule, examples, without(i), theta, c);
      assertTrue(distance(all, less) <= accounted(all, c));
      Examples other = new Replaced(examples, others, i);
      ClippedSum replaced = sum(layout, rule, other, Units.each(SIZE), theta, c);
      assertTrue(distance(all, replaced) <= accounted(all, c));
    }
  }

  /** One example of another set's. */
  private record Replaced(Examples all, Examples others, int which) implements Examples {
    private Examples of(int example) {
      return example == which ? others : all;
    }

    @Override
    public int size() {
      return all.size();
    }

    @Override
    public Shape input() {
      return all.input();
    }

    @Override
    public int targets() {
      return all.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      of(example).input(example, to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      of(example).target(example, to, at);
    }
  }

  /** Average first, clip then: held against the oracle, with decay once a group. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void agreesWithTheOracle(int seed) {
    takesOneOf(3);
    Layout layout = RandomNetworks.layout(seed);
    int slices = layout.slices().size();
    boolean[] decayed = new boolean[slices];
    Arrays.fill(decayed, true);
    UnitRule rule =
        new UnitRule(
            Trial.RULES.get(seed % 4),
            new int[slices],
            seed % 2 == 0 ? 0 : 1e-2,
            decayed,
            false,
            true);
    Units groups = plan(1).microBatches().orElseThrow().of(Units.each(SIZE), KEY);
    Trial trial = Trial.of(layout, rule, Trial.examples(layout, SIZE, seed), 0.7).with(groups);
    assertEquals(0, trial.error(engine()), 1e-4);
  }

  @Test
  void aMeanIsTheMean() {
    Layout layout = Network.parse("dense(1) loss=squared").on(Shape.vector(1));
    Examples examples = Examples.of(layout.input(), new float[4], 1, new float[] {-1, -2, -3, -6});
    UnitRule rule = averaged(layout, new ClippingRule.Flat());
    Trial trial =
        Trial.of(layout, rule, examples, 100)
            .with(Units.of(new long[] {0}, new int[][] {{0, 1, 2, 3}}))
            .with(new float[2]);
    assertEquals(3, Trial.norm(trial.run(engine()).values(2)), 1e-5);
  }
}
