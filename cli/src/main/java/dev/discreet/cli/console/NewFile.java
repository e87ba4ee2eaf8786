package dev.discreet.cli.console;

import dev.discreet.accounting.Check;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that an option names to be written, where nothing may be lost. */
public final class NewFile {
  private NewFile() {}

  /**
   * Refuses a file that is there, such as the rows that are read, or whose folder is not.
   *
   * @param option its name without dashes
   */
  public static void check(String option, Path file) {
    Check.that(!Files.exists(file), option, "a new file", file);
    Path folder = file.toAbsolutePath().getParent();
    Check.that(
        folder != null && Files.isDirectory(folder),
        option,
        "a file in a folder that exists",
        file);
  }
}
