package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Set;

/**
 * Whom a release protects. If rows are protected one by one, a noun for people would promise too
 * much, unless each person has one row. Nothing in the data can show that, so it is declared.
 *
 * <pre>{@code
 * PrivacyUnit patient = new PrivacyUnit("patient", true);
 * }</pre>
 *
 * @param noun singular: "example", "patient", …
 * @param oneRowEach whether it was declared that each unit has one row
 */
@PublicApi
public record PrivacyUnit(String noun, boolean oneRowEach) {
  /** A row that a free query of a database returned, which may hang on any number of people. */
  public static final String RETURNED_ROW = "returned row";

  /** Nouns for a row without a known owner, and for a unit that has no rows of its own. */
  private static final Set<String> NOBODYS =
      Set.of("example", "row", RETURNED_ROW, MicroBatches.UNIT);

  /** Refuses what is no noun, and the declaration where rows themselves are protected. */
  public PrivacyUnit {
    Check.that(!noun.isBlank() && Check.oneLine(noun), "unit", "a singular noun on one line", noun);
    Check.that(
        !oneRowEach || !NOBODYS.contains(noun),
        "unit",
        "named where it is declared that each has one row (person, say)",
        noun);
  }

  /**
   * A unit without the declaration that each has one row.
   *
   * @param noun who is protected, as a singular noun
   * @return the unit
   */
  public static PrivacyUnit of(String noun) {
    return new PrivacyUnit(noun, false);
  }

  /**
   * Whether this noun needs no statement about whose a row is.
   *
   * @return whether it is a row or an example
   */
  public boolean isNobodys() {
    return NOBODYS.contains(noun);
  }

  /**
   * Refuses rows for which this unit would not be true.
   *
   * @param rowsAreUnits whether each row is taken by itself, because nobody has said whose it is
   */
  public void check(boolean rowsAreUnits) {
    Check.that(
        oneRowEach || !rowsAreUnits || isNobodys(),
        "unit",
        "example or row where each row is protected by itself (else give rows that say whose they"
            + " are, or declare by oneRowEach that each "
            + noun
            + " has one row)",
        noun);
    Check.that(
        !oneRowEach || rowsAreUnits,
        "one row each",
        "declared only where nothing says whose each row is",
        noun);
  }

  /**
   * What a statement says about the declaration; empty where there is none.
   *
   * @return a sentence, or nothing
   */
  public String declared() {
    return oneRowEach ? "It was declared that each " + noun + " has one row." : "";
  }
}
