package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Asks a database for rows, in one transaction that only reads. However many there are, few are in
 * memory.
 */
final class DatabaseRows implements Closeable {
  /** Rows that come at once. */
  private static final int FETCHED = 4096;

  /**
   * Classes of SQLSTATE that tell of the query, the permission, the connection or the server, and
   * of no row.
   */
  private static final String TOLD = "(08|0A|28|3D|3F|42|53|57|58)...";

  /** Types whose text drivers make as they like, perhaps another one whenever it is read. */
  private static final Set<Integer> TEXTLESS =
      Set.of(
          Types.ARRAY,
          Types.STRUCT,
          Types.REF,
          Types.REF_CURSOR,
          Types.ROWID,
          Types.DATALINK,
          Types.JAVA_OBJECT);

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
    return asking(
        address,
        selection,
        unit,
        login,
        (source, asked) -> {
          Statement statement = source.connection.createStatement();
          // MySQL's driver holds all rows in memory unless told so.
          statement.setFetchSize(address.startsWith("jdbc:mysql:") ? Integer.MIN_VALUE : FETCHED);
          ResultSet answer = answer(statement, asked, address, login);
          TableRows rows = new ResultRows(name(selection), answer, source);
          return asked.hidden() == 0 ? rows : new KeyedRows(rows, asked.hidden(), unit.isPresent());
        });
  }

  /** The names of the columns of these rows. No row is asked for. */
  static TableHeader header(
      String address, DatabaseSelection selection, Optional<String> unit, Properties login)
      throws IOException {
    return asking(
        address,
        selection,
        unit,
        login,
        (source, asked) -> {
          try (source;
              PreparedStatement prepared = source.connection.prepareStatement(asked.sql())) {
            ResultSetMetaData known = prepared.getMetaData();
            Check.that(
                known != null, "driver", "one that tells the columns of a query", "none told");
            List<String> all = ResultRows.header(name(selection), known);
            return new TableHeader(name(selection), all.subList(0, all.size() - asked.hidden()));
          }
        });
  }

  private static String name(DatabaseSelection selection) {
    return selection.table().map(table -> "table " + table).orElse("query");
  }

  /** What is done with a connection, and what is asked for. */
  private interface Asking<T> {
    T of(DatabaseRows source, TableQuery.Text asked) throws IOException, SQLException;
  }

  private static <T> T asking(
      String address,
      DatabaseSelection selection,
      Optional<String> unit,
      Properties login,
      Asking<T> then)
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
      return then.of(
          source,
          selection.query().isPresent()
              ? new TableQuery.Text(FreeQuery.sql(connection, selection.query().get()), 0, true)
              : TableQuery.of(connection, selection, unit));
    } catch (SQLException e) {
      source.close();
      String reason = DatabaseLogin.hidden(login, ResultRows.reason(e));
      throw FileErrors.file(address, "cannot be read: " + reason + FileErrors.LABEL);
    } catch (IOException | RuntimeException e) {
      source.close();
      throw e;
    }
  }

  /** Sends the query. What fails from here on may have to do with rows, and then quotes none. */
  private static ResultSet answer(
      Statement statement, TableQuery.Text asked, String address, Properties login)
      throws IOException, SQLException {
    ResultSet rows;
    try {
      rows = statement.executeQuery(asked.sql());
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      String reason = DatabaseLogin.hidden(login, ResultRows.reason(e));
      throw FileErrors.file(
          address,
          "cannot be read"
              + (state.matches(TOLD) ? ": " + reason : ResultRows.kind(e))
              + (asked.byAll()
                  ? " (without primary keys the rows are put in an order by all columns that are"
                      + " read, which some types do not have: --table-columns reads others)"
                  : "")
              + FileErrors.LABEL);
    }
    ResultSetMetaData known = rows.getMetaData();
    for (int i = 1; i <= known.getColumnCount(); i++) {
      Check.that(
          !TEXTLESS.contains(known.getColumnType(i)),
          "column " + known.getColumnLabel(i),
          "of single values that have a text (--table-columns reads others)",
          known.getColumnTypeName(i));
    }
    return rows;
  }

  private void connect(String address, Properties login) throws SQLException {
    Properties all = new Properties();
    all.putAll(login);
    boolean postgresql = address.startsWith(DatabaseDrivers.POSTGRESQL);
    if (postgresql) {
      all.setProperty("connectTimeout", "10");
      all.setProperty("ApplicationName", "discreet");
    }
    connection = drivers.of(address).connect(address, all);
    Check.that(connection != null, "address of a database", "one of its driver's", address);
    connection.setReadOnly(true);
    if (postgresql) {
      try (Statement statement = connection.createStatement()) {
        // Or what a condition says of a time with a zone would hang on where this machine stands.
        statement.execute("set time zone 'UTC'");
      }
    }
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
