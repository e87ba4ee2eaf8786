package dev.discreet.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measurements that a user can repeat. JMH benchmarks are in the bench module. */
@Command(
    name = "bench",
    description = "Repeat our measurements.",
    subcommands = BenchCommand.AccountantsCommand.class)
final class BenchCommand {

  /** The full totality run; a small seeded one is among the tests. */
  @Command(
      name = "accountants",
      description = "Ask every accountant about random settings and report what must never happen.")
  static final class AccountantsCommand implements Callable<Integer> {
    @Option(
        names = "--cases",
        defaultValue = "5000",
        description = "How many settings (default: ${DEFAULT-VALUE}).")
    private int cases;

    @Option(
        names = "--seed",
        defaultValue = "1",
        description = "Seed of the settings (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public Integer call() {
      boolean terminal = Boolean.getBoolean("discreet.terminal");
      AccountantSweep.Findings findings =
          AccountantSweep.run(
              cases,
              seed,
              done -> {
                if (terminal || done % 100 == 0) {
                  System.err.print(done + " of " + cases + (terminal ? "\r" : "\n"));
                }
              });
      findings.failures().forEach(System.out::println);
      System.out.printf(
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
}
