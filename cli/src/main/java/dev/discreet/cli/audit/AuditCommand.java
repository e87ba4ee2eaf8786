package dev.discreet.cli.audit;

import dev.discreet.cli.console.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tries to prove the guarantee wrong. */
@Command(
    name = "audit",
    description = "Tries to prove the guarantee wrong.",
    subcommands = AuditMembershipCommand.class)
public final class AuditCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw Usage.verbMissing(spec);
  }
}
