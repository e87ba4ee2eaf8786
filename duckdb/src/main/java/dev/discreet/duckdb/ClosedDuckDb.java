package dev.discreet.duckdb;

import dev.discreet.accounting.Check;
import dev.discreet.data.TableRows;
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
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/**
 * DuckDB in memory, which may read one file and nothing else: no other file, no network, no
 * extension, and no setting can be changed any more.
 */
final class ClosedDuckDb implements Closeable {
  private final Connection connection;

  private ClosedDuckDb(Connection connection) {
    this.connection = connection;
  }

  /** The rows of a file, in its order. */
  static TableRows parquet(Path file) throws IOException {
    Path path = file.toAbsolutePath().normalize();
    Check.that(Files.isRegularFile(path), "data", "a file that exists", file);
    Check.that(
        name(path.toString(), File.separatorChar).matches("[^*?\\[\\]{}\\\\]*"),
        "path of a Parquet file",
        "without *, ?, brackets, braces and \\, which have a meaning of their own in DuckDB",
        file);
    try {
      ClosedDuckDb database = open(path);
      try {
        Statement statement = database.connection.createStatement();
        // Names of folders are no columns, and rows come in the order of the file.
        String sql = "select * from read_parquet(" + text(path) + ", hive_partitioning = false)";
        return new ResultRows(file.toString(), statement.executeQuery(sql), database);
      } catch (SQLException | RuntimeException e) {
        database.close();
        throw e;
      }
    } catch (SQLException e) {
      // Not what DuckDB says, which has the value of a cell where that is no UTF-8.
      throw FileErrors.file(
          file, "must be a Parquet file that is whole, with texts in UTF-8" + FileErrors.LABEL);
    }
  }

  /** One that may read a file. */
  static ClosedDuckDb open(Path file) throws SQLException {
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
              "set memory_limit = '1GB'",
              "set allowed_paths = [" + text(file) + "]",
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
