package dev.discreet.duckdb;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataSets;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import dev.discreet.data.database.JoinedFiles;
import dev.discreet.data.database.ResultRows;
import dev.discreet.data.internal.FileErrors;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.duckdb.DuckDBDriver;

/**
 * DuckDB in memory, which may read one file, or those to join, and nothing else: no other file, no
 * network, no extension, and no setting can be changed any more.
 */
final class ClosedDuckDb implements Closeable {
  /** In bytes, for the rows of one file, which come little by little. */
  static final long MEMORY = 1_000_000_000;

  private final Connection connection;

  private ClosedDuckDb(Connection connection) {
    this.connection = connection;
  }

  /** The rows of a file, in its order. */
  static TableRows parquet(Path file) throws IOException {
    Path path = checked("data", file);
    try {
      ClosedDuckDb database = open(List.of(path), MEMORY);
      try {
        Statement statement = database.connection.createStatement();
        // Rows come in the order of the file.
        return new ResultRows(
            file.toString(), statement.executeQuery("select * from " + read(path)), database);
      } catch (SQLException | RuntimeException e) {
        database.close();
        throw e;
      }
    } catch (SQLException e) {
      throw notWhole(file);
    }
  }

  /** The rows of files that are joined. */
  static TableRows joined(Path file, DatabaseSelection selection, Optional<String> unit)
      throws IOException {
    ClosedDuckDb database = withViews(file, selection);
    try {
      return database.files(file, selection, unit).rows(database);
    } catch (SQLException e) {
      database.close();
      throw FileErrors.file(
          file,
          "must be joined with Parquet files that are whole, with texts in UTF-8, and with rows that"
              + " fit into a quarter of the memory (--table-columns reads fewer columns)"
              + FileErrors.LABEL);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** The names of their columns. */
  static TableHeader header(Path file, DatabaseSelection selection, Optional<String> unit)
      throws IOException {
    try (ClosedDuckDb database = withViews(file, selection)) {
      return database.files(file, selection, unit).header();
    } catch (SQLException e) {
      throw notWhole(file);
    }
  }

  private JoinedFiles files(Path file, DatabaseSelection selection, Optional<String> unit) {
    List<String> names = new ArrayList<>(List.of(file.toString()));
    selection.joins().forEach(join -> names.add(join.table()));
    return new JoinedFiles(connection, names, selection, unit);
  }

  /** One that has each file as a table. */
  private static ClosedDuckDb withViews(Path file, DatabaseSelection selection) throws IOException {
    List<Path> files = new ArrayList<>(List.of(checked("data", file)));
    for (DatabaseSelection.Join join : selection.joins()) {
      Check.that(
          join.table().toLowerCase(Locale.ROOT).endsWith(".parquet"),
          "join",
          "with another .parquet file (of text, types would be guessed from rows, so that one could"
              + " change others)",
          join.table());
      Path other = checked("join", Path.of(join.table()));
      for (Path each : files) {
        // A slip here would declare people's rows public.
        Check.that(
            !DataSets.overlap(each, other), "join", "with other rows than before", join.table());
      }
      files.add(other);
    }
    Path last = file;
    try {
      ClosedDuckDb database = open(files, Math.max(MEMORY, Runtime.getRuntime().maxMemory() / 4));
      try (Statement statement = database.connection.createStatement()) {
        for (int i = 0; i < files.size(); i++) {
          last = files.get(i);
          statement.execute(
              "create view " + JoinedFiles.view(i) + " as select * from " + read(last));
        }
        return database;
      } catch (SQLException | RuntimeException e) {
        database.close();
        throw e;
      }
    } catch (SQLException e) {
      throw notWhole(last);
    }
  }

  /** What DuckDB says may have the value of a cell, where that is no UTF-8. */
  private static IOException notWhole(Path file) {
    return FileErrors.file(
        file, "must be a Parquet file that is whole, with texts in UTF-8" + FileErrors.LABEL);
  }

  /** A file that is there, by a path that means one file alone. */
  private static Path checked(String what, Path file) {
    Path path = file.toAbsolutePath().normalize();
    Check.that(Files.isRegularFile(path), what, "a file that exists", file);
    Check.that(
        name(path.toString(), File.separatorChar).matches("[^*?\\[\\]{}\\\\]*"),
        "path of a Parquet file",
        "without *, ?, brackets, braces and \\, which have a meaning of their own in DuckDB",
        file);
    return path;
  }

  /** A file as SQL reads it. Names of folders are no columns. */
  private static String read(Path path) {
    return "read_parquet(" + text(path) + ", hive_partitioning = false)";
  }

  /**
   * One that may read some files.
   *
   * @param memory what it may take, in bytes
   */
  static ClosedDuckDb open(List<Path> files, long memory) throws SQLException {
    Properties how = new Properties();
    how.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", how);
    try (Statement statement = connection.createStatement()) {
      for (String each :
          List.of(
              "set autoinstall_known_extensions = false",
              "set autoload_known_extensions = false",
              "set allow_community_extensions = false",
              "set allow_persistent_secrets = false",
              "set temp_directory = ''",
              "set preserve_insertion_order = true",
              "set memory_limit = '" + memory + "B'",
              "set allowed_paths = "
                  + files.stream()
                      .map(ClosedDuckDb::text)
                      .collect(Collectors.joining(", ", "[", "]")),
              "set enable_external_access = false",
              "set lock_configuration = true")) {
        statement.execute(each);
      }
      return new ClosedDuckDb(connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** For tests of what it refuses. */
  Connection connection() {
    return connection;
  }

  private static String text(Path path) {
    return "'" + name(path.toString(), File.separatorChar).replace("'", "''") + "'";
  }

  /** A path as DuckDB takes it on every system. */
  static String name(String path, char separator) {
    return path.replace(separator, '/');
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException("DuckDB cannot be closed: " + ResultRows.reason(e), e);
    }
  }
}
