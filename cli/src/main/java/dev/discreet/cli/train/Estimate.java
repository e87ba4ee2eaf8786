package dev.discreet.cli.train;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a run will take, from a few steps on random inputs of its shape. No private row is looked
 * at: steps on those are on the ledger or are not taken.
 *
 * @param bytes of memory in use, the data among them
 */
record Estimate(double stepSeconds, double seconds, long bytes) {
  private static final double LEAST_SECONDS = 2;
  private static final double MOST_SECONDS = 6;
  private static final int LEAST_STEPS = 100;
  private static final int MOST_STEPS = 10_000;
  // A run this short needs no better estimate.
  private static final double SHORT_SECONDS = 10;
  private static final int LIMIT_LOT = 4096;
  // With these, to state what the steps cost takes no time, also where norms are estimated.
  private static final double NOISE = 1000;
  private static final double DELTA = 0.5;
  private static final int STORED_VALUES = 1 << 22;

  static Estimate of(TrainingSetup setup) {
    double whole = setup.plan().expectedUnits();
    double lot = Math.min(whole, LIMIT_LOT);
    ClippingRule clipping = setup.plan().clipping();
    boolean clips = !(clipping instanceof ClippingRule.None);
    PrivacyPlan plan =
        (clips ? PrivacyPlan.noise(NOISE).clip(1).clipping(clipping) : PrivacyPlan.nonPrivate())
            .lotSize(lot)
            .microBatch(setup.plan().microBatches().map(MicroBatches::size).orElse(1))
            .steps(MOST_STEPS)
            .build();
    var network = setup.layout().network();
    List<Double> times = new ArrayList<>();
    long[] live = new long[1];
    long begun = System.nanoTime();
    long steps = setup.plan().steps();
    (clips ? Trainer.of(network, plan) : Trainer.nonPrivate(network, plan))
        .learningRate(0)
        .delta(DELTA)
        .engine(setup.cpu())
        .evaluateEvery(MOST_STEPS)
        .listener(
            event -> {
              if (event instanceof Event.Timing timing) {
                times.add(timing.seconds());
                if (times.size() == MOST_STEPS || done(begun, steps, times)) {
                  System.gc();
                  Runtime java = Runtime.getRuntime();
                  live[0] = java.totalMemory() - java.freeMemory();
                }
              }
            })
        .stopWhen(event -> done(begun, steps, times))
        .train(inputs(setup), Units.each((int) setup.units()), null);
    // The quickest: Java compiles while the first ones run.
    double step = quickest(times) * (whole / lot);
    double evaluations = Math.ceil(setup.plan().epochs());
    double tested = setup.data().test().map(test -> test.examples().size()).orElse(0);
    // A forward pass alone is about a third of a step.
    double seconds = step * steps + evaluations * tested / whole * step / 3;
    if (setup.start().orElse(null) instanceof Pretraining before) {
      seconds += step * before.epochs() * before.examples().size() / whole;
    }
    return new Estimate(step, seconds, live[0]);
  }

  /** As long as steps are still getting quicker Java is still compiling them. */
  private static boolean done(long begun, long steps, List<Double> times) {
    double seconds = (System.nanoTime() - begun) * 1e-9;
    if (times.size() < 3 || times.size() < LEAST_STEPS && seconds < LEAST_SECONDS) {
      return false;
    }
    double quickest = quickest(times);
    return seconds > MOST_SECONDS
        || quickest * steps < SHORT_SECONDS
        || quickest > 0.8 * quickest(times.subList(0, times.size() / 2));
  }

  private static double quickest(List<Double> times) {
    return times.stream().mapToDouble(each -> each).min().orElse(0);
  }

  private static Examples inputs(TrainingSetup setup) {
    Shape shape = setup.layout().input();
    int targets = setup.data().train().examples().targets();
    int stored = Math.max(1, Math.min((int) setup.units(), STORED_VALUES / shape.size()));
    int units = (int) setup.units();
    SplittableRandom random = new SplittableRandom(1);
    float[] values = new float[stored * shape.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return new Examples() {
      @Override
      public int size() {
        return units;
      }

      @Override
      public Shape input() {
        return shape;
      }

      @Override
      public int targets() {
        return targets;
      }

      @Override
      public void input(int example, float[] to, int at) {
        System.arraycopy(values, example % stored * shape.size(), to, at, shape.size());
      }

      @Override
      public void target(int example, float[] to, int at) {
        for (int i = 0; i < targets; i++) {
          to[at + i] = 0;
        }
      }
    };
  }
}
