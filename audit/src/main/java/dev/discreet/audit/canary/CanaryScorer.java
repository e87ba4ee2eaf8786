package dev.discreet.audit.canary;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.ParameterGroups;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much a release looks as if a canary were in its lot: on average 0 where it is not, and at
 * most 1 where it is. The score is the released sum, less what the other units add on average,
 * along the direction of what the canary would add, in units of the threshold. Against Gaussian
 * noise no other score of one release is better.
 *
 * <p>The noise of a score is that of the step divided by the threshold, whatever the parameters
 * are. It must not depend on how long the canary's gradient is: a canary that is in gets learned,
 * its gradient becomes short, and scores that then scatter more would tell of many steps where they
 * are judged as those of one.
 *
 * <p>An adversary computes it: from the released gradient, the public parameters and the rows,
 * through the engine's public door. Neither lots nor noise are known here.
 */
final class CanaryScorer implements AutoCloseable {
  // Above this many numbers a step, the other units' gradients are left in: the score is then less
  // sharp, and as valid.
  private static final long MOST_OTHERS = 20_000_000;

  private final ResolvedPlan plan;
  private final int parameters;
  // Of each parameter; −1 where it is frozen.
  private final int[] group;
  private final Units canaryUnits;
  private final PublicGradients canaries;
  private final Units otherUnits;
  // Null where the others' gradients are too many.
  private final PublicGradients others;
  private double[] thresholds;

  CanaryScorer(
      Layout layout,
      List<String> frozen,
      ResolvedPlan plan,
      Engine engine,
      LocalData rows,
      List<Canary> made) {
    this.plan = plan;
    this.parameters = layout.parameters();
    this.group = new int[parameters];
    int[] bySlice = ParameterGroups.groups(layout, frozen, List.of(), plan.groups());
    for (int i = 0; i < bySlice.length; i++) {
      Arrays.fill(group, layout.slices().get(i).offset(), layout.slices().get(i).end(), bySlice[i]);
    }
    Examples own = CanaryRows.canaryExamples(rows.examples(), made);
    int[][] examples = new int[made.size()][];
    int next = 0;
    for (int i = 0; i < examples.length; i++) {
      int from = next;
      next += made.get(i).examples(rows.input());
      examples[i] = IntStream.range(from, next).toArray();
    }
    this.canaryUnits = Units.of(IntStream.range(0, made.size()).asLongStream().toArray(), examples);
    this.canaries = engine.open(layout, own);
    this.otherUnits = rows.units();
    this.others =
        (long) rows.examples().size() * parameters <= MOST_OTHERS
            ? engine.open(layout, rows.examples())
            : null;
    this.thresholds = plan.thresholds(0);
  }

  /** Takes the thresholds of the next step, where they are adaptive. */
  void thresholds(List<Double> moved) {
    thresholds = moved.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The score of each canary at a step. */
  double[] of(long step, float[] theta, float[] gradient) {
    double[] limits = plan.adaptive().isPresent() ? thresholds : plan.thresholds(step);
    double[] sum = new double[parameters];
    for (int i = 0; i < parameters; i++) {
      sum[i] = gradient[i] * plan.expectedLot();
    }
    if (others != null) {
      double rate = plan.expectedLot() / plan.sampler().units();
      eachUnit(
          others,
          otherUnits,
          theta,
          limits,
          (unit, added, factors) -> {
            for (int i = 0; i < parameters; i++) {
              sum[i] -= group[i] < 0 ? 0 : rate * factors[group[i]] * added[i];
            }
          });
    }
    double threshold = Math.sqrt(Arrays.stream(limits).map(each -> each * each).sum());
    double[] scores = new double[canaryUnits.count()];
    eachUnit(
        canaries,
        canaryUnits,
        theta,
        limits,
        (unit, added, factors) -> {
          double along = 0;
          double square = 0;
          for (int i = 0; i < parameters; i++) {
            if (group[i] >= 0) {
              double adds = factors[group[i]] * added[i];
              along += sum[i] * adds;
              square += adds * adds;
            }
          }
          scores[unit] = square > 0 ? along / (Math.sqrt(square) * threshold) : 0;
        });
    return scores;
  }

  /** How much less a model's loss on each canary is than another's. */
  double[] lossFallen(float[] from, float[] to) {
    double[] fallen = new double[canaryUnits.count()];
    for (int c = 0; c < fallen.length; c++) {
      int[] examples = examples(canaryUnits, c);
      double change = canaries.loss(from, examples) - canaries.loss(to, examples);
      fallen[c] = Double.isNaN(change) ? 0 : change;
    }
    return fallen;
  }

  private static int[] examples(Units units, int unit) {
    return IntStream.range(0, units.size(unit)).map(i -> units.example(unit, i)).toArray();
  }

  /** Takes what a unit adds to a sum: its gradient, times a factor for each clipping group. */
  private interface Adds {
    void to(int unit, float[] gradient, double[] factors);
  }

  private void eachUnit(
      PublicGradients source, Units units, float[] theta, double[] limits, Adds adds) {
    int[] examples =
        IntStream.range(0, units.count())
            .flatMap(unit -> Arrays.stream(examples(units, unit)))
            .toArray();
    float[][] gradients = source.perExampleGradients(theta, examples);
    double[] squares = new double[limits.length];
    double[] factors = new double[limits.length];
    int next = 0;
    for (int unit = 0; unit < units.count(); unit++) {
      float[] sum = units.size(unit) == 0 ? new float[parameters] : gradients[next];
      for (int i = 1; i < units.size(unit); i++) {
        for (int j = 0; j < parameters; j++) {
          sum[j] += gradients[next + i][j];
        }
      }
      next += units.size(unit);
      Arrays.fill(squares, 0);
      for (int i = 0; i < parameters; i++) {
        if (group[i] >= 0) {
          squares[group[i]] += (double) sum[i] * sum[i];
        }
      }
      for (int g = 0; g < factors.length; g++) {
        factors[g] = plan.clipping().factor(Math.sqrt(squares[g]), limits[g]);
      }
      // What is not finite counts as zero.
      if (Arrays.stream(squares).allMatch(Double::isFinite)) {
        adds.to(unit, sum, factors);
      }
    }
  }

  @Override
  public void close() {
    canaries.close();
    if (others != null) {
      others.close();
    }
  }
}
