package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.model.InputColumn;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Blob;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The rows that a driver hands on, one after the other. Numbers stay numbers; days and times are
 * texts as ISO 8601 writes them, truth values are {@code true} and {@code false}. The same value is
 * the same cell whenever it is read, for rows are told from each other by what they hold.
 */
public final class ResultRows implements TableRows {
  private static final String GARBLED = String.valueOf(InputColumn.GARBLED);

  /** In digits. A longer one could be written so shortly that its text fills the memory. */
  private static final int LONGEST_NUMBER = 200_000;

  private final String name;
  private final ResultSet rows;
  private final Closeable source;
  private final List<String> header;
  private final boolean[] zoned;
  private final boolean[] local;
  private long row;

  /**
   * @param name what messages call the table
   * @param source what the rows come from, closed with them
   */
  public ResultRows(String name, ResultSet rows, Closeable source) throws SQLException {
    this.name = name;
    this.rows = rows;
    this.source = source;
    ResultSetMetaData known = rows.getMetaData();
    header = header(name, known);
    zoned = new boolean[header.size()];
    local = new boolean[header.size()];
    for (int i = 0; i < zoned.length; i++) {
      zoned[i] = known.getColumnTypeName(i + 1).matches("(?i)timestamptz|.*with time zone");
      local[i] = known.getColumnType(i + 1) == Types.TIMESTAMP && !zoned[i];
    }
  }

  /** The names of the columns. */
  static List<String> header(String name, ResultSetMetaData known) throws SQLException {
    String[] names = new String[known.getColumnCount()];
    for (int i = 0; i < names.length; i++) {
      names[i] = known.getColumnLabel(i + 1).strip();
    }
    List<String> header = List.of(names);
    for (int i = 0; i < names.length; i++) {
      Check.that(header.indexOf(names[i]) == i, "columns of " + name, "distinct", names[i]);
    }
    return header;
  }

  /**
   * What kind of fault it is, of one that rows can bring about: what a driver says of that may
   * quote them.
   */
  public static String kind(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.matches("[0-9A-Z]{5}") ? ", SQLSTATE " + state : "";
  }

  /** What a driver says, on one line. */
  public static String reason(SQLException e) {
    String message = e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("");
    return Check.line(message.replaceFirst("^ERROR: ", ""));
  }

  @Override
  public String name() {
    return name;
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
      throw FileErrors.file(name, "cannot be read further" + kind(e) + FileErrors.LABEL);
    }
    row++;
    Object[] cells = new Object[zoned.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = cell(i);
    }
    return Arrays.asList(cells);
  }

  /** A value that cannot be read is as good as garbled, and stops nothing. */
  private Object cell(int column) {
    try {
      Object value = local[column] ? localTime(column) : rows.getObject(column + 1);
      if (value == null
          || value instanceof String
          || value instanceof Double
          || value instanceof Long) {
        return value;
      } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
        return ((Number) value).longValue();
      } else if (value instanceof Float number) {
        return Double.valueOf(Digits.shortest(number)); // as it is written: 0.1f is 0.1
      } else if (value instanceof BigDecimal number) {
        long digits = number.precision() + Math.abs((long) number.scale());
        return digits > LONGEST_NUMBER ? GARBLED : number;
      } else if (value instanceof Date day) {
        return day.toLocalDate().toString();
      } else if (value instanceof Timestamp time) {
        return zoned[column] ? time.toInstant().toString() : text(time.toLocalDateTime());
      } else if (value instanceof LocalDateTime time) {
        return text(time);
      } else if (value instanceof OffsetDateTime time) {
        return time.toInstant().toString();
      } else if (value instanceof Boolean || value instanceof LocalDate) {
        return value.toString();
      } else if (value instanceof Blob blob) {
        return HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
      } else if (value instanceof byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
      }
      // Not toString, which of many drivers' objects is a number of the object's own.
      return rows.getString(column + 1);
    } catch (SQLException | RuntimeException e) {
      return GARBLED;
    }
  }

  /** As it stands there. The JVM's zone may not have that hour. */
  private Object localTime(int column) throws SQLException {
    try {
      return rows.getObject(column + 1, LocalDateTime.class);
    } catch (SQLException e) {
      return rows.getObject(column + 1); // of a driver without such, or a value that has none
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
    source.close();
  }
}
