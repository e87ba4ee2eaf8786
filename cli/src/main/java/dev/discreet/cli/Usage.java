package dev.discreet.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Which options may stand together; each refusal is one line. */
final class Usage {
  private Usage() {}

  static void needed(Object value, String option) {
    if (value == null) {
      throw new IllegalArgumentException(option + " is missing");
    }
  }

  static void refuse(CommandSpec verb, String why, Iterable<String> options) {
    for (String option : options) {
      if (given(verb, option)) {
        throw new IllegalArgumentException(option + " " + why);
      }
    }
  }

  static void refuse(CommandSpec verb, String why, String... options) {
    refuse(verb, why, List.of(options));
  }

  /** Whether the option was written, as opposed to having its default. */
  static boolean given(CommandSpec verb, String option) {
    return verb.commandLine().getParseResult().hasMatchedOption(option);
  }
}
