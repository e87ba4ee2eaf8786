package dev.discreet.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** What {@code --help} shows, for those who type a verb. */
@Command(name = "help", description = "Shows this help, or that of a verb.")
final class HelpCommand implements Runnable {

  @Parameters(paramLabel = "VERB", arity = "0..*", description = "The verb, or a verb and its own.")
  private List<String> verbs = List.of();

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine command = spec.parent().commandLine();
    for (String verb : verbs) {
      CommandLine next = command.getSubcommands().get(verb);
      if (next == null) {
        throw new UnmatchedArgumentException(command, List.of(verb));
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
  }
}
