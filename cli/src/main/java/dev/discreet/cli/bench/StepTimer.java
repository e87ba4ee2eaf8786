package dev.discreet.cli.bench;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * Times training steps as users get them: sampling, gradients, clipping, grid, ledger, noise and
 * update of the private one; sampling, gradients and update of the plain one. Both go through the
 * trainer, on generated examples.
 */
record StepTimer(String model, Network network, int lot, Examples examples) {
  /** As many units as MNIST has. */
  static final int UNITS = 60_000;

  /** Different examples in memory; the units share them. */
  private static final int STORED = 2_048;

  /** The network of a name or a text; one that classifies has ten classes unless told. */
  static Network network(String model) {
    return model.startsWith("linear") || model.contains("classes=")
        ? Network.named(model)
        : Network.named(model, 10);
  }

  /** The shape of an example, which may be null: as the model's data have it. */
  static Shape input(String model, String input) {
    return Shape.parse(input != null ? input : isCifar(model) ? "32x32x3" : "28x28x1");
  }

  static boolean isCifar(String model) {
    return model.startsWith("cifar-cnn");
  }

  /** The steps of that model. */
  static StepTimer of(String model, Shape input, int lot) {
    Network network = network(model);
    return new StepTimer(model, network, lot, examples(input, network.on(input).outputs()));
  }

  /**
   * What steps took.
   *
   * @param seconds of each step, in order of size
   * @param phases the mean seconds of each part of a step
   * @param allocatedBytes what a step left for the garbage collector
   * @param liveBytes what stayed
   */
  record Timing(
      double[] seconds, Map<StepPhase, Double> phases, double allocatedBytes, long liveBytes) {
    double median() {
      return seconds[seconds.length / 2];
    }

    /** The disk is written to in one step of many, of which a median knows nothing. */
    double mean() {
      return Arrays.stream(seconds).average().orElseThrow();
    }

    /** All steps of several rounds. */
    static Timing together(List<Timing> rounds) {
      double[] all =
          rounds.stream().flatMapToDouble(each -> Arrays.stream(each.seconds)).sorted().toArray();
      Map<StepPhase, Double> phases = new EnumMap<>(StepPhase.class);
      for (Timing each : rounds) {
        double share = (double) each.seconds.length / all.length;
        each.phases.forEach((phase, took) -> phases.merge(phase, share * took, Double::sum));
      }
      Timing last = rounds.get(rounds.size() - 1);
      return new Timing(all, phases, last.allocatedBytes, last.liveBytes);
    }
  }

  /** A run of private steps, or of plain ones. */
  Trainer trainer(boolean isPrivate) {
    PrivacyPlan plan =
        (isPrivate ? PrivacyPlan.noise(1.3).clip(1) : PrivacyPlan.nonPrivate())
            .lotSize(lot)
            .steps(100_000)
            .build();
    return isPrivate ? Trainer.of(network, plan) : Trainer.nonPrivate(network, plan);
  }

  /** Steps of that run for so many seconds, two at least; the first one is not among them. */
  Timing time(Trainer trainer, int threads, double seconds) {
    return time(trainer, Engine.standard().withThreads(threads), threads, seconds);
  }

  /** The same by any engine. */
  Timing time(Trainer trainer, Engine engine, int threads, double seconds) {
    // Random directions are drawn on the pool of whoever asks, so each run has one of its own size.
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      return pool.invoke(ForkJoinTask.adapt(() -> timed(trainer, engine, seconds)));
    } finally {
      pool.shutdown();
    }
  }

  private Timing timed(Trainer trainer, Engine engine, double seconds) {
    List<Event.Timing> steps = new ArrayList<>();
    long[] allocated = new long[2];
    long[] live = new long[1];
    long end = System.nanoTime() + (long) (seconds * 1e9);
    trainer
        .learningRate(0.01)
        .evaluateEvery(1_000_000)
        .watchPrivate()
        .engine(engine)
        .listener(
            event -> {
              if (event instanceof Event.Timing timing) {
                steps.add(timing);
                allocated[steps.size() == 1 ? 0 : 1] = allocatedByAll();
                if (System.nanoTime() > end) {
                  System.gc();
                  Runtime java = Runtime.getRuntime();
                  live[0] = java.totalMemory() - java.freeMemory();
                }
              }
            })
        .stopWhen(event -> System.nanoTime() > end && steps.size() > 2)
        .train(examples);
    List<Event.Timing> measured = steps.subList(1, steps.size());
    double[] sorted = measured.stream().mapToDouble(Event.Timing::seconds).sorted().toArray();
    Map<StepPhase, Double> phases = new EnumMap<>(StepPhase.class);
    for (Event.Timing each : measured) {
      each.phases()
          .forEach((phase, took) -> phases.merge(phase, took / sorted.length, Double::sum));
    }
    return new Timing(
        sorted, phases, (double) (allocated[1] - allocated[0]) / sorted.length, live[0]);
  }

  private static long allocatedByAll() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }

  private static Examples examples(Shape input, int classes) {
    SplittableRandom random = new SplittableRandom(1);
    float[] values = new float[STORED * input.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return new Examples() {
      @Override
      public int size() {
        return UNITS;
      }

      @Override
      public Shape input() {
        return input;
      }

      @Override
      public int targets() {
        return 1;
      }

      @Override
      public void input(int example, float[] to, int at) {
        int from = example % STORED * input.size();
        System.arraycopy(values, from, to, at, input.size());
      }

      @Override
      public void target(int example, float[] to, int at) {
        to[at] = example % classes;
      }
    };
  }
}
