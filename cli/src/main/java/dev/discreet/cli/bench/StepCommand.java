package dev.discreet.cli.bench;

import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Threads;
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

/** Private and plain steps of our engine; bench/peers has the peers'. */
@Command(
    name = "step",
    description = "Times private and non-private training steps on generated data, in turns.")
final class StepCommand implements Callable<Integer> {
  @Option(
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "mnist-cnn",
      description = "A model's name or its text form (default: ${DEFAULT-VALUE}).")
  private String model;

  @Option(
      names = "--input",
      paramLabel = "HxWxC",
      description = "Shape of an example (default: 32x32x3 for cifar-cnn, 28x28x1 for all others).")
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
      description = "Threads (default: one for each processor that this Java may use).")
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

  @Override
  public Integer call() throws IOException {
    int crew = threads == null ? Threads.processors() : Math.toIntExact(threads);
    Threads.warn(crew, spec);
    StepBench.Outcome outcome =
        new StepBench(
                StepTimer.of(model, StepTimer.input(model, input), (int) lot),
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

  private Map<String, Object> fields(StepTimer.Timing timing) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("examplesPerSecond", lot / timing.median());
    fields.put("stepSeconds", timing.median());
    fields.put("steps", timing.seconds().length);
    fields.put("allocatedBytesPerStep", timing.allocatedBytes());
    fields.put("liveBytes", timing.liveBytes());
    fields.put("phaseSeconds", ScalingCommand.phases(timing));
    return fields;
  }

  private String text(StepTimer.Timing timing) {
    return String.format(
        Locale.ROOT,
        "%,.0f examples/s (%.2f ms a step, median of %d; %,.0f kB allocated a step)",
        lot / timing.median(),
        1e3 * timing.median(),
        timing.seconds().length,
        timing.allocatedBytes() / 1e3);
  }
}
