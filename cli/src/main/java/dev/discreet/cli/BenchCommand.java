package dev.discreet.cli;

import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measurements that a user can repeat. JMH benchmarks are in the bench module. */
@Command(
    name = "bench",
    description = "Repeats our measurements.",
    subcommands = {BenchCommand.AccountantsCommand.class, BenchCommand.StepCommand.class})
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw Usage.verbMissing(spec);
  }

  /** The full totality run; a small seeded one is among the tests. */
  @Command(
      name = "accountants",
      description =
          "Asks every accountant about random settings and reports what must never happen.")
  static final class AccountantsCommand implements Callable<Integer> {
    @Option(
        names = "--cases",
        paramLabel = "N",
        defaultValue = "5000",
        converter = Quantity.Cases.class,
        description = "How many settings (default: ${DEFAULT-VALUE}).")
    private long cases;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        converter = Quantity.Seed.class,
        description = "Seed of the settings (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      boolean terminal = Boolean.getBoolean("discreet.terminal");
      AccountantSweep.Findings findings =
          AccountantSweep.run(
              (int) cases,
              seed,
              done -> {
                if (terminal || done % 100 == 0) {
                  PrintWriter err = spec.commandLine().getErr();
                  err.print(done + " of " + cases + (terminal ? "\r" : "\n"));
                  err.flush();
                }
              });
      PrintWriter out = spec.commandLine().getOut();
      findings.failures().forEach(out::println);
      out.printf(
          Locale.ROOT,
          "%d cases, %d failures; relative width at most 1%% in %.2f%% of the %d with epsilon in [1e-3, 1e3]; slowest answer"
              + " %.2f s%n",
          findings.cases(),
          findings.failures().size(),
          100 * findings.shareNarrow(),
          findings.judged(),
          findings.slowestSeconds());
      return findings.failures().isEmpty() ? 0 : 1;
    }
  }

  /** Private and plain steps of our engine; bench/peers has the peers'. */
  @Command(
      name = "step",
      description = "Times private and non-private training steps on generated data, in turns.")
  static final class StepCommand implements Callable<Integer> {
    @Option(
        names = "--model",
        paramLabel = "NAME",
        defaultValue = "mnist-cnn",
        description = "A model's name or its text form (default: ${DEFAULT-VALUE}).")
    private String model;

    @Option(
        names = "--input",
        paramLabel = "HxWxC",
        description =
            "Shape of an example (default: 32x32x3 for cifar-cnn, 28x28x1 for all others).")
    private String input;

    @Option(
        names = "--lot",
        paramLabel = "N",
        defaultValue = "600",
        converter = Quantity.Lot.class,
        description = "Expected lot size (default: ${DEFAULT-VALUE}).")
    private long lot;

    @Option(
        names = "--threads",
        paramLabel = "N",
        converter = Quantity.Threads.class,
        description = "Threads (default: one for each core).")
    private Long threads;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "5",
        converter = Quantity.Rounds.class,
        description = "Times that each kind is measured (default: ${DEFAULT-VALUE}).")
    private long rounds;

    @Option(
        names = "--seconds",
        paramLabel = "S",
        defaultValue = "2",
        converter = Quantity.Seconds.class,
        description = "Length of a measurement (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
        names = "--account-in",
        paramLabel = "FOLDER",
        description =
            "Also time private steps that are charged to an account, in new files of this folder,"
                + " which are deleted.")
    private Path accounts;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Spec private CommandSpec spec;

    /**
     * The network of this name; one that classifies has ten classes unless the name says how many.
     */
    private static Network network(String model) {
      return model.startsWith("linear") || model.contains("classes=")
          ? Network.named(model)
          : Network.named(model, 10);
    }

    @Override
    public Integer call() throws IOException {
      int cores = Runtime.getRuntime().availableProcessors();
      int crew = threads == null ? cores : Math.toIntExact(threads);
      String shape = input != null ? input : model.startsWith("cifar-cnn") ? "32x32x3" : "28x28x1";
      StepBench.Outcome outcome =
          new StepBench(
                  network(model),
                  Shape.parse(shape),
                  (int) lot,
                  crew,
                  (int) rounds,
                  seconds,
                  Optional.ofNullable(accounts))
              .run();
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("model", model);
      fields.put("lotSize", lot);
      fields.put("threads", crew);
      fields.put("private", fields(outcome.withPrivacy()));
      fields.put("nonPrivate", fields(outcome.plain()));
      double ratio = outcome.withPrivacy().median() / outcome.plain().median();
      fields.put("privateTimeOverNonPrivate", ratio);
      outcome
          .charged()
          .ifPresent(
              charged -> {
                fields.put("charged", fields(charged));
                fields.put(
                    "chargedMeanTimeOverPrivate", charged.mean() / outcome.withPrivacy().mean());
              });
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(Json.text(fields));
        return 0;
      }
      Table table = new Table();
      table.row("model", model + ", lot size " + lot + ", " + crew + " threads");
      table.row("private", text(outcome.withPrivacy()));
      table.row("non-private", text(outcome.plain()));
      table.row("private time", String.format(Locale.ROOT, "%.3f of the non-private", ratio));
      outcome
          .charged()
          .ifPresent(
              charged -> {
                table.row("charged to an account", text(charged));
                table.row(
                    "charged mean time",
                    String.format(
                        Locale.ROOT,
                        "%.3f of the private (%.3f and %.3f ms)",
                        charged.mean() / outcome.withPrivacy().mean(),
                        1e3 * charged.mean(),
                        1e3 * outcome.withPrivacy().mean()));
              });
      table.print(out);
      return 0;
    }

    private Map<String, Object> fields(StepBench.Timing timing) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("examplesPerSecond", lot / timing.median());
      fields.put("stepSeconds", timing.median());
      fields.put("steps", timing.seconds().length);
      fields.put("allocatedBytesPerStep", timing.allocatedBytes());
      fields.put("liveBytes", timing.liveBytes());
      return fields;
    }

    private String text(StepBench.Timing timing) {
      return String.format(
          Locale.ROOT,
          "%,.0f examples/s (%.2f ms a step, median of %d; %,.0f kB allocated a step)",
          lot / timing.median(),
          1e3 * timing.median(),
          timing.seconds().length,
          timing.allocatedBytes() / 1e3);
    }
  }
}
