package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Data by a name, by a path or by the address of a database. A name stands for a public set, which
 * may have to be fetched, or for one that is generated; everything that has a path or an address is
 * private, but for what is declared public.
 *
 * <pre>{@code
 * DataSet digits = DataSets.open("mnist", DataOptions.none());
 * DataSet people =
 *     DataSets.open(
 *         "people.csv",
 *         DataOptions.builder().label("employed=0|1").columns(List.of("age=0..120")).build());
 * }</pre>
 */
@PublicApi
public final class DataSets {
  private static final List<DataSource> SOURCES =
      ServiceLoader.load(DataSource.class, DataSets.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private DataSets() {}

  /**
   * Every known name.
   *
   * @return those of published sets, then those of generated ones
   */
  public static List<String> names() {
    return SOURCES.stream().flatMap(source -> source.names().stream()).toList();
  }

  /**
   * Opens data.
   *
   * @param nameOrPath a known name goes before a path: {@code ./mnist} is a folder called mnist
   * @param options what is declared of the data
   * @return examples to train on and to test on
   * @throws IOException where a file cannot be read, or a set cannot be fetched
   */
  public static DataSet open(String nameOrPath, DataOptions options) throws IOException {
    Optional<DataSource> source = source(nameOrPath);
    if (source.isPresent()) {
      options.allowOnly(source.get().takes(nameOrPath), nameOrPath);
      return source.get().open(nameOrPath, options);
    }
    return PrivateFile.of(path(nameOrPath), options).open();
  }

  /**
   * Opens the public rows to test on that were declared beside private rows elsewhere.
   *
   * @param own where the private rows lie; empty where that is not on this machine
   * @param options what is declared of the data
   * @param task what is to be predicted
   * @param input the shape of the private examples
   * @return empty where none were declared
   * @throws IOException where a file cannot be read, or a row does not fit
   */
  public static Optional<DataSet.Part> publicTest(
      Optional<Path> own, DataOptions options, Task task, Shape input) throws IOException {
    return options.publicTest().isEmpty()
        ? Optional.empty()
        : Optional.of(Split.whole(PrivateFile.publicRows(own, options, task, input), true));
  }

  /**
   * Opens rows to predict, where they come without labels.
   *
   * @param nameOrPath of a file that exists; of anything else the answer is empty
   * @param options what is declared of the data
   * @return empty where the data are of a kind that comes with labels
   * @throws IOException where the file cannot be read, or a row does not fit
   */
  public static Optional<Examples> openInputs(String nameOrPath, DataOptions options)
      throws IOException {
    Optional<DataSource> source = source(nameOrPath);
    if (source.isPresent()) {
      options.allowOnly(source.get().takes(nameOrPath), nameOrPath);
      return source.get().openInputs(nameOrPath, options);
    }
    if (!Files.isRegularFile(Path.of(nameOrPath))) {
      return Optional.empty();
    }
    Path file = Path.of(nameOrPath);
    DataFormat format = DataFormats.of(file);
    options.checkDatabase(format.takes(), file + ", " + format.label());
    return format.readInputs(file, options);
  }

  /**
   * Opens a table to go through its rows, whatever is declared of its columns.
   *
   * @param nameOrPath a database, or a file; one that no format knows by its name is taken for text
   * @param options how it is written, or which rows of a database are read
   * @return its rows, to be closed
   * @throws IOException where it cannot be read
   */
  public static TableRows openTable(String nameOrPath, DataOptions options) throws IOException {
    Optional<DataSource> source = source(nameOrPath);
    if (source.isPresent()) {
      return table(source.get().openTable(nameOrPath, options), nameOrPath);
    }
    Path path = path(nameOrPath);
    return table(path, options).open(path, options);
  }

  /**
   * The names of a table's columns. Of a file its beginning is read, and of a database no row.
   *
   * @param nameOrPath as in {@link #openTable}
   * @param options how it is written, or which rows of a database would be read
   * @return the names
   * @throws IOException where they cannot be read
   */
  public static TableHeader header(String nameOrPath, DataOptions options) throws IOException {
    Optional<DataSource> source = source(nameOrPath);
    if (source.isPresent()) {
      return table(source.get().header(nameOrPath, options), nameOrPath);
    }
    Path path = path(nameOrPath);
    return table(path, options).header(path, options);
  }

  /** The format of a table; it refuses joins where that has none. */
  private static TableFormat table(Path path, DataOptions options) {
    TableFormat format = DataFormats.table(path);
    options.checkDatabase(format.takes(), path + ", " + format.label());
    return format;
  }

  private static <T> T table(Optional<T> found, String name) {
    Check.that(found.isPresent(), "table", "one of rows and columns", name);
    return found.get();
  }

  /**
   * What there is to know of every name.
   *
   * @param options where copies of published sets may lie
   * @return a description of each, in the order of their names
   */
  public static List<DataDescription> list(DataOptions options) {
    return SOURCES.stream()
        .flatMap(source -> source.names().stream().map(name -> source.describe(name, options)))
        .toList();
  }

  /**
   * What may be told of data to anyone. Of a path it is what was declared, for its rows are not
   * read.
   *
   * @param nameOrPath as in {@link #open}
   * @param options what is declared of the data
   * @return the facts to show
   */
  public static DataDescription describe(String nameOrPath, DataOptions options) {
    return source(nameOrPath)
        .map(source -> source.describe(nameOrPath, options))
        .orElseGet(() -> PrivateFile.of(path(nameOrPath), options).describe());
  }

  /**
   * What may be declared of a set, or of a path by its format.
   *
   * @param nameOrPath as in {@link #open}
   * @return besides a unit map and a public test, which every path takes
   */
  public static Set<Declaration> takes(String nameOrPath) {
    return source(nameOrPath)
        .map(source -> source.takes(nameOrPath))
        .orElseGet(() -> DataFormats.of(Path.of(nameOrPath)).takes());
  }

  /**
   * What a set is normalised by unless told.
   *
   * @param name of a set, or a path
   * @return nothing of tables, and nothing of paths
   */
  public static PixelScale scale(String name) {
    return source(name).map(source -> source.scale(name)).orElse(PixelScale.NONE);
  }

  /**
   * Whether two paths have rows in common.
   *
   * @param one a file or folder
   * @param other another
   * @return whether one is the other, lies inside it, or is a copy of it; never where one does not
   *     exist
   * @throws IOException where a file cannot be read
   */
  public static boolean overlap(Path one, Path other) throws IOException {
    if (!Files.exists(one) || !Files.exists(other)) {
      return false;
    }
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

  private static Optional<DataSource> source(String name) {
    return SOURCES.stream().filter(source -> source.knows(name)).findFirst();
  }

  private static Path path(String text) {
    try {
      Path path = Path.of(text);
      if (!text.isBlank() && Files.exists(path)) {
        return path;
      }
    } catch (InvalidPathException e) {
      // It is no path, and the message below says so.
    }
    // No name was meant, so a list of names would not help.
    Check.that(!DataFormats.looksLikePath(text), "data", "a file or folder that exists", text);
    String hint =
        NearestName.to(text, names()).map(name -> "; did you mean " + name + "?").orElse("");
    throw new IllegalArgumentException(
        "data must be one of "
            + String.join(", ", names())
            + ", or "
            + DataFormats.paths()
            + ". Provided value: "
            + text
            + hint);
  }
}
