package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.data.ColumnText;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;

/**
 * The rows of a database, as one reading transaction shows them and one after the other: however
 * many there are, few are in memory.
 */
final class DatabaseRows implements TableRows {
  /** Rows that come at once. */
  private static final int FETCHED = 4096;

  private final String name;
  private final DatabaseDrivers drivers;
  private final Connection connection;
  private final Statement statement;
  private final ResultSet rows;
  private final List<String> header;
  private final boolean[] zoned;
  private long row;

  private DatabaseRows(
      String name, DatabaseDrivers drivers, Connection connection, Statement statement, String sql)
      throws SQLException {
    this.name = name;
    this.drivers = drivers;
    this.connection = connection;
    this.statement = statement;
    this.rows = statement.executeQuery(sql);
    ResultSetMetaData known = rows.getMetaData();
    String[] names = new String[known.getColumnCount()];
    zoned = new boolean[names.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = known.getColumnLabel(i + 1).strip();
      zoned[i] = known.getColumnTypeName(i + 1).matches("(?i)timestamptz|.*with time zone");
    }
    header = List.of(names);
    for (int i = 0; i < names.length; i++) {
      Check.that(header.indexOf(names[i]) == i, "columns of " + name, "distinct", names[i]);
    }
  }

  /** Connects, and asks for the rows. Wherever it fails, nothing stays open. */
  static DatabaseRows open(String address, DatabaseSelection selection, Properties login)
      throws IOException {
    DatabaseAddress.refuseSecrets(address);
    String table =
        selection
            .table()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "table must be named for "
                            + address
                            + ", as in --table visits. Provided value: none"));
    DatabaseDrivers drivers = new DatabaseDrivers(selection.drivers());
    Connection connection = null;
    try {
      connection = connect(drivers, address, login);
      String sql = new DatabaseTable(connection, table).sql(selection);
      Statement statement = connection.createStatement();
      // MySQL's driver holds all rows in memory unless told so.
      statement.setFetchSize(address.startsWith("jdbc:mysql:") ? Integer.MIN_VALUE : FETCHED);
      return new DatabaseRows(table, drivers, connection, statement, sql);
    } catch (SQLException e) {
      close(drivers, connection);
      throw new IOException(
          Check.line(address + " cannot be read: " + firstLine(e) + FileErrors.LABEL), e);
    } catch (RuntimeException e) {
      close(drivers, connection);
      throw e;
    }
  }

  private static Connection connect(DatabaseDrivers drivers, String address, Properties login)
      throws SQLException {
    Properties all = new Properties();
    all.putAll(login);
    if (address.startsWith("jdbc:postgresql:")) {
      all.setProperty("connectTimeout", "10");
      all.setProperty("ApplicationName", "discreet");
    }
    Connection connection = drivers.of(address).connect(address, all);
    Check.that(connection != null, "address of a database", "one of its driver's", address);
    connection.setReadOnly(true);
    int level = Connection.TRANSACTION_REPEATABLE_READ;
    if (connection.getMetaData().supportsTransactionIsolationLevel(level)) {
      connection.setTransactionIsolation(level);
    }
    // In one transaction rows are of one moment, and PostgreSQL sends them little by little.
    connection.setAutoCommit(false);
    return connection;
  }

  private static void close(DatabaseDrivers drivers, Connection connection) throws IOException {
    try (drivers;
        connection) {
      if (connection != null && !connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      // Nothing was written, and the error that led here is the one to tell.
    }
  }

  private static String firstLine(SQLException e) {
    String message = e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
    return message.replaceFirst("^ERROR: ", "");
  }

  @Override
  public String name() {
    return "table " + name;
  }

  @Override
  public List<String> header() {
    return header;
  }

  @Override
  public List<?> next() throws IOException {
    try {
      if (!rows.next()) {
        return null;
      }
    } catch (SQLException e) {
      throw new IOException(
          Check.line(name() + " cannot be read further: " + firstLine(e) + FileErrors.LABEL), e);
    }
    row++;
    Object[] cells = new Object[zoned.length];
    IntStream.range(0, cells.length).forEach(i -> cells[i] = cell(i));
    return Arrays.asList(cells);
  }

  /** A value that cannot be read is as good as garbled, and stops nothing. */
  private Object cell(int column) {
    try {
      Object value = rows.getObject(column + 1);
      if (value == null || value instanceof String || value instanceof Double) {
        return value;
      } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
        return ((Number) value).longValue();
      } else if (value instanceof Float number) {
        return Double.valueOf(number.toString()); // as it is written: 0.1f is 0.1
      } else if (value instanceof BigDecimal number) {
        return number.toPlainString();
      } else if (value instanceof Date day) {
        return day.toLocalDate().toString();
      } else if (value instanceof Timestamp time) {
        return zoned[column] ? time.toInstant().toString() : text(time.toLocalDateTime());
      } else if (value instanceof LocalDateTime time) {
        return text(time);
      } else if (value instanceof byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
      }
      return value.toString();
    } catch (SQLException | RuntimeException e) {
      return String.valueOf(ColumnText.GARBLED);
    }
  }

  private static String text(LocalDateTime time) {
    return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
  }

  @Override
  public String place() {
    return "row " + row;
  }

  @Override
  public void close() throws IOException {
    try (statement) {
      close(drivers, connection);
    } catch (SQLException e) {
      throw new IOException(Check.line(name() + " cannot be closed: " + firstLine(e)), e);
    }
  }
}
