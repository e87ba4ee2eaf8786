package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/**
 * SQL that somebody typed. What a row of it hangs on nobody knows, so only returned rows are
 * protected; and its rows are in an order that follows from what they hold, or one row more could
 * change the places of others.
 */
final class FreeQuery {
  /** What a statement says of such rows. */
  static final String PROMISE =
      "The rows are what a query of a database returned, and each returned row is protected by"
          + " itself. Joins, windows, aggregates and limits let one person change any number of"
          + " returned rows, so nothing is promised to a person.";

  private FreeQuery() {}

  /** What is sent for a query. */
  static String sql(Connection connection, String given) throws SQLException {
    String query = given.strip().replaceFirst("\\s*;$", "");
    Check.that(
        query.matches("(?is)(select|with)\\b.*") && query.indexOf(';') < 0,
        "query",
        "one SELECT, without ;",
        given);
    // The line ends a comment that the query may end with.
    String rows = "select * from (" + query + "\n) returned_rows";
    try (PreparedStatement prepared = connection.prepareStatement(rows)) {
      ResultSetMetaData known = prepared.getMetaData();
      Check.that(known != null, "driver", "one that tells the columns of a query", "none told");
      return rows + " order by " + TableQuery.byAll(known.getColumnCount());
    }
  }
}
