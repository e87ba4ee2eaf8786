package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import dev.discreet.data.DatabaseSelection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What is asked of a table, or of tables that are joined.
 *
 * <p>The rows are in an order that follows from what they hold, by the primary keys or else by all
 * that is read: how they lie on a disk would change with rows that come and go.
 */
final class TableQuery {
  /**
   * @param hidden how many cells at the end of each row are keys that joins compared
   * @param byAll whether the rows are ordered by all that is read
   */
  record Text(String sql, int hidden, boolean byAll) {}

  private final List<? extends KnownTable> tables;
  private final List<DatabaseSelection.Join> joins;
  private final boolean postgresql;
  private final Map<String, RowCondition.Known> columns = new LinkedHashMap<>();

  private TableQuery(
      List<? extends KnownTable> tables, List<DatabaseSelection.Join> joins, boolean postgresql) {
    this.tables = tables;
    this.joins = joins;
    this.postgresql = postgresql;
    for (int i = 0; i < tables.size(); i++) {
      String key = i == 0 ? "" : joins.get(i - 1).column();
      for (String each : tables.get(i).columns().keySet()) {
        // Of a name that two tables have, nobody knows which is meant; the key is the same in both.
        if (!each.equals(key)) {
          columns.merge(each, inTable(i, each), (one, other) -> AMBIGUOUS);
        }
      }
    }
  }

  private static final RowCondition.Known AMBIGUOUS = new RowCondition.Known(0, false, "");

  /**
   * The text for a selection.
   *
   * @param unit the column that says whose each row is; empty where each row is a unit
   */
  static Text of(Connection connection, DatabaseSelection selection, Optional<String> unit)
      throws SQLException {
    List<DatabaseTable> tables = new ArrayList<>();
    tables.add(new DatabaseTable(connection, selection.table().orElseThrow()));
    for (DatabaseSelection.Join join : selection.joins()) {
      tables.add(new DatabaseTable(connection, join.table()));
    }
    return of(tables, selection, unit, DatabaseTable.isPostgresql(connection.getMetaData()));
  }

  /**
   * The text for tables that are known.
   *
   * @param tables the first, and then one for each join
   */
  static Text of(
      List<? extends KnownTable> tables,
      DatabaseSelection selection,
      Optional<String> unit,
      boolean postgresql)
      throws SQLException {
    TableQuery query = new TableQuery(tables, selection.joins(), postgresql);
    query.checkJoins(unit);
    return query.text(selection, unit.isPresent());
  }

  /** Refuses a join by which one unit could change another's rows. */
  private void checkJoins(Optional<String> unit) throws SQLException {
    for (int i = 1; i < tables.size(); i++) {
      DatabaseSelection.Join join = joins.get(i - 1);
      KnownTable other = tables.get(i);
      Check.that(
          tables.subList(0, i).stream().noneMatch(each -> each.quoted().equals(other.quoted())),
          "join",
          "with another table",
          join.table());
      RowCondition.Known here = tables.get(0).column(join.column());
      RowCondition.Known there = other.column(join.column());
      Check.that(
          here.type() == there.type() && here.isTruth() == there.isTruth(),
          "column " + join.column() + " of a join",
          "of one type in both tables",
          join.text());
      if (!join.isPublic()) {
        Check.that(
            unit.isPresent() && unit.get().equals(join.column()),
            "join",
            "on the unit column, so that one unit's rows come of that unit's alone (or with a table"
                + " that is declared public: \""
                + new DatabaseSelection.Join(join.table(), join.column(), true).text()
                + "\")",
            join.text() + ", with unit column " + unit.orElse("none"));
      } else {
        Check.that(
            unit.isPresent() || other.isUnique(join.column()),
            "join with a public table",
            "on its primary key (of a file, a column without the same twice) where no unit column"
                + " says whose each row is, for one row would become several",
            join.text());
      }
    }
  }

  private Text text(DatabaseSelection selection, boolean units) throws SQLException {
    List<String> read =
        selection.columns().isEmpty() ? List.copyOf(columns.keySet()) : selection.columns();
    String where =
        selection.where().isEmpty()
            ? ""
            : " where " + RowCondition.sql(selection.where().get(), this::column);
    List<String> hidden = keys(units);
    List<String> asked =
        Stream.concat(read.stream().map(each -> column(each).quoted()), hidden.stream()).toList();
    List<String> order = order();
    StringBuilder from = new StringBuilder(tables.get(0).quoted());
    for (int i = 1; i < tables.size(); i++) {
      String key = joins.get(i - 1).column();
      from.append(" join ")
          .append(tables.get(i).quoted())
          .append(" on ")
          .append(compared(0, key))
          .append(" = ")
          .append(compared(i, key));
    }
    return new Text(
        "select "
            + String.join(", ", asked)
            + " from "
            + from
            + where
            + " order by "
            + (order.isEmpty() ? byAll(asked.size()) : String.join(", ", order)),
        hidden.size(),
        order.isEmpty());
  }

  /**
   * The pairs of keys that have to be the same: units, or where each row is a unit the keys of
   * public tables, of which a row may have one alone.
   */
  private List<String> keys(boolean units) {
    List<String> keys = new ArrayList<>();
    for (int i = 1; i < tables.size(); i++) {
      DatabaseSelection.Join join = joins.get(i - 1);
      if (join.isPublic() != units) {
        for (int table : new int[] {0, i}) {
          keys.add(compared(table, join.column()) + " as discreet_key_" + keys.size());
        }
      }
    }
    return keys;
  }

  /**
   * A key as joins compare it: in PostgreSQL, texts by what they are, for it takes the key of a
   * table for the only partner even where a column's collation finds several, and gives whichever
   * it finds first.
   */
  private String compared(int table, String name) {
    RowCondition.Known column = inTable(table, name);
    return column.quoted()
        + (postgresql && (column.type() == Types.VARCHAR || column.type() == Types.CHAR)
            ? "::text collate \"C\""
            : "");
  }

  /** The primary keys; none where a table is without. */
  private List<String> order() throws SQLException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      List<String> key = tables.get(i).key();
      if (key.isEmpty()) {
        return List.of();
      }
      for (String each : key) {
        all.add(inTable(i, each).quoted());
      }
    }
    return all;
  }

  /** By every column of a result. */
  static String byAll(int columns) {
    return IntStream.rangeClosed(1, columns)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(", "));
  }

  private RowCondition.Known column(String name) {
    RowCondition.Known column = columns.get(name);
    Check.that(
        column != null,
        "column of table "
            + tables.stream().map(KnownTable::name).collect(Collectors.joining(" and ")),
        "one of " + KnownTable.shown(columns.keySet()),
        name);
    Check.that(
        column != AMBIGUOUS,
        "column of joined tables",
        "of one of them (--table-columns may leave it out)",
        name);
    return column;
  }

  private RowCondition.Known inTable(int table, String name) {
    RowCondition.Known column = tables.get(table).column(name);
    return joins.isEmpty()
        ? column
        : new RowCondition.Known(
            column.type(), column.isTruth(), tables.get(table).quoted() + "." + column.quoted());
  }
}
