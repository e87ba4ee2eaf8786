package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same integers on any number of threads, in tiles of any size, by either kernels. */
abstract class SameSumChecks extends EngineChecks {
  SameSumChecks(EngineKit kit) {
    super(kit);
  }

  private static final int COUNT = 150;

  private static Trial trial(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Layout layout = RandomNetworks.layout(seed);
    UnitRule rule =
        Trial.rule(
            layout,
            Trial.RULES.get(seed % 4),
            Trial.Groups.values()[random.nextInt(2)],
            new double[] {0, 1e-2, 5}[random.nextInt(3)],
            Trial.Decayed.ALL);
    return Trial.of(layout, rule, Trial.examples(layout, COUNT, seed), Trial.thresholds(rule, 0.5))
        .with(Trial.grid(2, COUNT, 0.5));
  }

  /** Every seventh unit has two examples, and the next one none. */
  private static Units someInPairs() {
    int[][] members =
        IntStream.range(0, COUNT)
            .mapToObj(
                i ->
                    i % 7 == 3
                        ? new int[] {i, Math.min(i + 1, COUNT - 1)}
                        : i % 7 == 4 ? new int[0] : new int[] {i})
            .toArray(int[][]::new);
    return Units.of(IntStream.range(0, COUNT).asLongStream().toArray(), members);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
  void whateverTheCut(int seed) {
    takesOneOf(12);
    Trial trial = trial(seed);
    if (seed % 3 == 0) {
      trial = trial.with(someInPairs());
    }
    long[] expected = null;
    for (Engine cut : cuts()) {
      try (GradientSource source = trial.open(cut)) {
        for (int again = 0; again < 2; again++) {
          long[] found = source.clippedSum(trial.request()).integers().clone();
          expected = expected == null ? found : expected;
          assertArrayEquals(expected, found, cut + ", call " + again);
        }
      }
    }
  }

  @Test
  void aSampledLotInAnyDivision() {
    Trial trial = trial(6);
    long[] expected = null;
    for (Engine cut : cuts()) {
      try (GradientSource source =
          cut.source(
              trial.layout(),
              trial.rule(),
              PrivateData.of(trial.examples(), trial.units()),
              new Sampler.Poisson(0.3, COUNT),
              Trial.in(cut, new Grid(40, COUNT, trial.grid().exponent())))) {
        long[] found = source.clippedSum(trial.request()).integers().clone();
        expected = expected == null ? found : expected;
        assertArrayEquals(expected, found, cut.toString());
      }
    }
    assertFalse(Arrays.stream(expected).allMatch(i -> i == 0));
  }

  @Test
  void anEmptyLotIsZero() {
    Trial trial = trial(2).with(Units.of(new long[0], new int[0][]));
    ClippedSum sum = trial.run(engine()).sum();
    assertArrayEquals(new long[sum.integers().length], sum.integers());
  }

  /** The whole is the sum of its chunks, each computed by itself. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 6, 7})
  void aChunkDoesNotDependOnTheOthers(int seed) {
    takesOneOf(3);
    Trial trial = trial(seed).with(Trial.grid(5, 60, 0.5)).in(engine());
    long[] sum = new long[trial.run(engine()).sum().integers().length];
    for (int chunk = 0; chunk < 5; chunk++) {
      int only = chunk;
      long[] ids =
          IntStream.range(0, COUNT)
              .filter(i -> trial.chunk(i) % 5 == only)
              .asLongStream()
              .toArray();
      int[][] members =
          Arrays.stream(ids).mapToObj(id -> new int[] {(int) id}).toArray(int[][]::new);
      long[] own = trial.with(Units.of(ids, members)).run(engine()).sum().integers();
      Arrays.setAll(sum, i -> sum[i] + own[i]);
    }
    assertArrayEquals(trial.run(engine()).sum().integers(), sum);
  }

  /** Units in buckets: the same sum however the buckets are spread, and no bucket knows others. */
  @ParameterizedTest
  @ValueSource(ints = {7, 64})
  void unitsInBuckets(int buckets) {
    Grid grid = new Grid(2 * buckets, 60, Trial.grid(1, 60, 0.5).exponent(), buckets);
    Trial trial = trial(3).with(someInPairs()).with(grid);
    long[] expected = trial.run(engine()).sum().integers();
    for (Engine cut : fewCuts()) {
      assertArrayEquals(expected, trial.run(cut).sum().integers(), cut.toString());
    }
    long[] sum = new long[expected.length];
    int[] bucket =
        SamplingKey.insecure(1)
            .buckets(IntStream.range(0, COUNT).asLongStream().toArray(), buckets);
    for (int part = 0; part < 3; part++) {
      int only = part;
      Units units = trial.units();
      int[] kept = IntStream.range(0, COUNT).filter(i -> bucket[i] % 3 == only).toArray();
      long[] own = trial.with(some(units, kept)).run(engine()).sum().integers();
      Arrays.setAll(sum, i -> sum[i] + own[i]);
    }
    assertArrayEquals(expected, sum);
    assertTrue(trial.error(engine()) < 100 * tolerance());
  }

  private static Units some(Units units, int[] kept) {
    return Units.of(
        Arrays.stream(kept).mapToLong(units::id).toArray(),
        Arrays.stream(kept)
            .mapToObj(
                u -> IntStream.range(0, units.size(u)).map(i -> units.example(u, i)).toArray())
            .toArray(int[][]::new));
  }

  /** Chunks may stand in any order, as long as the order inside of each stays. */
  @Test
  void unitsInAnotherOrder() {
    Trial trial = trial(7).with(Trial.grid(5, 60, 0.5)).in(engine());
    int[] order =
        IntStream.range(0, COUNT)
            .boxed()
            .sorted(
                java.util.Comparator.comparing((Integer i) -> -trial.chunk(i))
                    .thenComparing(i -> i))
            .mapToInt(i -> i)
            .toArray();
    long[] ids = Arrays.stream(order).asLongStream().toArray();
    int[][] members = Arrays.stream(order).mapToObj(i -> new int[] {i}).toArray(int[][]::new);
    assertArrayEquals(
        trial.run(engine()).sum().integers(),
        trial.with(Units.of(ids, members)).run(engine()).sum().integers());
  }

  /** A step after another with other parameters is the same as the first of a fresh source. */
  @Test
  void aSourceRemembersNothing() {
    Trial trial = trial(1);
    Trial other = trial.with(Trial.parameters(trial.layout(), 99));
    try (GradientSource source = trial.open(engine())) {
      long[] first = source.clippedSum(trial.request()).integers().clone();
      long[] second = source.clippedSum(other.request()).integers().clone();
      long[] third = source.clippedSum(trial.request()).integers().clone();
      assertArrayEquals(first, third);
      assertArrayEquals(other.run(engine()).sum().integers(), second);
      assertFalse(Arrays.equals(first, second), "the comparison can fail");
      assertEquals(0, source.refusedUnits());
    }
  }
}
