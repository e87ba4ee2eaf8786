package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lots that a sampler really draws, from as many units as declared, from fewer and from more: the
 * sum is that of the drawn units, each once and each clipped, and no other unit has a say in it.
 */
abstract class SampledLotChecks extends EngineChecks {
  SampledLotChecks(EngineKit kit) {
    super(kit);
  }

  private static final int DECLARED = 60;
  private static final double CLIP = 1;

  static List<Sampler> samplers() {
    return List.of(
        new Sampler.Poisson(0.3, DECLARED),
        new Sampler.Poisson(0.1, DECLARED),
        new Sampler.FixedSize(15, DECLARED),
        new Sampler.FullBatch(DECLARED),
        new Sampler.ShuffledEpochs(4, DECLARED),
        new Sampler.Cyclic(4, 0.9, DECLARED));
  }

  private static GradientSource open(Engine engine, Trial trial, Sampler sampler) {
    return engine.source(
        trial.layout(),
        trial.rule(),
        PrivateData.of(trial.examples(), trial.units()),
        sampler,
        Trial.in(engine, trial.grid()));
  }

  /** Whether the engine draws such lots; one that does not says so before it looks at a row. */
  private boolean takesOrRefuses(Sampler sampler) {
    if (takes(sampler)) {
      return true;
    }
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> open(engine(), oneCoordinateEach(3), sampler))
            .getMessage();
    assertTrue(message.endsWith(sampler.getClass().getSimpleName()), message);
    return false;
  }

  private ClippedSum sum(Trial trial, Sampler sampler, long release) {
    try (GradientSource source = open(engine(), trial, sampler)) {
      return Trial.copy(source.clippedSum(trial.withNoise(0, release).request()));
    }
  }

  private int[] lot(Trial trial, Sampler sampler, long release) {
    int buckets = Trial.in(engine(), trial.grid()).buckets();
    return sampler.lot(trial.request().key(), release, trial.units(), buckets);
  }

  // ---- every unit has a coordinate of its own

  /** The length of a unit's gradient: most are shorter than the threshold, some are far longer. */
  private static double length(int example) {
    return example % 5 == 3 ? 40 + example : 0.1 + 0.02 * (example % 30);
  }

  /** What a unit adds at its own coordinate, and nowhere else. */
  private static double clipped(int example) {
    return Math.min(CLIP, length(example));
  }

  /**
   * Unit i has the i-th unit vector as input and a target that makes its gradient that vector times
   * {@link #length}. With counts behind the coordinates.
   */
  private static Trial oneCoordinateEach(int count) {
    int size = Math.max(1, count);
    Layout layout = Network.parse("dense(1,bias=false) loss=squared").on(Shape.vector(size));
    float[] inputs = new float[count * size];
    float[] targets = new float[count];
    long[] ids = new long[count];
    int[][] members = new int[count][];
    for (int i = 0; i < count; i++) {
      inputs[i * size + i] = 1;
      targets[i] = (float) -length(i);
      ids[i] = 7L * i + 1;
      members[i] = new int[] {i};
    }
    UnitRule rule = new UnitRule(new ClippingRule.Flat(), new int[1], 0, new boolean[1], true);
    return Trial.of(layout, rule, Examples.of(layout.input(), inputs, 1, targets), CLIP)
        .with(new float[size])
        .with(Units.of(ids, members))
        .with(Trial.grid(5, size + 4, CLIP));
  }

  /** How far the sum is from what the drawn units should have added, and from their count. */
  private static void assertSumOf(int[] lot, ClippedSum sum, int count, String what) {
    double[] expected = new double[Math.max(1, count)];
    long shorter = 0;
    for (int unit : lot) {
      expected[unit] = clipped(unit);
      shorter += length(unit) <= CLIP ? 1 : -1;
    }
    for (int i = 0; i < expected.length; i++) {
      double found = Math.scalb((double) sum.integers()[i], sum.exponent());
      assertEquals(expected[i], found, expected[i] == 0 ? 0 : 1e-4, what + ", unit " + i);
    }
    assertEquals(shorter, sum.integers()[expected.length], what + ", count");
  }

  @ParameterizedTest
  @MethodSource("samplers")
  void everyDrawnUnitIsInTheSumOnceAndNobodyElse(Sampler sampler) {
    if (!takesOrRefuses(sampler)) {
      return;
    }
    int releases = isBrief() ? 5 : 12;
    for (int count : new int[] {DECLARED, 45, 80, 3, 1, 0}) {
      Trial trial = oneCoordinateEach(count);
      for (Engine cut : fewCuts()) {
        if (passesOver(13)) {
          continue;
        }
        int drawn = 0;
        // One source for all: no lot may leave anything in the next, least of all in an empty one.
        try (GradientSource source = open(cut, trial, sampler)) {
          for (long release = 0; release < releases; release++) {
            int[] lot = lot(trial, sampler, release);
            ClippedSum sum = source.clippedSum(trial.withNoise(0, release).request());
            assertSumOf(lot, sum, count, count + " units, release " + release + ", " + cut);
            drawn += lot.length;
          }
        }
        assertTrue(
            count < DECLARED / 2 || drawn > 0 && drawn <= releases * count, "lots are drawn");
      }
    }
  }

  /** More units than any batch in which lots are drawn has, at a rate that draws few of them. */
  @Test
  void smallLotsOfManyUnits() {
    int count = isThorough() ? 4500 : 2100;
    Layout layout = Network.parse("dense(1,bias=false) loss=squared").on(Shape.vector(count));
    Examples examples =
        new Examples() {
          @Override
          public int size() {
            return count;
          }

          @Override
          public Shape input() {
            return layout.input();
          }

          @Override
          public int targets() {
            return 1;
          }

          @Override
          public void input(int example, float[] to, int at) {
            Arrays.fill(to, at, at + count, 0);
            to[at + example] = 1;
          }

          @Override
          public void target(int example, float[] to, int at) {
            to[at] = (float) -length(example);
          }
        };
    UnitRule rule = new UnitRule(new ClippingRule.Flat(), new int[1], 0, new boolean[1], true);
    Trial trial =
        Trial.of(layout, rule, examples, CLIP)
            .with(new float[count])
            .with(Trial.grid(9, 200, CLIP));
    for (Sampler sampler :
        List.of(new Sampler.Poisson(0.01, 1000), new Sampler.FixedSize(40, 9000))) {
      if (!takesOrRefuses(sampler)) {
        continue;
      }
      for (long release : new long[] {0, 1, 1L << 40}) {
        int[] lot = lot(trial, sampler, release);
        assertTrue(lot.length > 5 && lot.length < 100, "lot of " + lot.length);
        assertSumOf(lot, sum(trial, sampler, release), count, sampler + ", release " + release);
      }
    }
  }

  @Test
  void aWrongSumWouldBeSeen() {
    Trial trial = oneCoordinateEach(45);
    Sampler sampler = samplers().get(0);
    int[] lot = lot(trial, sampler, 3);
    ClippedSum sum = sum(trial, sampler, 3);
    assertSumOf(lot, sum, 45, "right");
    int[] fewer = Arrays.copyOf(lot, lot.length - 1);
    assertThrows(AssertionError.class, () -> assertSumOf(fewer, sum, 45, "one more"));
    int[] other = lot(trial, sampler, 4);
    assertThrows(AssertionError.class, () -> assertSumOf(other, sum, 45, "another lot"));
    ClippedSum scaled = Trial.copy(sum);
    Arrays.setAll(scaled.integers(), i -> sum.integers()[i] + sum.integers()[i] / 1000);
    assertThrows(AssertionError.class, () -> assertSumOf(lot, scaled, 45, "a thousandth more"));
  }

  // ---- any network and rule

  /** A network, rule and decay; some units have several examples, one has none. */
  private static Trial any(int seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    Layout layout = RandomNetworks.layout(seed);
    UnitRule plain =
        Trial.rule(
            layout,
            Trial.RULES.get(seed % 4),
            Trial.Groups.values()[random.nextInt(2)],
            new double[] {0, 1e-2, 5}[random.nextInt(3)],
            Trial.Decayed.ALL);
    UnitRule rule =
        new UnitRule(
            plain.clipping(), plain.group(), plain.decay(), plain.decayed(), seed % 2 == 0);
    Trial trial = Trial.of(layout, rule, Trial.examples(layout, 2 * count, seed), thresholds(rule));
    return trial.with(units(count)).with(Trial.grid(5, count + 4, 3));
  }

  private static double[] thresholds(UnitRule rule) {
    return Trial.thresholds(rule, 0.5);
  }

  private static Units units(int count) {
    long[] ids = IntStream.range(0, count).mapToLong(i -> 11L * i - 100).toArray();
    int[][] members = new int[count][];
    for (int i = 0; i < count; i++) {
      members[i] =
          i % 9 == 4 ? new int[] {2 * i, 2 * i + 1} : i % 9 == 7 ? new int[0] : new int[] {2 * i};
    }
    return Units.of(ids, members);
  }

  /** These units alone. */
  private static Units only(Units units, int[] chosen) {
    long[] ids = Arrays.stream(chosen).mapToLong(units::id).toArray();
    int[][] members =
        Arrays.stream(chosen)
            .mapToObj(
                unit ->
                    IntStream.range(0, units.size(unit)).map(j -> units.example(unit, j)).toArray())
            .toArray(int[][]::new);
    return Units.of(ids, members);
  }

  /** Exactly, as integers: of data with nobody but the lot, all drawn, the sum is the same. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void theSumOfALotIsThatOfItsUnitsAlone(int seed) {
    takesOneOf(4);
    for (int count : isThorough() ? new int[] {DECLARED, 40, 75} : new int[] {75}) {
      Trial trial = any(seed, count);
      for (Sampler sampler : samplers()) {
        if (!takesOrRefuses(sampler)) {
          continue;
        }
        try (GradientSource source = open(engine(), trial, sampler)) {
          for (long release = 3; release < 6; release++) {
            int[] lot = lot(trial, sampler, release);
            Trial alone = trial.with(only(trial.units(), lot)).withNoise(0, release);
            ClippedSum found = source.clippedSum(alone.request());
            ClippedSum expected = alone.run(engine()).sum();
            String what = count + " units, " + sampler + ", release " + release;
            assertArrayEquals(expected.integers(), found.integers(), what);
            assertArrayEquals(expected.sensitivities(), found.sensitivities(), what);
            assertEquals(expected.exponent(), found.exponent(), what);
          }
        }
      }
    }
  }

  // ---- one unit more or less

  /** A neighbour and how far the sum may then be: so many times the stated sensitivity. */
  private record Neighbour(String what, int unit, Trial trial, int times) {}

  /** As many changes as the sampler's ledger entry covers. */
  private static List<Neighbour> neighbours(Trial trial, Sampler sampler, int unit) {
    List<Neighbour> neighbours = new ArrayList<>();
    if (!(sampler instanceof Sampler.ShuffledEpochs)) {
      int times = sampler instanceof Sampler.FixedSize ? 2 : 1;
      neighbours.add(new Neighbour("without", unit, trial.without(unit), times));
    }
    neighbours.add(new Neighbour("zeroed out", unit, with(trial, unit, new int[0]), 1));
    int other = 2 * unit + 1;
    int[] others = trial.units().size(unit) == 2 ? new int[] {other} : new int[] {other, 2 * unit};
    neighbours.add(new Neighbour("replaced", unit, with(trial, unit, others), 2));
    return neighbours;
  }

  private static Trial with(Trial trial, int changed, int[] examples) {
    int[] all = IntStream.range(0, trial.units().count()).toArray();
    long[] ids = Arrays.stream(all).mapToLong(trial.units()::id).toArray();
    int[][] members =
        Arrays.stream(all)
            .mapToObj(
                unit ->
                    unit == changed
                        ? examples
                        : IntStream.range(0, trial.units().size(unit))
                            .map(j -> trial.units().example(unit, j))
                            .toArray())
            .toArray(int[][]::new);
    return trial.with(Units.of(ids, members));
  }

  /** With an id behind all others: then no other unit gets another place where it is gone. */
  private static Trial withLastId(Trial trial, int unit) {
    long[] ids = IntStream.range(0, trial.units().count()).mapToLong(trial.units()::id).toArray();
    ids[unit] = Long.MAX_VALUE - unit;
    int[][] members =
        IntStream.range(0, ids.length)
            .mapToObj(
                i ->
                    IntStream.range(0, trial.units().size(i)).map(j -> trial.units().example(i, j)))
            .map(IntStream::toArray)
            .toArray(int[][]::new);
    return trial.with(Units.of(ids, members));
  }

  /**
   * Around the declared number too, where it makes a difference which side a count is on. The lots
   * of neighbours are drawn together, as {@link Sampler} says that they can be: under one key, with
   * the changed unit behind the others.
   */
  @ParameterizedTest
  @MethodSource("samplers")
  void oneUnitMovesOneSumOfACharge(Sampler sampler) {
    if (!takesOrRefuses(sampler)) {
      return;
    }
    long together = sampler.stepsPerCharge();
    int moved = 0;
    int still = 0;
    int[] counts = {DECLARED + 1, DECLARED, DECLARED + 15, DECLARED - 1};
    // Every unit stands in the last place, so each has lots of its own: whole epochs.
    long first = 0;
    for (int count : Arrays.copyOf(counts, isThorough() ? 4 : 2)) {
      for (int unit : new int[] {0, 4, count / 2, count - 1}) {
        first += 4;
        long last = first + 4;
        Trial trial = withLastId(any(count, count), unit);
        List<ClippedSum> sums = new ArrayList<>();
        for (Neighbour neighbour : neighbours(trial, sampler, unit)) {
          if (passesOver(13)) {
            continue;
          }
          // Only now: a brief kit passes most neighbours over.
          for (long release = first + sums.size(); release < last; release++) {
            sums.add(sum(trial, sampler, release));
          }
          int lots = 0;
          GradientSource source = open(engine(), neighbour.trial(), sampler);
          for (long release = first; release < last; release++) {
            String what = neighbour.what() + " unit " + unit + " of " + count + ", " + sampler;
            ClippedSum one = sums.get((int) (release - first));
            Trial at = neighbour.trial().withNoise(0, release);
            ClippedSum other = Trial.copy(source.clippedSum(at.request()));
            assertArrayEquals(one.sensitivities(), other.sensitivities(), "noise must not tell");
            assertEquals(one.exponent(), other.exponent(), "noise must not tell");
            assertArrayEquals(one.groupEnds(), other.groupEnds(), "noise must not tell");
            Trial.assertWithin(
                times(one, neighbour.times()), times(other, neighbour.times()), what);
            boolean equal = Arrays.equals(one.integers(), other.integers());
            lots += equal ? 0 : 1;
            boolean drawn = contains(lot(trial, sampler, release), unit);
            assertTrue(drawn || equal || sampler instanceof Sampler.FixedSize, what);
            moved += equal ? 0 : 1;
            still += equal ? 1 : 0;
          }
          source.close();
          assertTrue(together == 1 || lots <= 1, "in " + lots + " lots of an epoch");
        }
      }
    }
    assertTrue(moved > 0 || isBrief(), "nobody was ever drawn");
    assertTrue(
        still > 0 || isBrief() || sampler instanceof Sampler.FullBatch, "everybody always was");
  }

  private static boolean contains(int[] lot, int unit) {
    return Arrays.stream(lot).anyMatch(drawn -> drawn == unit);
  }

  private static ClippedSum times(ClippedSum sum, int times) {
    double[] wider = Arrays.stream(sum.sensitivities()).map(s -> times * s).toArray();
    return new ClippedSum(sum.integers(), sum.exponent(), sum.groupEnds(), wider);
  }

  // ---- who decides about lots

  @Test
  void keyAndReleaseDecideTheLotAndNothingElse() {
    Trial trial = oneCoordinateEach(DECLARED);
    Sampler sampler = samplers().get(0);
    ClippedSum sum = sum(trial, sampler, 5);
    float[] theta = new float[trial.layout().parameters()];
    Arrays.fill(theta, 1e-3f);
    Trial elsewhere = trial.with(theta);
    assertArrayEquals(drawn(sum), drawn(sum(elsewhere, sampler, 5)), "not by the parameters");
    Trial small = trial.with(new Grid(2, 200, trial.grid().exponent() + 3));
    assertArrayEquals(drawn(sum), drawn(sum(small, sampler, 5)), "not by the grid");
    assertFalse(Arrays.equals(drawn(sum), drawn(sum(trial, sampler, 6))), "by the release");
    SamplingKey other = SamplingKey.insecure(2);
    assertFalse(
        Arrays.equals(drawn(sum), lotOf(sampler.lot(other, 5, trial.units()))), "by the key");
    assertArrayEquals(lotOf(lot(trial, sampler, 5)), drawn(sum));
  }

  private static boolean[] drawn(ClippedSum sum) {
    boolean[] drawn = new boolean[DECLARED];
    for (int i = 0; i < DECLARED; i++) {
      drawn[i] = sum.integers()[i] != 0;
    }
    return drawn;
  }

  private static boolean[] lotOf(int[] units) {
    boolean[] drawn = new boolean[DECLARED];
    Arrays.stream(units).forEach(unit -> drawn[unit] = true);
    return drawn;
  }
}
