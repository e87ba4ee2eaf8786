package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataFormat.Claim;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The formats of private files that are on the class path. */
public final class DataFormats {
  private static final List<DataFormat> ALL =
      ServiceLoader.load(DataFormat.class, DataFormats.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  /** How the names of tables end that other programs can export as CSV. */
  private static final String EXPORTED =
      ".*\\.(xls|xlsb|ods|parquet|feather|arrow|orc|sav|dta|rds|sas7bdat)";

  private DataFormats() {}

  /**
   * All of them.
   *
   * @return in the order in which they are asked
   */
  public static List<DataFormat> all() {
    return ALL;
  }

  /**
   * The format of a file or folder.
   *
   * @param path one that exists
   * @return the first that is sure, or else the first that may be right
   * @throws IllegalArgumentException where no format claims the path
   */
  public static DataFormat of(Path path) {
    Optional<DataFormat> found = claimed(path, Claim.YES).or(() -> claimed(path, Claim.PERHAPS));
    Path name = path.getFileName();
    Check.that(
        found.isPresent(),
        "data",
        paths() + "; " + name + " is none of these: " + advice(lower(name.toString())),
        path);
    return found.get();
  }

  private static Optional<DataFormat> claimed(Path path, Claim claim) {
    return ALL.stream().filter(format -> format.claim(path) == claim).findFirst();
  }

  private static String advice(String name) {
    if (name.endsWith(".parquet")) {
      return "the module discreet-duckdb reads it, where that is on the class path";
    }
    return name.matches(EXPORTED)
        ? "export this one as .csv"
        : "a table as text is to be called .csv or .tsv, by its delimiter";
  }

  /**
   * The format of a file that is read by its columns.
   *
   * @param file a table
   * @return by the name of the file, or else plain text
   * @throws IllegalArgumentException where the name says that it is something else
   */
  public static TableFormat table(Path file) {
    List<TableFormat> tables =
        ALL.stream().filter(TableFormat.class::isInstance).map(TableFormat.class::cast).toList();
    Optional<TableFormat> known =
        tables.stream().filter(format -> format.claim(file) == Claim.YES).findFirst();
    String name = lower(file.getFileName().toString());
    Check.that(
        known.isPresent() || !name.matches(EXPORTED), "table", "text: " + advice(name), file);
    return known
        .or(() -> tables.stream().filter(TableFormat::readsAnyText).findFirst())
        .orElseThrow();
  }

  /**
   * The same, which refuses what was declared and means nothing for the format.
   *
   * @param file a table
   * @param options how it is written
   * @return its format
   */
  public static TableFormat table(Path file, DataOptions options) {
    TableFormat format = table(file);
    options.allowOnly(format.takes(), file.getFileName().toString());
    return format;
  }

  /** What a path may be. */
  static String paths() {
    List<String> each = ALL.stream().map(DataFormat::paths).toList();
    int last = each.size() - 1;
    return "a path: " + String.join(", ", each.subList(0, last)) + " or " + each.get(last);
  }

  /** Whether a text that names nothing was meant as a path. */
  static boolean looksLikePath(String text) {
    String name = lower(text);
    return text.contains("/")
        || text.contains(File.separator)
        || name.matches(EXPORTED)
        || Stream.concat(
                ALL.stream().flatMap(format -> format.suffixes().stream()),
                Stream.of(".gz", ".bin", ".txt"))
            .anyMatch(name::endsWith);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
