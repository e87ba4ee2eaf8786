package dev.discreet.data.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file that a database reads as a table.
 *
 * @param name its path, as messages have it
 * @param quoted what it is called in that database, as SQL has it
 */
record FileTable(
    Connection connection, String name, String quoted, Map<String, RowCondition.Known> columns)
    implements KnownTable {
  /** Reads the names and types of its columns, and no row. */
  static FileTable of(Connection connection, String name, String quoted) throws SQLException {
    Map<String, RowCondition.Known> columns = new LinkedHashMap<>();
    try (PreparedStatement all = connection.prepareStatement("select * from " + quoted)) {
      ResultSetMetaData known = all.getMetaData();
      for (int i = 1; i <= known.getColumnCount(); i++) {
        int type = known.getColumnType(i);
        String each = known.getColumnName(i);
        columns.put(
            each,
            new RowCondition.Known(
                type, type == Types.BOOLEAN, '"' + each.replace("\"", "\"\"") + '"'));
      }
    }
    return new FileTable(connection, name, quoted, columns);
  }

  @Override
  public List<String> key() {
    return List.of();
  }

  @Override
  public boolean isUnique(String column) throws SQLException {
    String key = column(column).quoted();
    String twice =
        "select 1 from %s where %s is not null group by %s having count(*) > 1 limit 1"
            .formatted(quoted, key, key);
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(twice)) {
      return !found.next();
    }
  }
}
