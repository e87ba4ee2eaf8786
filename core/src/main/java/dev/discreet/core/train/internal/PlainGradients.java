package dev.discreet.core.train.internal;

import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.StepClock;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.ParameterRange;
import dev.discreet.core.parallel.ParallelBlocks;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Mean gradients with neither clipping nor noise, for a run that is non-private by name. Lots and
 * division are those of the private run, so that the two can be compared, and so is what becomes of
 * an example that cannot be used.
 */
public final class PlainGradients implements MeanGradients {
  private final PublicGradients gradients;
  private final ResolvedPlan plan;
  private final Units units;
  private final PrivacySession session;
  private final double decay;
  private final boolean hasViews;
  private final List<ParameterRange> ranges;
  private final double[] sum;
  private final ExampleReader reader;
  private final float[] input;
  private final BitSet read = new BitSet();
  private final BitSet usable = new BitSet();
  private StepClock clock = new StepClock();
  private long refused;

  /**
   * @param rule of which decay and views count; without clipping decay is the penalty ½λ‖θ‖²
   */
  public PlainGradients(
      PublicGradients gradients,
      Layout layout,
      LocalData data,
      ResolvedPlan plan,
      PrivacySession session,
      UnitRule rule,
      List<ParameterRange> ranges) {
    this.gradients = gradients;
    this.plan = plan;
    this.units = data.units();
    this.session = session;
    this.decay = rule.decay();
    this.hasViews = rule.augmentation().hasViews();
    this.ranges = ranges;
    this.sum = new double[layout.parameters()];
    this.reader = new ExampleReader(layout, data.examples());
    this.input = new float[layout.input().size()];
  }

  @Override
  public void at(long step, float[] theta, float[] gradient, double[] variances) {
    session.chargeUnprotected(plan, step);
    clock.spent(StepPhase.CHARGE);
    int[] lot = plan.sampler().lot(session.samplingKey(), step, units);
    int[][] examples = Arrays.stream(lot).mapToObj(this::usable).toArray(int[][]::new);
    int[] chosen = Arrays.stream(examples).flatMapToInt(Arrays::stream).toArray();
    clock.spent(StepPhase.LOT);
    if (hasViews) {
      gradients.gradientSum(theta, chosen, choices(step, lot, examples), sum);
    } else {
      gradients.gradientSum(theta, chosen, sum);
    }
    clock.spent(StepPhase.GRADIENTS);
    double expected = plan.expectedLot();
    ParallelBlocks.each(
        0,
        sum.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            gradient[i] = (float) (sum[i] / expected);
          }
        });
    if (decay != 0) {
      long there = Arrays.stream(examples).filter(each -> each.length > 0).count();
      float share = (float) (decay * there / plan.expectedLot());
      for (ParameterRange range : ranges) {
        for (int i = range.from(); range.decayed() && i < range.to(); i++) {
          gradient[i] += share * theta[i];
        }
      }
    }
    clock.spent(StepPhase.MEAN);
  }

  /** For each example that counts, what its views are drawn by. */
  private long[] choices(long step, int[] lot, int[][] examples) {
    long[] ofUnits = session.samplingKey().choices(step, units, lot);
    return IntStream.range(0, lot.length)
        .boxed()
        .flatMapToLong(i -> LongStream.range(0, examples[i].length).map(j -> ofUnits[i] ^ j))
        .toArray();
  }

  /** Those of a unit's examples that count. */
  private int[] usable(int unit) {
    int[] examples =
        IntStream.range(0, units.size(unit))
            .map(i -> units.example(unit, i))
            .filter(this::isUsable)
            .toArray();
    refused += examples.length < units.size(unit) ? 1 : 0;
    return examples;
  }

  private boolean isUsable(int example) {
    if (!read.get(example)) {
      read.set(example);
      usable.set(example, reader.read(example, input, 0));
    }
    return usable.get(example);
  }

  @Override
  public void timedBy(StepClock stepClock) {
    this.clock = stepClock;
    gradients.timedBy(stepClock);
  }

  @Override
  public long refusedUnits() {
    return refused;
  }

  @Override
  public void close() {
    gradients.close();
  }
}
