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
    /** It is not. */
    NO,
    /** Only where no other format is sure. */
    PERHAPS,
    /** It is. */
    YES
  }

  /**
   * What a path of this format is.
   *
   * @return words as in "a table"
   */
  String label();

  /**
   * What its paths look like, for those who gave another.
   *
   * @return words as in "a .csv or .tsv file"
   */
  String paths();

  /**
   * How the names of its files end.
   *
   * @return in lower case; none where only folders are of this format
   */
  List<String> suffixes();

  /**
   * Whether a file or folder is of this format; unless told otherwise, by how the name of a file
   * ends. No private value is looked at.
   *
   * @param path the file or folder
   * @return how sure that is
   */
  default Claim claim(Path path) {
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    boolean file = !Files.isDirectory(path);
    return file && suffixes().stream().anyMatch(name::endsWith) ? Claim.YES : Claim.NO;
  }

  /**
   * What an owner may declare, besides a unit map and a public test. Anything else is refused.
   *
   * @return what has a meaning here
   */
  Set<Declaration> takes();

  /**
   * Whether a path may have a test part of its own.
   *
   * @return false where only a declaration makes one
   */
  boolean mayHaveTestPart();

  /**
   * Refuses a way of holding rows out that this format cannot keep under the relation.
   *
   * @param options what was declared
   */
  default void checkSplit(DataOptions options) {}

  /**
   * What was declared, with what it leaves open taken from public rows.
   *
   * @param path of the private rows
   * @param options what was declared
   * @return enough to read the rows by
   * @throws IOException where public rows cannot be read
   * @throws IllegalArgumentException where something is missing
   */
  default DataOptions completed(Path path, DataOptions options) throws IOException {
    return options;
  }

  /**
   * Reads private rows. One that does not fit what was declared counts as zero.
   *
   * @param path of this format
   * @param options as {@link #completed} gave them
   * @return the rows, and those of its own test part
   * @throws IOException where a file cannot be read
   */
  FileRows read(Path path, DataOptions options) throws IOException;

  /**
   * Reads rows that are declared public, to test on.
   *
   * @param path of this format
   * @param options those of the private rows, completed by their format
   * @return the rows, and those of its own test part
   * @throws IOException where a file cannot be read
   */
  default FileRows readPublic(Path path, DataOptions options) throws IOException {
    return read(path, options);
  }

  /**
   * Reads rows to predict, which need no labels. A row that does not fit is refused: nothing could
   * be said of it.
   *
   * @param file of this format
   * @param options what was declared of the rows that a model was trained on
   * @return empty where a file of this format comes with labels
   * @throws IOException where the file cannot be read, or a row does not fit
   */
  default Optional<Examples> readInputs(Path file, DataOptions options) throws IOException {
    return Optional.empty();
  }
}
