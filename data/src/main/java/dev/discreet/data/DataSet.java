package dev.discreet.data;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.Units;
import java.util.Optional;

/**
 * Examples to train on and to test on. Apart from the examples themselves, nothing in it was read
 * off private rows.
 *
 * @param name as a report shows it
 * @param test empty where there are no rows to test on
 */
public record DataSet(String name, Task task, Part train, Optional<Part> test) {

  /**
   * @param units whom to protect, and which examples each has
   * @param isPublic whether these rows are declared public, so that what depends on them may go
   *     into files; rows held out of a private file never are
   */
  public record Part(Examples examples, Units units, boolean isPublic) {}
}
