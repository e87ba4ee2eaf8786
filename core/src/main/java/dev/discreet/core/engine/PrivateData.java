package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Rows of people, and which are whose, wherever they live: on this machine ({@link LocalData}) or
 * on a cluster, from where they never come here. A run asks them no more than stands here; only an
 * {@link Engine} looks inside.
 *
 * <p>What a method answers was computed from private rows, and is for the operator or for a release
 * that adds noise, unless its comment says that it was declared.
 *
 * <pre>{@code
 * PrivateData data = PrivateData.of(examples, Units.byOwner(owners));
 * }</pre>
 */
@PublicApi
public interface PrivateData {

  /**
   * The shape of every example's input: declared.
   *
   * @return height, width and channels
   */
  Shape input();

  /**
   * Numbers in a target, a class label being one number: declared.
   *
   * @return at least 1
   */
  int targets();

  /**
   * How many units there are.
   *
   * @return their number, which is private
   */
  long unitCount();

  /**
   * Whether each row is taken by itself, for nobody has said whose it is: declared.
   *
   * @return whether a row is a unit
   */
  boolean rowsAreUnits();

  /**
   * Refuses a relation that the making of these rows does not keep: one under which neighbouring
   * files make rows that are more than one unit apart.
   *
   * @param relation what neighbouring data sets are
   */
  default void check(Neighbouring relation) {}

  /**
   * The only noun that a promise about these rows may have: declared.
   *
   * @return empty where any may be true
   */
  default Optional<String> onlyUnit() {
    return Optional.empty();
  }

  /**
   * Refuses a unit for which a promise about these rows would not be true.
   *
   * @param unit whom a release is to protect
   */
  default void check(PrivacyUnit unit) {
    onlyUnit()
        .ifPresent(
            only ->
                Check.that(
                    unit.noun().equals(only),
                    "unit",
                    only + ", said as such: nothing is promised to anyone else by these rows",
                    unit.noun()));
    unit.check(rowsAreUnits());
  }

  /**
   * Whether somebody chose these rows by what they hold, such as by a condition: declared. How many
   * units they are then answers a question about people, and cannot be taken as public.
   *
   * @return whether a release needs a declared number of units
   */
  default boolean isSelected() {
    return false;
  }

  /**
   * Refuses to take the number of units as public where it answers a question about people.
   *
   * @param isDeclared whether a number was declared in its place
   * @param option what declares it, as an option names it
   */
  default void checkNumber(boolean isDeclared, String option) {
    Check.that(
        isDeclared || !isSelected(),
        option.replace('-', ' '),
        "given (--"
            + option
            + ") for rows that a condition, a join or a query selects: how many they are answers a"
            + " question about people, and cannot be taken as public",
        "none");
  }

  /**
   * What was declared of these rows and a statement must repeat; empty for nothing.
   *
   * @param unit who is protected, as a singular noun
   * @return whole sentences, or nothing
   */
  default String declared(String unit) {
    return "";
  }

  /**
   * The index of a public row that is one of these too; empty where there is none.
   *
   * @param rows what to look for
   * @return an index in {@code rows}
   */
  OptionalInt find(PublicRows rows);

  /**
   * The sums over all units, exact and private: for a release of their own.
   *
   * @param sum what each unit adds
   * @return the sums, without noise
   */
  long[] sum(UnitSum sum);

  /**
   * These rows with at most so many examples of each unit. Nothing but the unit itself decides
   * which are kept.
   *
   * @param examplesPerUnit at least 1
   * @return those rows; these stay as they are
   */
  PrivateData atMost(int examplesPerUnit);

  /**
   * These rows with groups of units in the place of units.
   *
   * @param batches how large the groups are
   * @param key the secret that assigns units to groups
   * @return those rows; these stay as they are
   */
  PrivateData grouped(MicroBatches batches, SamplingKey key);

  /**
   * Rows on this machine.
   *
   * @param examples the rows
   * @param units whom to protect, and which examples each has
   * @return the rows with their units
   */
  static LocalData of(Examples examples, Units units) {
    record Rows(Examples examples, Units units) implements LocalData {}
    units.check(examples.size());
    return new Rows(examples, units);
  }

  /**
   * Rows on this machine, each a unit of its own.
   *
   * @param examples the rows
   * @return the rows with their units
   */
  static LocalData each(Examples examples) {
    return of(examples, Units.each(examples.size()));
  }
}
