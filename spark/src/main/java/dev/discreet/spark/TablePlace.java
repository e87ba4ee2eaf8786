package dev.discreet.spark;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a table on a cluster lies.
 *
 * @param kind how it is read
 * @param place a URL, or the name of a table
 * @param here the path, where it lies on this machine
 */
record TablePlace(Kind kind, String place, Optional<Path> here) {
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";

  /** How a table is read. */
  enum Kind {
    CSV(".csv", ".tsv", ".tab", ".csv.gz", ".tsv.gz", ".tab.gz"),
    PARQUET(".parquet"),
    TABLE;

    private final List<String> suffixes;

    Kind(String... suffixes) {
      this.suffixes = List.of(suffixes);
    }

    /** Whether a file is of this kind, by its name. */
    boolean claims(String name) {
      String lower = name.toLowerCase(Locale.ROOT);
      return suffixes.stream().anyMatch(lower::endsWith);
    }

    private static Optional<Kind> of(String name) {
      return Stream.of(values()).filter(kind -> kind.claims(name)).findFirst();
    }
  }

  /** What a path, a URL or a name stands for; no row is looked at. */
  static TablePlace of(String data) {
    Optional<Path> path = path(data);
    if (path.isPresent()) {
      String place = "file:" + path.get().toAbsolutePath().normalize();
      return new TablePlace(kind(path.get()), place, path);
    }
    Check.that(!data.startsWith("file:"), "data", "a path, without file: before it", data);
    if (data.matches("[a-z][a-z0-9+.-]*://.+")) {
      Optional<Kind> kind = Kind.of(data.replaceFirst("/+$", ""));
      Check.that(kind.isPresent(), "data at a URL", "called .parquet, .csv or .tsv", data);
      return new TablePlace(kind.get(), data, Optional.empty());
    }
    Check.that(
        !data.contains("/") && Kind.of(data).isEmpty(),
        "data",
        "a file or folder that exists",
        data);
    Check.that(
        data.matches(NAME + "(\\." + NAME + "){0,2}"),
        "data on a cluster",
        "a .parquet, .csv or .tsv file, a folder of such files, or the name of a table",
        data);
    return new TablePlace(Kind.TABLE, data, Optional.empty());
  }

  private static Optional<Path> path(String data) {
    try {
      return Optional.of(Path.of(data)).filter(each -> !data.isBlank() && Files.exists(each));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Kind kind(Path path) {
    Set<Kind> kinds;
    if (Files.isDirectory(path)) {
      try (Stream<Path> files = Files.walk(path)) {
        kinds =
            files
                .filter(each -> !isHidden(path.relativize(each)))
                .filter(Files::isRegularFile)
                .flatMap(each -> Kind.of(each.getFileName().toString()).stream())
                .collect(Collectors.toSet());
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    } else {
      kinds = Kind.of(path.getFileName().toString()).stream().collect(Collectors.toSet());
    }
    Check.that(
        kinds.size() == 1,
        "data on a cluster",
        "a .parquet, .csv or .tsv file, or a folder of files of one such kind",
        path);
    Check.that(
        path.toString().matches("[^*?\\[\\]{}\\\\]*"),
        "path of data on a cluster",
        "without *, ?, brackets, braces and \\, which have a meaning of their own there",
        path);
    return kinds.iterator().next();
  }

  /** Spark passes over what begins so, in folders. */
  private static boolean isHidden(Path inside) {
    for (Path part : inside) {
      if (part.toString().startsWith("_") || part.toString().matches("\\..+")) {
        return true;
      }
    }
    return false;
  }

  /** As a report shows it. */
  String name() {
    return here.map(path -> path.toAbsolutePath().normalize().getFileName().toString())
        .orElseGet(() -> place.replaceFirst("/+$", "").replaceFirst("^.*/", ""));
  }
}
