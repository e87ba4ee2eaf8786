package dev.discreet.data;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Sets that have a name and are the same for everyone: published ones, and generated ones. Sources
 * are found by {@link java.util.ServiceLoader}, as {@link DataFormat formats} are.
 */
public interface DataSource {

  /** The names it knows, in the order to show them. */
  List<String> names();

  /** What a caller may declare of a set. Anything else is refused. */
  Set<Declaration> takes(String name);

  /** What a set is normalised by unless told; {@link PixelScale#NONE} of tables. */
  PixelScale scale(String name);

  /** The set; training rows are held private, test rows are public. */
  DataSet open(String name, DataOptions options) throws IOException;

  /** What is known of a set without opening it. */
  DataDescription describe(String name, DataOptions options);
}
