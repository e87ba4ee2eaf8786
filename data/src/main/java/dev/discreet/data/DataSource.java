package dev.discreet.data;

import dev.discreet.core.engine.Examples;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Data that are no file: sets that have a name and are the same for everyone, published ones and
 * generated ones; and rows that have an address, such as those of a database. Sources are found by
 * {@link java.util.ServiceLoader}, as {@link DataFormat formats} are.
 */
public interface DataSource {

  /**
   * The names it knows.
   *
   * @return in the order to show them; none where it knows addresses, whose rows are private
   */
  List<String> names();

  /**
   * Whether a text stands for data of this source.
   *
   * @param text what somebody calls the data
   * @return true for each of its names
   */
  default boolean knows(String text) {
    return names().contains(text);
  }

  /**
   * What a caller may declare of a set. Anything else is refused.
   *
   * @param name one of its names
   * @return what has a meaning there
   */
  Set<Declaration> takes(String name);

  /**
   * What a set is normalised by unless told.
   *
   * @param name one of its names
   * @return {@link PixelScale#NONE} for tables
   */
  PixelScale scale(String name);

  /**
   * Opens a set.
   *
   * @param name one of its names
   * @param options none but what {@link #takes} allows
   * @return training rows, which are held private, and test rows, which are public
   * @throws IOException where a file cannot be read or fetched
   */
  DataSet open(String name, DataOptions options) throws IOException;

  /**
   * Opens rows to predict, where they come without labels.
   *
   * @param name one that it knows
   * @param options what was declared of the rows that a model was trained on
   * @return empty where its rows have labels
   * @throws IOException where the rows cannot be read, or one does not fit
   */
  default Optional<Examples> openInputs(String name, DataOptions options) throws IOException {
    return Optional.empty();
  }

  /**
   * Opens a table, to go through its rows.
   *
   * @param name one that it knows
   * @param options which rows are read
   * @return its rows, to be closed; empty where it has no tables
   * @throws IOException where it cannot be read
   */
  default Optional<TableRows> openTable(String name, DataOptions options) throws IOException {
    return Optional.empty();
  }

  /**
   * The names of a table's columns, of which no row is read.
   *
   * @param name one that it knows
   * @param options which rows would be read
   * @return the names; empty where it has no tables
   * @throws IOException where they cannot be read
   */
  default Optional<TableHeader> header(String name, DataOptions options) throws IOException {
    return Optional.empty();
  }

  /**
   * What is known of a set without opening it.
   *
   * @param name one of its names
   * @param options where copies may lie
   * @return the facts to show
   */
  DataDescription describe(String name, DataOptions options);
}
