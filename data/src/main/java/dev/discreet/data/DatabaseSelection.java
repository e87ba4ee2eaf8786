package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which rows of a database are read. Each row of a table is taken or left for what it holds itself,
 * so that one person's change stays that person's.
 *
 * <pre>{@code
 * DataOptions visits =
 *     DataOptions.builder().database(DatabaseSelection.table("clinic.visits")).build();
 * }</pre>
 *
 * @param table its name, or {@code SCHEMA.NAME}, as the database writes it
 * @param where a condition on each row by itself; empty for all rows
 * @param columns those that are read; none for all
 * @param drivers jars to look in for the database's driver. Their code runs: never from a file that
 *     somebody sent
 */
@PublicApi
public record DatabaseSelection(
    Optional<String> table, Optional<String> where, List<String> columns, List<Path> drivers) {
  /** Copies the lists. */
  public DatabaseSelection {
    columns = List.copyOf(columns);
    drivers = List.copyOf(drivers);
    for (int i = 0; i < columns.size(); i++) {
      Check.that(columns.indexOf(columns.get(i)) == i, "table columns", "distinct", columns.get(i));
    }
  }

  /**
   * All rows of a table.
   *
   * @param name as the database writes it
   * @return with nothing else said
   */
  public static DatabaseSelection table(String name) {
    return new DatabaseSelection(Optional.of(name), Optional.empty(), List.of(), List.of());
  }

  /**
   * These rows, as far as they fulfil a condition.
   *
   * @param condition on each row by itself, such as {@code age >= 18 AND region = 'north'}
   * @return that selection; this one stays as it is
   */
  public DatabaseSelection where(String condition) {
    return new DatabaseSelection(table, Optional.of(condition), columns, drivers);
  }
}
