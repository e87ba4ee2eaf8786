package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Drivers of databases: those of this program, and those of jars that the user puts beside it. A
 * jar's driver sees Java and itself, not this program.
 */
final class DatabaseDrivers implements Closeable {
  static final String POSTGRESQL = "jdbc:postgresql:";

  private static final String VARIABLE = "DISCREET_DRIVERS";

  private final List<Path> jars;
  private final URLClassLoader loader;

  /**
   * @param jars besides those that DISCREET_DRIVERS lists
   */
  DatabaseDrivers(List<Path> jars) {
    String listed = System.getenv(VARIABLE);
    this.jars =
        Stream.concat(
                jars.stream(),
                Stream.of((listed == null ? "" : listed).split(File.pathSeparator))
                    .filter(each -> !each.isBlank())
                    .map(Path::of))
            .toList();
    this.loader =
        new URLClassLoader(
            this.jars.stream().map(DatabaseDrivers::url).toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path jar) {
    Check.that(Files.isRegularFile(jar), "driver", "a jar that exists", jar);
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("driver must be a jar. Provided value: " + jar, e);
    }
  }

  /**
   * The driver of an address; of two, that of a jar. Of this program's own drivers it is
   * PostgreSQL's alone: the others read files, each closed in a way of its own, or are there by
   * chance.
   */
  Driver of(String address) {
    return find(loader, address)
        .or(
            () ->
                address.startsWith(POSTGRESQL)
                    ? find(DatabaseDrivers.class.getClassLoader(), address)
                    : Optional.empty())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "driver of "
                        + address.replaceFirst("^(jdbc:[^:/?]*).*", "$1")
                        + " must be in a jar that --driver or "
                        + VARIABLE
                        + " names. Provided value: "
                        + (jars.isEmpty() ? "none" : jars)));
  }

  private Optional<Driver> find(ClassLoader from, String address) {
    try {
      for (Driver each : ServiceLoader.load(Driver.class, from)) {
        if (each.acceptsURL(address)) {
          return Optional.of(each);
        }
      }
      return Optional.empty();
    } catch (SQLException | ServiceConfigurationError | LinkageError e) {
      throw new IllegalArgumentException(
          Check.line("driver must be one that Java can load. Provided value: " + jars + " (" + e)
              + ")",
          e);
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
