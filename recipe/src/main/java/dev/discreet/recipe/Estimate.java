package dev.discreet.recipe;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import dev.discreet.recipe.setup.Pretraining;
import dev.discreet.recipe.setup.TrainingSetup;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a run will take, from a few steps on random inputs of its shape. No private row is looked
 * at: steps on those are on the ledger or are not taken.
 *
 * @param bytes of memory in use, the data among them
 */
public record Estimate(double stepSeconds, double seconds, long bytes) {
  private static final double LEAST_SECONDS = 2;
  private static final double MOST_SECONDS = 10;
  // Java compiles for less than this share of the time: its code is about as quick as it will be.
  private static final double QUIET_SHARE = 0.2;
  private static final int MOST_STEPS = 10_000;
  // A run this short needs no better estimate.
  private static final double SHORT_SECONDS = 10;
  private static final int LIMIT_LOT = 4096;
  // With these, to state what the steps cost takes no time, also where norms are estimated.
  private static final double NOISE = 1000;
  private static final double DELTA = 0.5;
  private static final int STORED_VALUES = 1 << 22;

  public static Estimate of(TrainingSetup setup) {
    double whole = setup.plan().expectedUnits();
    double lot = Math.min(whole, LIMIT_LOT);
    ClippingRule clipping = setup.plan().clipping();
    boolean clips = clipping.bounds();
    PrivacyPlan plan =
        (clips ? PrivacyPlan.noise(NOISE).clip(1).clipping(clipping) : PrivacyPlan.nonPrivate())
            .lotSize(lot)
            .microBatch(setup.plan().microBatches().map(MicroBatches::size).orElse(1))
            .steps(MOST_STEPS)
            .build();
    var network = setup.layout().network();
    Pace pace = new Pace(setup.plan().steps());
    long[] live = new long[1];
    (clips ? Trainer.of(network, plan) : Trainer.nonPrivate(network, plan))
        .learningRate(0)
        .delta(DELTA)
        .engine(setup.engine())
        .evaluateEvery(MOST_STEPS)
        .watchPrivate()
        .listener(
            event -> {
              if (event instanceof Event.Timing timing) {
                pace.add(timing.seconds());
                if (pace.known()) {
                  System.gc();
                  Runtime java = Runtime.getRuntime();
                  live[0] = java.totalMemory() - java.freeMemory();
                }
              }
            })
        .stopWhen(event -> pace.known())
        .train(inputs(setup), Units.each((int) setup.units()), null);
    double step = pace.quickest() * (whole / lot);
    double evaluations = Math.ceil(setup.plan().epochs());
    double tested = setup.data().test().map(test -> test.examples().size()).orElse(0);
    // A forward pass alone is about a third of a step.
    double seconds = step * setup.plan().steps() + evaluations * tested / whole * step / 3;
    if (setup.start().orElse(null) instanceof Pretraining before) {
      seconds += step * before.epochs() * before.examples().size() / whole;
    }
    return new Estimate(step, seconds, live[0]);
  }

  /** The times of steps, and whether Java was still compiling them. */
  private static final class Pace {
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private final long planned;
    private final List<Double> times = new ArrayList<>();
    private final List<Double> ends = new ArrayList<>();
    private final List<Double> compiled = new ArrayList<>();
    private final long begun = System.nanoTime();

    Pace(long planned) {
      this.planned = planned;
    }

    void add(double seconds) {
      times.add(seconds);
      ends.add((System.nanoTime() - begun) * 1e-9);
      compiled.add(compileSeconds());
    }

    /** The first steps are slow: Java compiles while they run. */
    double quickest() {
      return times.stream().mapToDouble(each -> each).min().orElse(0);
    }

    boolean known() {
      int last = times.size() - 1;
      if (last < 2) {
        return false;
      }
      double seconds = ends.get(last);
      double busy = compiled.get(last) - compiled.get(last / 2);
      return seconds > MOST_SECONDS
          || last + 1 == MOST_STEPS
          || quickest() * planned < SHORT_SECONDS
          || seconds > LEAST_SECONDS && busy < QUIET_SHARE * (seconds - ends.get(last / 2));
    }

    private static double compileSeconds() {
      return COMPILER != null && COMPILER.isCompilationTimeMonitoringSupported()
          ? COMPILER.getTotalCompilationTime() * 1e-3
          : 0;
    }
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
