package dev.discreet.cli.train;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
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
  private static final double LIMIT_SECONDS = 2;
  private static final int LIMIT_STEPS = 100;
  private static final int LIMIT_LOT = 4096;
  // With these, to state what the steps cost takes no time, also where norms are estimated.
  private static final double NOISE = 1000;
  private static final double DELTA = 0.5;
  private static final int STORED_VALUES = 1 << 22;

  static Estimate of(TrainingSetup setup) {
    double whole = setup.plan().expectedLot();
    double lot = Math.min(whole, LIMIT_LOT);
    ClippingRule clipping = setup.plan().clipping();
    boolean clips = !(clipping instanceof ClippingRule.None);
    PrivacyPlan plan =
        (clips ? PrivacyPlan.noise(NOISE).clip(1).clipping(clipping) : PrivacyPlan.nonPrivate())
            .lotSize(lot)
            .steps(LIMIT_STEPS)
            .build();
    var network = setup.layout().network();
    List<Double> times = new ArrayList<>();
    long[] live = new long[1];
    long end = System.nanoTime() + (long) (LIMIT_SECONDS * 1e9);
    (clips ? Trainer.of(network, plan) : Trainer.nonPrivate(network, plan))
        .learningRate(0)
        .delta(DELTA)
        .engine(setup.cpu())
        .evaluateEvery(LIMIT_STEPS)
        .listener(
            event -> {
              if (event instanceof Event.Timing timing) {
                times.add(timing.seconds());
                if (times.size() == LIMIT_STEPS || done(end, times)) {
                  System.gc();
                  Runtime java = Runtime.getRuntime();
                  live[0] = java.totalMemory() - java.freeMemory();
                }
              }
            })
        .stopWhen(event -> done(end, times))
        .train(inputs(setup), Units.each((int) setup.units()), null);
    // The quickest: Java compiles while the first ones run.
    double step = times.stream().mapToDouble(each -> each).min().orElse(0) * (whole / lot);
    double evaluations = Math.ceil(setup.plan().epochs());
    double tested = setup.data().test().map(test -> test.examples().size()).orElse(0);
    // A forward pass alone is about a third of a step.
    double seconds = step * setup.plan().steps() + evaluations * tested / whole * step / 3;
    return new Estimate(step, seconds, live[0]);
  }

  private static boolean done(long end, List<Double> times) {
    return times.size() >= 3 && System.nanoTime() > end;
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
