package dev.discreet.core.engine;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.Units;

/** Rows of people, and which are whose: all that a private release may need to know of them. */
public interface PrivateRows {
  Examples examples();

  /** Whom to protect, and which examples each has. */
  Units units();

  /** Whether each row is taken by itself, for nobody has said whose it is. */
  default boolean rowsAreUnits() {
    return units().areExamples();
  }

  /**
   * Refuses a relation that the making of these rows does not keep: one under which neighbouring
   * files make rows that are more than one unit apart.
   */
  default void check(Neighbouring relation) {}

  /**
   * What was declared of these rows and a statement must repeat; empty for nothing.
   *
   * @param unit who is protected, as a singular noun
   */
  default String declared(String unit) {
    return "";
  }

  static PrivateRows of(Examples examples, Units units) {
    record Plain(Examples examples, Units units) implements PrivateRows {}
    return new Plain(examples, units);
  }
}
