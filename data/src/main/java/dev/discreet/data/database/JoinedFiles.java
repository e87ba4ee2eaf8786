package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Files that a database in this process reads as its tables, joined by the rules of tables. Their
 * rows are in an order that follows from what they hold.
 *
 * @param connection to a database that has each file as {@link #view}
 * @param names the paths, as messages have them: the first file, and then one for each join
 * @param unit the column that says whose each row is; empty where each row is a unit
 */
public record JoinedFiles(
    Connection connection, List<String> names, DatabaseSelection selection, Optional<String> unit) {
  /** Refuses what files do not have. */
  public JoinedFiles {
    Check.that(
        selection.table().isEmpty()
            && selection.query().isEmpty()
            && selection.where().isEmpty()
            && selection.drivers().isEmpty(),
        "table, query, rows where and driver",
        "left out for files (--join and --table-columns say what is read of them)",
        "given");
  }

  /** What a file is called, as SQL has it. */
  public static String view(int number) {
    return "\"file " + number + '"';
  }

  /**
   * The joined rows.
   *
   * @param source what is closed with them
   */
  public TableRows rows(Closeable source) throws SQLException {
    TableQuery.Text asked = asked();
    Statement statement = connection.createStatement();
    TableRows rows = new ResultRows(names.get(0), statement.executeQuery(asked.sql()), source);
    return asked.hidden() == 0 ? rows : new KeyedRows(rows, asked.hidden(), unit.isPresent());
  }

  /** The names of their columns. No private row is asked for. */
  public TableHeader header() throws SQLException {
    TableQuery.Text asked = asked();
    try (PreparedStatement prepared = connection.prepareStatement(asked.sql())) {
      List<String> all = ResultRows.header(names.get(0), prepared.getMetaData());
      return new TableHeader(names.get(0), all.subList(0, all.size() - asked.hidden()));
    }
  }

  private TableQuery.Text asked() throws SQLException {
    List<FileTable> tables = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      tables.add(FileTable.of(connection, names.get(i), view(i)));
    }
    return TableQuery.of(tables, selection, unit, false);
  }
}
