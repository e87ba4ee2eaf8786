package dev.discreet.core.train;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Units;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How long a run will take and how much memory, from a few steps on random inputs of its shape. No
 * private row is looked at: a step on private rows is either charged or not taken.
 *
 * @param stepSeconds of one step
 * @param seconds of the whole run, with its evaluations
 * @param bytes of memory in use, the data among them
 * @param fileBytes of the temporary file for features that are computed once; 0 where there are
 *     none
 */
public record Estimate(double stepSeconds, double seconds, long bytes, long fileBytes) {
  private static final double LEAST_SECONDS = 2;
  private static final double MOST_SECONDS = 10;
  // Java compiles for less than this share of the time: its code is about as quick as it will be.
  private static final double QUIET_SHARE = 0.2;
  private static final int MOST_STEPS = 10_000;
  // A run this short needs no better estimate.
  private static final double SHORT_SECONDS = 10;
  private static final int LIMIT_LOT = 4096;
  private static final double NOISE = 1000;
  private static final int STORED_VALUES = 1 << 22;
  private static final int FEW = 1024;

  static Estimate of(PreparedRun run) {
    double whole = run.plan().expectedUnits();
    double lot = Math.min(whole, LIMIT_LOT);
    ClippingRule clipping = run.plan().clipping();
    boolean clips = clipping.bounds();
    PrivacyPlan plan =
        (clips ? PrivacyPlan.noise(NOISE).clip(1).clipping(clipping) : PrivacyPlan.nonPrivate())
            .lotSize(lot)
            .microBatch(run.plan().microBatches().map(MicroBatches::size).orElse(1))
            .steps(MOST_STEPS)
            .build();
    // Features are computed once, so no step tells what they take.
    Layout trained = run.layout().afterFeatures();
    Network network = trained.network();
    Pace pace = new Pace(run.plan().steps());
    long[] live = new long[1];
    Trainer trainer =
        (clips ? Trainer.of(network, plan) : Trainer.nonPrivate(network, plan))
            .learningRate(0)
            .augmentation(run.rule().augmentation())
            .engine(run.engine())
            .evaluateEvery(MOST_STEPS)
            .freeze(frozen(run, trained))
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
            .stopWhen(event -> pace.known());
    PrivateData rows =
        PrivateData.of(inputs(run, trained.input(), units(run)), Units.each(units(run)));
    new TrainingRun(trainer.prepare(rows, null)).rehearse();
    double step = pace.quickest() * (whole / lot);
    double evaluations = Math.ceil(run.plan().epochs());
    TestSet test = run.test();
    double tested = test == null || !test.isHere() ? 0 : test.examples().size();
    // A forward pass alone is about a third of a step.
    double seconds = step * run.plan().steps() + evaluations * tested / whole * step / 3;
    long bytes =
        live[0]
            + run.plan()
                .overTime()
                .map(shared -> (long) shared.bands() * Long.BYTES * trained.parameters())
                .orElse(0L);
    if (trained == run.layout()) {
      return new Estimate(step, seconds, bytes, 0);
    }
    // Features of mirror images are kept too.
    double images = (double) run.rule().augmentation().views() * units(run) + tested;
    return new Estimate(
        step,
        seconds + images * featureSeconds(run),
        bytes,
        (long) images * trained.input().size() * Short.BYTES);
  }

  /** Layers that stand still, by their names in a network that lacks the layer of features. */
  private static String[] frozen(PreparedRun run, Layout trained) {
    int gone = run.layout().nodes().size() - trained.nodes().size();
    return run.options().frozen().stream()
        .map(
            layer -> {
              String[] parts = layer.split("\\.", 2);
              String place = Integer.toString(Integer.parseInt(parts[0]) - gone);
              return parts.length == 1 ? place : place + "." + parts[1];
            })
        .toArray(String[]::new);
  }

  /**
   * How long the features of one example take, after as many that Java compiled while it worked.
   */
  private static double featureSeconds(PreparedRun run) {
    Examples few = inputs(run, run.layout().input(), FEW);
    double seconds = 0;
    for (int i = 0; i < 2; i++) {
      long began = System.nanoTime();
      run.engine().open(run.layout(), few).close();
      seconds = (System.nanoTime() - began) * 1e-9;
    }
    return seconds / FEW;
  }

  /**
   * With so many steps more, of a phase before the run.
   *
   * @param steps may be a fraction, of lots that are smaller
   */
  public Estimate plus(double steps) {
    return new Estimate(stepSeconds, seconds + stepSeconds * steps, bytes, fileBytes);
  }

  private static int units(PreparedRun run) {
    return Math.toIntExact(run.plan().declaredUnits());
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

  private static Examples inputs(PreparedRun run, Shape shape, int units) {
    int targets = run.data().targets();
    int stored = Math.max(1, Math.min(units, STORED_VALUES / shape.size()));
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
