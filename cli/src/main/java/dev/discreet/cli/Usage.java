package dev.discreet.cli;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.PrivacyUnit;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Which options may stand together; each refusal is one line. */
public final class Usage {
  /** The options by which a verb that takes all kinds of data is told whose each row is. */
  public static final String OWNERS = "--unit-column or --unit-map";

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

  /**
   * Whom a verb protects. A noun for people over rows that are taken one by one would promise what
   * is not kept.
   *
   * @param noun null for the default
   * @param owners the options by which data say whose each row is
   * @param owned whether one of those is given
   */
  public static PrivacyUnit unit(String noun, String owners, boolean owned, boolean oneRowEach) {
    if (owned && oneRowEach) {
      throw new IllegalArgumentException(
          "--one-row-each cannot stand beside " + owners + ": that says whose each row is");
    }
    PrivacyUnit unit =
        new PrivacyUnit(noun != null ? noun : owned ? "unit" : "example", oneRowEach);
    Check.that(
        owned || oneRowEach || unit.isNobodys(),
        "unit",
        "given with "
            + owners
            + ", to say whose each row is, or with --one-row-each, which declares that each "
            + noun
            + " has one (without, each row is protected by itself, as an example)",
        noun);
    return unit;
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
