package dev.discreet.recipe;

import java.io.IOException;

/**
 * Who hears what happens while a recipe is prepared. Lines are for the operator: they may tell of
 * private rows.
 */
public interface Preparation {
  /** Nobody. */
  Preparation QUIET = new Preparation() {};

  /** A part of the work. */
  interface Part<T> {
    T done() throws IOException;
  }

  /** A line now and then while something is fetched. */
  default void progress(String line) {}

  /** A line that an operator ought to read. */
  default void warning(String line) {}

  /** Whether to go on though over 1% of the rows do not fit what was declared. */
  default boolean acceptsMisfits() {
    return false;
  }

  /** Does a part of the work. A console may say which part it is, where that takes long. */
  default <T> T part(String what, Part<T> part) throws IOException {
    return part.done();
  }
}
