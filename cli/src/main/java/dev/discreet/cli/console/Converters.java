package dev.discreet.cli.console;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import java.nio.file.Path;
import picocli.CommandLine;

/** How options of kinds of our own are read, by every command that is parsed. */
public final class Converters {
  private Converters() {}

  /** The same command, which knows them. */
  public static CommandLine registered(CommandLine command) {
    return command
        .setExpandAtFiles(false)
        .registerConverter(Path.class, Converters::file)
        .registerConverter(Neighbouring.class, Neighbouring::of)
        .registerConverter(SingleMechanism.class, SingleMechanism::of);
  }

  private static Path file(String name) {
    Check.that(!name.isBlank(), "file", "named", name);
    return Path.of(name);
  }
}
