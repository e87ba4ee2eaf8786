package dev.discreet.data;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Sets that have a name and are the same for everyone: published ones, and generated ones. Sources
 * are found by {@link java.util.ServiceLoader}, as {@link DataFormat formats} are.
 */
public interface DataSource {

  /**
   * The names it knows.
   *
   * @return in the order to show them
   */
  List<String> names();

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
   * What is known of a set without opening it.
   *
   * @param name one of its names
   * @param options where copies may lie
   * @return the facts to show
   */
  DataDescription describe(String name, DataOptions options);
}
