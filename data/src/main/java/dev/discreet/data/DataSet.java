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
 * @param misfits the rows of a private file, training and held-out ones, that count as zero; for
 *     the operator, before anything is spent
 */
public record DataSet(String name, Task task, Part train, Optional<Part> test, Misfits misfits) {

  /** All rows fit. */
  public DataSet(String name, Task task, Part train, Optional<Part> test) {
    this(name, task, train, test, Misfits.none(0));
  }

  /**
   * @param examples those that fit
   * @param units whom to protect, and which examples each has; a unit may have none
   * @param isPublic whether these rows are declared public, so that what depends on them may go
   *     into files; rows held out of a private file never are
   */
  public record Part(Examples examples, Units units, boolean isPublic) {}
}
