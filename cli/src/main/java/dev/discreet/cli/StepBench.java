package dev.discreet.cli;

import dev.discreet.cli.console.Threads;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Times training steps as users get them: sampling, gradients, clipping, grid, ledger, noise and
 * update of the private one; sampling, gradients and update of the plain one. Both go through the
 * trainer, in turns, so that a busy machine troubles both alike.
 */
record StepBench(Network network, Shape input, int lot, int threads, int rounds, double seconds) {
  /** As many units as MNIST has: sampling looks at each of them in every step. */
  private static final int UNITS = 60_000;

  /** Different examples in memory; the units share them. */
  private static final int STORED = 2_048;

  /** The time of each step, what it left for the garbage collector, and what stayed. */
  record Timing(double[] seconds, double allocatedBytes, long liveBytes) {
    double median() {
      return seconds[seconds.length / 2];
    }
  }

  record Outcome(Timing withPrivacy, Timing plain) {}

  Outcome run() {
    Threads.limit(threads);
    Examples examples = examples();
    once(examples, true);
    once(examples, false);
    List<Timing> withPrivacy = new ArrayList<>();
    List<Timing> plain = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      withPrivacy.add(once(examples, true));
      plain.add(once(examples, false));
    }
    return new Outcome(together(withPrivacy), together(plain));
  }

  private static Timing together(List<Timing> rounds) {
    double[] all =
        rounds.stream().flatMapToDouble(each -> Arrays.stream(each.seconds)).sorted().toArray();
    Timing last = rounds.get(rounds.size() - 1);
    return new Timing(all, last.allocatedBytes, last.liveBytes);
  }

  private Timing once(Examples examples, boolean withPrivacy) {
    PrivacyPlan plan =
        (withPrivacy ? PrivacyPlan.noise(1.3).clip(1) : PrivacyPlan.nonPrivate())
            .lotSize(lot)
            .steps(100_000)
            .build();
    Trainer trainer = withPrivacy ? Trainer.of(network, plan) : Trainer.nonPrivate(network, plan);
    List<Double> steps = new ArrayList<>();
    long[] allocated = new long[2];
    long[] live = new long[1];
    long end = System.nanoTime() + (long) (seconds * 1e9);
    trainer
        .learningRate(0.01)
        .evaluateEvery(1_000_000)
        .watchPrivate()
        .engine(Engine.standard().withThreads(threads))
        .listener(
            event -> {
              if (event instanceof Event.Timing timing) {
                steps.add(timing.seconds());
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
    double[] sorted = steps.stream().skip(1).mapToDouble(each -> each).sorted().toArray();
    return new Timing(sorted, (double) (allocated[1] - allocated[0]) / sorted.length, live[0]);
  }

  private static long allocatedByAll() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }

  private Examples examples() {
    SplittableRandom random = new SplittableRandom(1);
    int classes = network.on(input).outputs();
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
