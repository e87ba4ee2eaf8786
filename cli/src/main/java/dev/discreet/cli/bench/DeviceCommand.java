package dev.discreet.cli.bench;

import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Threads;
import dev.discreet.core.engine.Engine;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** An engine on a device beside the engine of the cores: sums, and steps. */
@Command(
    name = "device",
    description = {
      "Holds the sums of an engine on a device against those of this machine's cores, and times its"
          + " private steps, on generated data. Prints Markdown.",
      "bench/results/cuda.md keeps what it printed on one machine."
    })
final class DeviceCommand implements Callable<Integer> {
  private static final Pattern OUTSIDE_BRACKETS = Pattern.compile(",(?![^(]*\\))");

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      defaultValue = "cuda",
      description = "The engine on a device (default: ${DEFAULT-VALUE}).")
  private String engine;

  @Option(
      names = "--models",
      paramLabel = "NAME[,NAME...]",
      defaultValue = "mnist-cnn,cifar-cnn,mlp(1000)",
      description = "Models' names or text forms, with commas between (default: ${DEFAULT-VALUE}).")
  private String models;

  @Option(
      names = "--input",
      paramLabel = "HxWxC",
      description = "Shape of an example (default: 32x32x3 for cifar-cnn, 28x28x1 for all others).")
  private String input;

  @Option(
      names = "--lots",
      paramLabel = "N",
      split = ",",
      defaultValue = "600,1024,4096",
      converter = Quantity.Lot.class,
      description = "Expected lot sizes, with commas between (default: ${DEFAULT-VALUE}).")
  private List<Long> lots;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "3",
      converter = Quantity.Seconds.class,
      description = "Length of a measurement (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Engine on = Engine.named(engine);
    Engine cores = Engine.standard();
    out.println(
        "Engine `" + engine + "`: " + (on.device().isEmpty() ? "this machine" : on.device()) + ".");
    out.println();
    out.println(
        "| model | lot | off from the cores' sum | one unit less moves it by | the same again |");
    out.println("| --- | --- | --- | --- | --- |");
    for (String model : OUTSIDE_BRACKETS.split(models)) {
      for (long lot : lots) {
        DeviceSums.Outcome found =
            new DeviceSums(StepTimer.of(model, StepTimer.input(model, input), (int) lot), on, cores)
                .compare();
        out.printf(
            Locale.ROOT,
            "| `%s` | %,d | %.1e of its length | %.6f of its sensitivity | %s |%n",
            model,
            lot,
            found.difference(),
            found.moved(),
            found.isSame() ? "yes" : "no");
        out.flush();
      }
    }
    out.println();
    out.println("| model | lot | a private step, ms | examples a second | the sum, ms |");
    out.println("| --- | --- | --- | --- | --- |");
    for (String model : OUTSIDE_BRACKETS.split(models)) {
      for (long lot : lots) {
        StepTimer timer = StepTimer.of(model, StepTimer.input(model, input), (int) lot);
        double sum = new DeviceSums(timer, on, cores).seconds();
        StepTimer.Timing step = timer.time(timer.trainer(true), on, Threads.processors(), seconds);
        out.printf(
            Locale.ROOT,
            "| `%s` | %,d | %.3f | %,.0f | %.3f |%n",
            model,
            lot,
            1e3 * step.median(),
            lot / step.median(),
            1e3 * sum);
        out.flush();
      }
    }
    return 0;
  }
}
