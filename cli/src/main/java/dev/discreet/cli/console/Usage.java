package dev.discreet.cli.console;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Which options may stand together; each refusal is one line. */
public final class Usage {
  private Usage() {}

  /** A verb with verbs of its own was given none. */
  public static ParameterException verbMissing(CommandSpec at) {
    String verbs = String.join(", ", at.subcommands().keySet());
    return new ParameterException(
        at.commandLine(),
        "a verb is missing; one of " + verbs + " (" + at.qualifiedName() + " --help says more)");
  }

  /** Tells all that is missing at once. */
  public static void needed(List<String> missing) {
    if (!missing.isEmpty()) {
      String are = missing.size() == 1 ? " is missing" : " are missing";
      throw new IllegalArgumentException(String.join(", ", missing) + are);
    }
  }

  public static void refuse(CommandSpec verb, String why, Iterable<String> options) {
    for (String option : options) {
      if (given(verb, option)) {
        throw new IllegalArgumentException(option + " " + why);
      }
    }
  }

  public static void refuse(CommandSpec verb, String why, String... options) {
    refuse(verb, why, List.of(options));
  }

  /** Whether the option was written, as opposed to having its default. */
  public static boolean given(CommandSpec verb, String option) {
    return verb.commandLine().getParseResult().hasMatchedOption(option);
  }
}
