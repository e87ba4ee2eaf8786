package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which rows of a database are read, or which files are joined. Each row of a table is taken or
 * left for what it holds itself, so that one person's change stays that person's. Of a free query
 * nobody knows that: its rows are protected as {@link
 * dev.discreet.core.privacy.PrivacyUnit#RETURNED_ROW}, and as nothing else.
 *
 * <pre>{@code
 * DataOptions visits =
 *     DataOptions.builder().database(DatabaseSelection.table("clinic.visits")).build();
 * }</pre>
 *
 * @param table its name, or {@code SCHEMA.NAME}, as the database writes it; empty for a file, which
 *     is the table
 * @param joins tables whose rows are put beside
 * @param where a condition on each row by itself; empty for all rows
 * @param columns those that are read; none for all
 * @param query SQL in place of all that, which is sent as it is: never from a file that somebody
 *     sent
 * @param drivers jars to look in for the database's driver. Their code runs: never from a file that
 *     somebody sent
 */
@PublicApi
public record DatabaseSelection(
    Optional<String> table,
    List<Join> joins,
    Optional<String> where,
    List<String> columns,
    Optional<String> query,
    List<Path> drivers) {
  /** Copies the lists, and refuses what does not go together. */
  public DatabaseSelection {
    joins = List.copyOf(joins);
    columns = List.copyOf(columns);
    drivers = List.copyOf(drivers);
    for (int i = 0; i < columns.size(); i++) {
      Check.that(columns.indexOf(columns.get(i)) == i, "table columns", "distinct", columns.get(i));
    }
    Check.that(
        query.isEmpty()
            || table.isEmpty() && joins.isEmpty() && where.isEmpty() && columns.isEmpty(),
        "table, join, rows where and table columns",
        "left out beside a query, which says itself what is read",
        "given");
  }

  /**
   * All rows of a file that is joined with others.
   *
   * @return with nothing said of a table
   */
  public static DatabaseSelection file() {
    return new DatabaseSelection(
        Optional.empty(), List.of(), Optional.empty(), List.of(), Optional.empty(), List.of());
  }

  /**
   * All rows of a table.
   *
   * @param name as the database writes it
   * @return with nothing else said
   */
  public static DatabaseSelection table(String name) {
    return new DatabaseSelection(
        Optional.of(name), List.of(), Optional.empty(), List.of(), Optional.empty(), List.of());
  }

  /**
   * What a query returns.
   *
   * @param sql one SELECT
   * @return with nothing else said
   */
  public static DatabaseSelection query(String sql) {
    return new DatabaseSelection(
        Optional.empty(), List.of(), Optional.empty(), List.of(), Optional.of(sql), List.of());
  }

  /**
   * These rows, as far as they fulfil a condition.
   *
   * @param condition on each row by itself, such as {@code age >= 18 AND region = 'north'}
   * @return that selection; this one stays as it is
   */
  public DatabaseSelection where(String condition) {
    return new DatabaseSelection(table, joins, Optional.of(condition), columns, query, drivers);
  }

  /**
   * These rows, each beside the rows of another table that belong to it.
   *
   * @param other what belongs to a row
   * @return that selection; this one stays as it is
   */
  public DatabaseSelection join(Join other) {
    return new DatabaseSelection(
        table,
        Stream.concat(joins.stream(), Stream.of(other)).toList(),
        where,
        columns,
        query,
        drivers);
  }

  /**
   * What a statement says of joined tables.
   *
   * @return whole sentences; empty without a join
   */
  public String said() {
    return joins.stream().map(Join::said).collect(Collectors.joining(" "));
  }

  /**
   * What was asked for, to show.
   *
   * @return each thing that was said, by what it is
   */
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    table.ifPresent(each -> facts.put("table", each));
    if (!joins.isEmpty()) {
      facts.put("joined", joins.stream().map(Join::text).collect(Collectors.joining("; ")));
    }
    query.ifPresent(each -> facts.put("query", Check.line(each)));
    where.ifPresent(each -> facts.put("rows where", each));
    return facts;
  }

  /**
   * A table whose rows are put beside those of another, wherever both have the same in a column.
   *
   * <p>Formal guarantee: joined on the column that says whose each row is, a person's rows come of
   * that person's rows in both tables alone. Joined to a public table, a row comes of one private
   * row. Any other join is refused.
   *
   * @param table its name, or {@code SCHEMA.NAME}, as the database writes it; beside a file, the
   *     path of another
   * @param column in both tables
   * @param isPublic whether this table is declared public: no row of it is anyone's
   */
  public record Join(String table, String column, boolean isPublic) {
    private static final Pattern FORM =
        Pattern.compile(
            "(?i)(?<table>.*\\S)\\s+on\\s+(?<column>[^\\s,](?:.*?\\S)?)(?<public>\\s*,\\s*public)?");

    /**
     * Reads what {@link #text} writes.
     *
     * @param text {@code visits on person}, or {@code regions on region, public}
     * @return the join
     */
    public static Join parse(String text) {
      Matcher matcher = FORM.matcher(text.strip());
      Check.that(
          matcher.matches() && Check.oneLine(text),
          "join",
          "TABLE on COLUMN, or of a public table TABLE on COLUMN, public",
          text);
      return new Join(
          matcher.group("table"), matcher.group("column"), matcher.group("public") != null);
    }

    /**
     * The join as an option or a run file says it.
     *
     * @return what {@link #parse} reads
     */
    public String text() {
      return table + " on " + column + (isPublic ? ", public" : "");
    }

    private String said() {
      return isPublic
          ? "The table " + table + " was declared public."
          : "Rows of the table "
              + table
              + " stand beside those of the same "
              + column
              + ", and a unit is all that both tables have of it.";
    }
  }
}
