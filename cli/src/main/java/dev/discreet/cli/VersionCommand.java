package dev.discreet.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What {@code --version} shows, for those who type a verb. */
@Command(name = "version", description = "Shows the version.")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.parent().commandLine().printVersionHelp(spec.commandLine().getOut());
  }
}
