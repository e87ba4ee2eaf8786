package dev.discreet.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A script by which a shell completes verbs and options. */
@Command(
    name = "completion",
    description = "Prints a script that lets bash or zsh complete verbs and options.",
    footerHeading = "%n",
    footer = "Example: source <(discreet completion)")
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(AutoComplete.bash("discreet", spec.root().commandLine()));
    return 0;
  }
}
