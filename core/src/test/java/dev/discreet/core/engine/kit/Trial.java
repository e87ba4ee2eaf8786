package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.ExactSum;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Parameter.Role;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.opentest4j.TestAbortedException;

/** One question to the engine, with all that its answer depends on; every unit is in the lot. */
public record Trial(
    Layout layout,
    UnitRule rule,
    Examples examples,
    Units units,
    Grid grid,
    float[] theta,
    double[] thresholds,
    double noise,
    long release) {
  /** Every rule that has exact norms. */
  static final List<ClippingRule> RULES =
      List.of(
          new ClippingRule.Flat(),
          new ClippingRule.Automatic(0.01),
          new ClippingRule.Normalised(),
          new ClippingRule.Global(3),
          new ClippingRule.PerSample(0.1));

  /** Examples that are units of their own, on a grid of a few chunks with room to spare. */
  static Trial of(Layout layout, UnitRule rule, Examples examples, double... thresholds) {
    double largest = rule.clipping().most() * Arrays.stream(thresholds).max().orElseThrow();
    return new Trial(
        layout,
        rule,
        examples,
        Units.each(examples.size()),
        grid(3, examples.size() + 4, largest),
        parameters(layout, 1),
        thresholds,
        0,
        5);
  }

  /** A grid of so many chunks with room for so many members each, as fine as 31 bits allow. */
  static Grid grid(int chunks, int capacity, double largest) {
    int exponent = Math.getExponent(largest) + 1 + 32 - Integer.numberOfLeadingZeros(capacity) - 30;
    return new Grid(chunks, capacity, exponent);
  }

  /** On a grid that has as many buckets as the engine wants; one chunk stays one. */
  Trial in(Engine engine) {
    return with(in(engine, grid));
  }

  static Grid in(Engine engine, Grid grid) {
    int buckets = engine.buckets();
    if (grid.chunks() == 1 || grid.buckets() > 1 || buckets == 1) {
      return grid;
    }
    int each = Math.min((grid.chunks() + buckets - 1) / buckets, Grid.MOST_CHUNKS / buckets);
    return new Grid(buckets * each, grid.capacity(), grid.exponent(), buckets);
  }

  Trial with(Units other) {
    return new Trial(layout, rule, examples, other, grid, theta, thresholds, noise, release);
  }

  Trial with(Grid other) {
    return new Trial(layout, rule, examples, units, other, theta, thresholds, noise, release);
  }

  Trial with(float[] other) {
    return new Trial(layout, rule, examples, units, grid, other, thresholds, noise, release);
  }

  Trial with(Examples other) {
    return new Trial(layout, rule, other, units, grid, theta, thresholds, noise, release);
  }

  Trial withNoise(double other, long otherRelease) {
    return new Trial(layout, rule, examples, units, grid, theta, thresholds, other, otherRelease);
  }

  /** An engine that says by name that it has no such layer or rule is asked nothing else here. */
  GradientSource open(Engine engine) {
    try {
      return engine.source(
          layout,
          rule,
          PrivateData.of(examples, units),
          new Sampler.Poisson(1, Math.max(1, units.count())),
          in(engine, grid));
    } catch (IllegalArgumentException e) {
      if (e.getMessage().matches("(?s)(layers|clipping) of the engine " + engine.name() + " .*")) {
        throw new TestAbortedException(e.getMessage(), e);
      }
      throw e;
    }
  }

  /** The chunk of the unit with that id. */
  int chunk(int id) {
    int[] one = {id};
    Units ids = Units.each(id + 1);
    long[] choices = request().key().choices(release, ids, one);
    return grid.chunks(request().key(), ids, one, choices)[0];
  }

  StepRequest request() {
    return new StepRequest(release, theta, thresholds, SamplingKey.insecure(1), noise);
  }

  /** The engine's answer, what its coordinates are and how many units were refused. */
  record Answer(ClippedSum sum, Coordinates coordinates, long refused) {
    double[] values(int parameters) {
      double[] values = new double[parameters];
      for (int i = 0; i < coordinates.size(); i++) {
        values[coordinates.places()[i]] = Math.scalb((double) sum.integers()[i], sum.exponent());
      }
      return values;
    }
  }

  Answer run(Engine engine) {
    try (GradientSource source = open(engine)) {
      ClippedSum sum = source.clippedSum(request());
      return new Answer(copy(sum), source.coordinates(), source.refusedUnits());
    }
  }

  /** A source may use its arrays again. */
  static ClippedSum copy(ClippedSum sum) {
    return new ClippedSum(
        sum.integers().clone(),
        sum.exponent(),
        sum.groupEnds().clone(),
        sum.sensitivities().clone());
  }

  ExactSum exact() {
    return new ReferenceEngine(layout, examples)
        .exactSum(rule, units, IntStream.range(0, units.count()).toArray(), request());
  }

  /** How far the engine is from the oracle, as a share of what it sums: Σ of clipped norms. */
  double error(Engine engine) {
    ExactSum exact = exact();
    double size = 1e-30;
    for (int i = 0; i < exact.norms().length; i++) {
      for (int g = 0; g < exact.norms()[i].length; g++) {
        size = Math.hypot(size, exact.norms()[i][g] * exact.factors()[i][g]);
      }
    }
    int chunks = in(engine, grid).chunks();
    double rounding = Math.scalb(Math.sqrt(layout.parameters()) * chunks, grid.exponent());
    double[] sum = run(engine).values(layout.parameters());
    double distance = 0;
    for (int i = 0; i < sum.length; i++) {
      distance = Math.hypot(distance, sum[i] - exact.sum()[i]);
    }
    return Math.max(0, distance - rounding) / Math.max(size, norm(exact.sum()));
  }

  static double norm(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value * value;
    }
    return Math.sqrt(sum);
  }

  // ---- one unit more or less

  /** This trial without one of its units. */
  Trial without(int gone) {
    long[] ids = new long[units.count() - 1];
    int[][] members = new int[ids.length][];
    for (int i = 0; i < ids.length; i++) {
      int unit = i < gone ? i : i + 1;
      ids[i] = units.id(unit);
      members[i] = IntStream.range(0, units.size(unit)).map(j -> units.example(unit, j)).toArray();
    }
    return with(Units.of(ids, members));
  }

  /** The distance of a group between two sums, squared and exact, in squared grid steps. */
  static BigInteger squaredDistance(ClippedSum a, ClippedSum b, int group) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = group == 0 ? 0 : a.groupEnds()[group - 1]; i < a.groupEnds()[group]; i++) {
      BigInteger d =
          BigInteger.valueOf(a.integers()[i]).subtract(BigInteger.valueOf(b.integers()[i]));
      sum = sum.add(d.multiply(d));
    }
    return sum;
  }

  /**
   * That no group moved by more than its sensitivity, without allowance. Gives the largest share of
   * a sensitivity that was used.
   */
  static double assertWithin(ClippedSum a, ClippedSum b, String what) {
    double largest = 0;
    BigDecimal step = new BigDecimal(Math.scalb(1.0, a.exponent()));
    for (int g = 0; g < a.groupEnds().length; g++) {
      BigDecimal square = new BigDecimal(squaredDistance(a, b, g)).multiply(step).multiply(step);
      double allowed = Math.min(a.sensitivities()[g], b.sensitivities()[g]);
      BigDecimal bound = new BigDecimal(allowed);
      double share = Math.sqrt(square.doubleValue()) / allowed;
      assertTrue(
          square.compareTo(bound.multiply(bound)) <= 0,
          what + ": group " + g + " moved by " + share + " of its sensitivity " + allowed);
      largest = Math.max(largest, share);
    }
    return largest;
  }

  // ---- seeded things

  static float[] parameters(Layout layout, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] theta = new float[layout.parameters()];
    for (Slice slice : layout.slices()) {
      Role role = slice.parameter().role();
      double size = role == Role.WEIGHT ? 1.3 / Math.sqrt(slice.parameter().fanIn()) : 0.3;
      for (int i = slice.offset(); i < slice.end(); i++) {
        theta[i] = (float) ((role == Role.SCALE ? 1 : 0) + size * random.nextDouble(-1, 1));
      }
    }
    return theta;
  }

  static Examples examples(Layout layout, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int size = layout.input().size();
    float[] inputs = new float[count * size];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] =
          layout.network().layers().get(0) instanceof Layer.Embedding table
              ? random.nextInt(table.vocabulary())
              : (float) random.nextDouble(-1.5, 1.5);
    }
    Loss loss = layout.network().loss();
    int weights = loss.balance().weights().size();
    boolean label = loss instanceof Loss.SoftmaxCrossEntropy || weights > 0;
    int targets = label ? 1 : layout.outputs();
    float[] values = new float[count * targets];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          label
              ? random.nextInt(Math.max(weights, layout.outputs()))
              : loss instanceof Loss.Logistic
                  ? random.nextInt(2)
                  : (float) random.nextDouble(-2, 2);
    }
    return Examples.of(layout.input(), inputs, targets, values);
  }

  /** Where decay applies. */
  enum Decayed {
    ALL,
    WEIGHTS
  }

  /** How slices are grouped. */
  enum Groups {
    ONE,
    /** Every slice by itself, in falling order. */
    EACH,
    /** Two groups by turns, and every third slice frozen. */
    SOME_FROZEN
  }

  static UnitRule rule(
      Layout layout, ClippingRule clipping, Groups groups, double decay, Decayed decayed) {
    int slices = layout.slices().size();
    int[] group = new int[slices];
    boolean[] decays = new boolean[slices];
    int trainable = 0;
    for (int s = 0; s < slices; s++) {
      group[s] =
          switch (groups) {
            case ONE -> 0;
            case EACH -> slices - 1 - s;
            case SOME_FROZEN -> s % 3 == 1 ? -1 : trainable++ % 2;
          };
      decays[s] =
          decayed == Decayed.ALL || layout.slices().get(s).parameter().role() == Role.WEIGHT;
    }
    return new UnitRule(clipping, group, decay, decays);
  }

  /** Thresholds of different sizes for the rule's groups. */
  static double[] thresholds(UnitRule rule, double first) {
    return IntStream.range(0, rule.groups())
        .mapToDouble(g -> first / (1 + 0.3 * (g % 3)))
        .toArray();
  }
}
