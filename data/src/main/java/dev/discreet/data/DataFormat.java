package dev.discreet.data;

import dev.discreet.core.engine.Examples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A format of private files or folders. It knows which paths are its own, what their owner may
 * declare, and how they are read. Formats are found by {@link java.util.ServiceLoader}: a new one
 * is one class and one line in {@code META-INF/services/dev.discreet.data.DataFormat}.
 */
public interface DataFormat {

  /** How sure a format is that a path is its own. */
  enum Claim {
    NO,
    /** Only where no other format is sure. */
    PERHAPS,
    YES
  }

  /** What a path of this format is, as in "a table". */
  String label();

  /** What its paths look like, for those who gave another, as in "a .csv or .tsv file". */
  String paths();

  /** How the names of its files end, in lower case; empty where only folders are of this format. */
  List<String> suffixes();

  /**
   * Whether a file or folder is of this format; unless told otherwise, by how the name of a file
   * ends. No private value is looked at.
   */
  default Claim claim(Path path) {
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    boolean file = !Files.isDirectory(path);
    return file && suffixes().stream().anyMatch(name::endsWith) ? Claim.YES : Claim.NO;
  }

  /** What an owner may declare, besides a unit map and a public test. Anything else is refused. */
  Set<Declaration> takes();

  /** Whether a path may have a test part of its own. */
  boolean mayHaveTestPart();

  /** Refuses a way of holding rows out that this format cannot keep under the relation. */
  default void checkSplit(DataOptions options) {}

  /**
   * What was declared, with what it leaves open taken from public rows.
   *
   * @throws IllegalArgumentException where something is missing
   */
  default DataOptions completed(Path path, DataOptions options) throws IOException {
    return options;
  }

  /**
   * Reads private rows. One that does not fit what was declared counts as zero.
   *
   * @param options as {@link #completed} gave them
   */
  FileRows read(Path path, DataOptions options) throws IOException;

  /**
   * Reads rows that are declared public, to test on.
   *
   * @param options those of the private rows, completed by their format
   */
  default FileRows readPublic(Path path, DataOptions options) throws IOException {
    return read(path, options);
  }

  /**
   * Reads rows to predict, which need no labels. A row that does not fit is refused: nothing could
   * be said of it. Empty where a file of this format comes with labels.
   */
  default Optional<Examples> readInputs(Path file, DataOptions options) throws IOException {
    return Optional.empty();
  }
}
