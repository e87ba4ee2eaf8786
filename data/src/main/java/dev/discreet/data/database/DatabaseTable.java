package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A table of a database, and what it has. Only tables are: what a view or a table elsewhere shows
 * in one row may hang on others.
 */
final class DatabaseTable implements KnownTable {
  private static final Set<String> TABLES = Set.of("TABLE", "BASE TABLE", "PARTITIONED TABLE");

  private static final String FOREIGN_PARTS =
      "with recursive part as (select ?::regclass::oid as oid union"
          + " select inhrelid from pg_inherits join part on inhparent = part.oid)"
          + " select 1 from part join pg_class on pg_class.oid = part.oid where relkind = 'f'";

  private final DatabaseMetaData known;
  private final String catalog;
  private final String schema;
  private final String name;
  private final String quote;
  private final Map<String, RowCondition.Known> columns = new LinkedHashMap<>();

  /** Finds it; refuses what is none. */
  DatabaseTable(Connection connection, String given) throws SQLException {
    known = connection.getMetaData();
    quote = known.getIdentifierQuoteString().strip();
    Check.that(!quote.isEmpty(), "database", "one that can quote names", "none");
    catalog = connection.getCatalog();
    int dot = given.indexOf('.');
    boolean catalogs = !known.supportsSchemasInTableDefinitions();
    schema = dot > 0 ? given.substring(0, dot) : catalogs ? null : connection.getSchema();
    name = given.substring(dot + 1);
    Check.that(!name.isBlank() && Check.oneLine(given), "table", "NAME or SCHEMA.NAME", given);
    Set<String> others = new TreeSet<>();
    String type = "";
    try (ResultSet found = known.getTables(catalog, like(schema), "%", null)) {
      while (found.next()) {
        String kind = String.valueOf(found.getString("TABLE_TYPE"));
        String each = found.getString("TABLE_NAME");
        boolean here = schema == null || schema.equals(found.getString("TABLE_SCHEM"));
        if (here && each.equals(name)) {
          type = kind;
        } else if (here && TABLES.contains(kind)) {
          others.add(each);
        }
      }
    }
    Check.that(
        !type.isEmpty(),
        "table",
        "one of " + (schema == null ? "" : schema + ": ") + KnownTable.shown(others),
        given);
    Check.that(
        TABLES.contains(type),
        "table " + given,
        "a table of its own: what a view, or a table elsewhere, shows in one row may hang on other"
            + " rows",
        type);
    checkParts(connection, given);
    readColumns();
  }

  /** What PostgreSQL reads of a table are its partitions and heirs too, wherever they lie. */
  private void checkParts(Connection connection, String given) throws SQLException {
    if (!isPostgresql(known)) {
      return;
    }
    try (PreparedStatement parts = connection.prepareStatement(FOREIGN_PARTS)) {
      parts.setString(1, quoted());
      try (ResultSet found = parts.executeQuery()) {
        Check.that(
            !found.next(),
            "table " + given,
            "one without partitions that lie elsewhere",
            "one with a foreign table");
      }
    }
  }

  static boolean isPostgresql(DatabaseMetaData known) throws SQLException {
    return known.getDatabaseProductName().equals("PostgreSQL");
  }

  private void readColumns() throws SQLException {
    Map<Integer, Map.Entry<String, RowCondition.Known>> ordered = new TreeMap<>();
    try (ResultSet found = known.getColumns(catalog, like(schema), like(name), "%")) {
      while (found.next()) {
        if (!name.equals(found.getString("TABLE_NAME"))) {
          continue; // of a driver that takes the name for a pattern
        }
        int type = found.getInt("DATA_TYPE");
        boolean truth =
            type == Types.BOOLEAN || found.getString("TYPE_NAME").matches("(?i)bool(ean)?");
        String each = found.getString("COLUMN_NAME");
        ordered.put(
            found.getInt("ORDINAL_POSITION"),
            Map.entry(each, new RowCondition.Known(type, truth, quoted(each))));
      }
    }
    ordered.values().forEach(each -> columns.put(each.getKey(), each.getValue()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String quoted() {
    return (schema != null ? quoted(schema) + "." : "") + quoted(name);
  }

  @Override
  public Map<String, RowCondition.Known> columns() {
    return columns;
  }

  @Override
  public List<String> key() throws SQLException {
    Map<Integer, String> key = new TreeMap<>();
    try (ResultSet found = known.getPrimaryKeys(catalog, schema, name)) {
      while (found.next()) {
        key.put(found.getInt("KEY_SEQ"), found.getString("COLUMN_NAME"));
      }
    }
    return new ArrayList<>(key.values());
  }

  @Override
  public boolean isUnique(String column) throws SQLException {
    return key().equals(List.of(column));
  }

  private String quoted(String text) {
    return quote + text.replace(quote, quote + quote) + quote;
  }

  /** A name in a place where the driver takes a pattern. */
  private String like(String text) throws SQLException {
    String escape = known.getSearchStringEscape();
    return text == null
        ? null
        : text.replace(escape, escape + escape)
            .replace("_", escape + "_")
            .replace("%", escape + "%");
  }
}
