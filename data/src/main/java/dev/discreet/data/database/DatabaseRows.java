package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;

/**
 * Asks a database for rows, in one transaction that only reads. However many there are, few are in
 * memory.
 */
final class DatabaseRows implements Closeable {
  /** Rows that come at once. */
  private static final int FETCHED = 4096;

  private final DatabaseDrivers drivers;
  private Connection connection;

  private DatabaseRows(DatabaseDrivers drivers) {
    this.drivers = drivers;
  }

  /**
   * Connects, and asks for the rows. Wherever it fails, nothing stays open.
   *
   * @param unit the column that says whose each row is; empty where each row is a unit
   */
  static TableRows open(
      String address, DatabaseSelection selection, Optional<String> unit, Properties login)
      throws IOException {
    DatabaseAddress.refuseSecrets(address);
    Check.that(
        selection.query().isPresent() || selection.table().isPresent(),
        "table",
        "named for " + address + ", as in --table visits",
        "none");
    Check.that(
        selection.query().isEmpty() || unit.isEmpty(),
        "unit column",
        "left out beside a query, by which one person may change another's rows (--table with --join"
            + " keeps each row its unit's)",
        unit.orElse(""));
    DatabaseRows source = new DatabaseRows(new DatabaseDrivers(selection.drivers()));
    try {
      source.connect(address, login);
      Connection connection = source.connection;
      TableQuery.Text asked =
          selection.query().isPresent()
              ? new TableQuery.Text(FreeQuery.sql(connection, selection.query().get()), 0)
              : TableQuery.of(connection, selection, unit);
      Statement statement = connection.createStatement();
      // MySQL's driver holds all rows in memory unless told so.
      statement.setFetchSize(address.startsWith("jdbc:mysql:") ? Integer.MIN_VALUE : FETCHED);
      String name = selection.table().map(table -> "table " + table).orElse("query");
      TableRows rows = new ResultRows(name, statement.executeQuery(asked.sql()), source);
      return asked.hidden() == 0 ? rows : new KeyedRows(rows, asked.hidden());
    } catch (SQLException e) {
      source.close();
      throw FileErrors.file(address, "cannot be read: " + ResultRows.reason(e) + FileErrors.LABEL);
    } catch (RuntimeException e) {
      source.close();
      throw e;
    }
  }

  private void connect(String address, Properties login) throws SQLException {
    Properties all = new Properties();
    all.putAll(login);
    if (address.startsWith("jdbc:postgresql:")) {
      all.setProperty("connectTimeout", "10");
      all.setProperty("ApplicationName", "discreet");
    }
    connection = drivers.of(address).connect(address, all);
    Check.that(connection != null, "address of a database", "one of its driver's", address);
    connection.setReadOnly(true);
    int level = Connection.TRANSACTION_REPEATABLE_READ;
    if (connection.getMetaData().supportsTransactionIsolationLevel(level)) {
      connection.setTransactionIsolation(level);
    }
    // In one transaction rows are of one moment, and PostgreSQL sends them little by little.
    connection.setAutoCommit(false);
  }

  @Override
  public void close() throws IOException {
    try (drivers;
        Connection closed = connection) {
      if (closed != null && !closed.getAutoCommit()) {
        closed.rollback();
      }
    } catch (SQLException e) {
      // Nothing was written, and whoever read has all rows, or an error of its own to tell.
    }
  }
}
