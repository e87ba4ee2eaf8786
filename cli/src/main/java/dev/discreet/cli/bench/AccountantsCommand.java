package dev.discreet.cli.bench;

import dev.discreet.cli.console.Quantity;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The full totality run; a small seeded one is among the tests. */
@Command(
    name = "accountants",
    description = "Asks every accountant about random settings and reports what must never happen.")
final class AccountantsCommand implements Callable<Integer> {
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
