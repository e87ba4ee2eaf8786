package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.data.named.NamedSet;
import dev.discreet.data.named.NamedSets;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Data by a name or by a path. A name stands for a public set, which may have to be fetched, or for
 * one that is generated; everything that has a path is private, but for what is declared public.
 */
public final class DataSets {
  static final String PATHS =
      "a path: a folder of IDX files, of CIFAR batches or of class/image files (or its .tar.gz or"
          + " .zip), or a file .csv, .tsv, .npy, .npz or IDX with labels";

  private DataSets() {}

  /** Every known name. */
  public static List<String> names() {
    return Stream.concat(
            NamedSets.all().stream().map(NamedSet::name), GeneratedSets.names().stream())
        .toList();
  }

  /**
   * @param nameOrPath a known name goes before a path: {@code ./mnist} is a folder called mnist
   */
  public static DataSet open(String nameOrPath, DataOptions options) throws IOException {
    Optional<NamedSet> set = NamedSets.find(nameOrPath);
    if (set.isPresent()) {
      return NamedSets.open(set.get(), options);
    }
    if (GeneratedSets.names().contains(nameOrPath)) {
      options.allowOnly(Set.of(), nameOrPath);
      return GeneratedSets.make(nameOrPath, options.seed());
    }
    return PrivateFile.of(path(nameOrPath), options).open();
  }

  /** Makes sure that a named set is here and genuine, and says in which folder. */
  public static Path fetch(String name, DataOptions options) throws IOException {
    NamedSet set =
        NamedSets.find(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "name of a set to fetch must be one of "
                            + String.join(
                                ", ", NamedSets.all().stream().map(NamedSet::name).toList())
                            + ". Provided value: "
                            + name));
    return NamedSets.fetch(set, options);
  }

  /** What there is to know of every name. */
  public static List<DataDescription> list(DataOptions options) {
    List<DataDescription> all = new ArrayList<>();
    NamedSets.all().forEach(set -> all.add(Descriptions.of(set, options)));
    GeneratedSets.names().forEach(name -> all.add(Descriptions.of(GeneratedSets.describe(name))));
    return all;
  }

  /** What may be told to anyone; of a path what was declared, for its rows are not read. */
  public static DataDescription describe(String nameOrPath, DataOptions options) {
    Optional<NamedSet> set = NamedSets.find(nameOrPath);
    if (set.isPresent()) {
      return Descriptions.of(set.get(), options);
    }
    if (GeneratedSets.names().contains(nameOrPath)) {
      return Descriptions.of(GeneratedSets.describe(nameOrPath));
    }
    return Descriptions.of(PrivateFile.of(path(nameOrPath), options));
  }

  /** Whether this is a path to images in folders, of which input and classes are declared. */
  public static boolean isImages(String nameOrPath) {
    return !names().contains(nameOrPath)
        && Files.exists(Path.of(nameOrPath))
        && PrivateFile.kind(Path.of(nameOrPath)) == PrivateFile.Kind.IMAGES;
  }

  /** Whether one of these is the other, lies inside it, or is a copy of it. */
  public static boolean overlap(Path one, Path other) throws IOException {
    Path a = one.toRealPath();
    Path b = other.toRealPath();
    return a.startsWith(b) || b.startsWith(a) || isCopy(a, b);
  }

  /** Two files of the same bytes, or two folders of such files under the same names. */
  static boolean isCopy(Path one, Path other) throws IOException {
    if (Files.isDirectory(one) != Files.isDirectory(other)) {
      return false;
    }
    List<Path> names = files(one);
    if (!names.equals(files(other))) {
      return false;
    }
    for (Path name : names) {
      if (Files.mismatch(one.resolve(name), other.resolve(name)) >= 0) {
        return false;
      }
    }
    return !names.isEmpty();
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
    }
  }

  private static Path path(String text) {
    try {
      Path path = Path.of(text);
      if (!text.isBlank() && Files.exists(path)) {
        return path;
      }
    } catch (InvalidPathException e) {
      // Then it is no path, and is told so below.
    }
    // A name was not meant, and a list of them would not help.
    Check.that(!looksLikePath(text), "data", "a file or folder that exists", text);
    String hint =
        NearestName.to(text, names()).map(name -> "; did you mean " + name + "?").orElse("");
    throw new IllegalArgumentException(
        "data must be one of "
            + String.join(", ", names())
            + ", or "
            + PATHS
            + ". Provided value: "
            + text
            + hint);
  }

  private static boolean looksLikePath(String text) {
    return text.contains("/")
        || text.contains(File.separator)
        || text.toLowerCase(Locale.ROOT)
            .matches(
                ".*(\\.(csv|tsv|tab|npy|npz|zip|gz|tgz|tar|bin|idx|txt|xlsx?|parquet)|-ubyte)");
  }
}
