package dev.discreet.cli;

import dev.discreet.account.Account;
import dev.discreet.account.AccountFile;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.Purpose;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.cli.console.Threads;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Times training steps as users get them: sampling, gradients, clipping, grid, ledger, noise and
 * update of the private one; sampling, gradients and update of the plain one. A charged step is a
 * private one that is also on a journal and paid for by an account, both in files. All go through
 * the trainer, in turns, so that a busy machine troubles all alike.
 *
 * @param accounts the folder for accounts; empty where no charged steps are timed
 */
record StepBench(
    Network network,
    Shape input,
    int lot,
    int threads,
    int rounds,
    double seconds,
    Optional<Path> accounts) {
  /** As many units as MNIST has: sampling looks at each of them in every step. */
  private static final int UNITS = 60_000;

  /** Different examples in memory; the units share them. */
  private static final int STORED = 2_048;

  /** The time of each step, what it left for the garbage collector, and what stayed. */
  record Timing(double[] seconds, double allocatedBytes, long liveBytes) {
    double median() {
      return seconds[seconds.length / 2];
    }

    /** The disk is written to in one step of many, of which a median knows nothing. */
    double mean() {
      return Arrays.stream(seconds).average().orElseThrow();
    }
  }

  private enum Kind {
    PRIVATE,
    PLAIN,
    CHARGED
  }

  /**
   * @param charged empty where none were timed
   */
  record Outcome(Timing withPrivacy, Timing plain, Optional<Timing> charged) {}

  Outcome run() {
    Threads.limit(threads);
    Examples examples = examples();
    List<Kind> kinds =
        accounts.isPresent() ? List.of(Kind.values()) : List.of(Kind.PRIVATE, Kind.PLAIN);
    kinds.forEach(kind -> once(examples, kind));
    Map<Kind, List<Timing>> timings = new EnumMap<>(Kind.class);
    for (int round = 0; round < rounds; round++) {
      for (Kind kind : kinds) {
        timings.computeIfAbsent(kind, each -> new ArrayList<>()).add(once(examples, kind));
      }
    }
    return new Outcome(
        together(timings.get(Kind.PRIVATE)),
        together(timings.get(Kind.PLAIN)),
        Optional.ofNullable(timings.get(Kind.CHARGED)).map(StepBench::together));
  }

  private static Timing together(List<Timing> rounds) {
    double[] all =
        rounds.stream().flatMapToDouble(each -> Arrays.stream(each.seconds)).sorted().toArray();
    Timing last = rounds.get(rounds.size() - 1);
    return new Timing(all, last.allocatedBytes, last.liveBytes);
  }

  private Timing once(Examples examples, Kind kind) {
    PrivacyPlan plan =
        (kind == Kind.PLAIN ? PrivacyPlan.nonPrivate() : PrivacyPlan.noise(1.3).clip(1))
            .lotSize(lot)
            .steps(100_000)
            .build();
    return switch (kind) {
      case PRIVATE -> time(Trainer.of(network, plan), examples);
      case PLAIN -> time(Trainer.nonPrivate(network, plan), examples);
      case CHARGED -> charged(Trainer.of(network, plan), examples);
    };
  }

  /** With files in a folder of their own, which is deleted afterwards. */
  private Timing charged(Trainer trainer, Examples examples) {
    try {
      Path folder = Files.createTempDirectory(accounts.orElseThrow(), "bench");
      try {
        Account account =
            Account.open(
                new AccountFile(folder.resolve("bench.account")),
                new AccountTerms(
                    "example", "", Neighbouring.ADD_REMOVE, new PrivacyFilter(1000, 1e-5)));
        Purpose purpose = new Purpose("bench", "", "");
        return time(
            trainer
                .journal(folder.resolve("bench.journal"))
                .budget(() -> account.budget(Account.newRun(), purpose, "example")),
            examples);
      } finally {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path each : files.toList()) {
            Files.delete(each);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Timing time(Trainer trainer, Examples examples) {
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
