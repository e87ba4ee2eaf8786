package dev.discreet.cli.bench;

import dev.discreet.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measurements that a user can repeat. JMH benchmarks are in the bench module. */
@Command(
    name = "bench",
    description = "Repeats our measurements.",
    subcommands = {
      AccountantsCommand.class,
      StepCommand.class,
      ScalingCommand.class,
      DeviceCommand.class
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw Usage.verbMissing(spec);
  }
}
