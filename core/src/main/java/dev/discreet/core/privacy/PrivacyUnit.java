package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.util.Set;

/**
 * Whom a release protects. A noun for people over rows that are taken one by one would promise what
 * is not kept, unless each of them has one row: nothing in the data can tell, so it is declared.
 *
 * @param noun singular: "example", "patient", …
 * @param oneRowEach whether it was declared that each of them has one row
 */
public record PrivacyUnit(String noun, boolean oneRowEach) {
  /** What a row that is nobody's in particular may be called, or what has no rows of its own. */
  private static final Set<String> NOBODYS = Set.of("example", "row", MicroBatches.UNIT);

  public PrivacyUnit {
    Check.that(!noun.isBlank() && Check.oneLine(noun), "unit", "a singular noun on one line", noun);
    Check.that(
        !oneRowEach || !NOBODYS.contains(noun),
        "unit",
        "named where it is declared that each has one row (person, say)",
        noun);
  }

  /** Without a declaration. */
  public static PrivacyUnit of(String noun) {
    return new PrivacyUnit(noun, false);
  }

  /** Whether a row may be called so without anybody's word on whose it is. */
  public boolean isNobodys() {
    return NOBODYS.contains(noun);
  }

  /**
   * Refuses rows that this is not true of.
   *
   * @param rowsAreUnits whether each row is taken by itself, for nobody has said whose it is
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

  /** What a statement says of it; empty for nothing. */
  public String declared() {
    return oneRowEach ? "It was declared that each " + noun + " has one row." : "";
  }
}
