package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.PrivacyUnit;

/** Whom a run, a query or a regression protects, from what was set about it. */
public final class ProtectedUnit {
  private ProtectedUnit() {}

  /** Whom a run on data of any kind protects. */
  public static PrivacyUnit of(EffectiveSettings choices) {
    return of(
        choices.get(UnitSettings.UNIT).orElse(null),
        "--unit-column or --unit-map",
        isOwned(choices),
        choices.get(UnitSettings.ONE_ROW_EACH).orElse(false));
  }

  /** Whether the data say whose each row is. */
  public static boolean isOwned(EffectiveSettings choices) {
    return choices.isGiven(UnitSettings.UNIT_COLUMN) || choices.isGiven(UnitSettings.UNIT_MAP);
  }

  /**
   * Whom a verb protects. A noun for people is refused where rows are protected one by one: it
   * would promise more than is kept.
   *
   * @param noun null for the default
   * @param owners the options by which data say whose each row is
   * @param owned whether one of those is given
   */
  public static PrivacyUnit of(String noun, String owners, boolean owned, boolean oneRowEach) {
    if (owned && oneRowEach) {
      throw new IllegalArgumentException(
          "--one-row-each cannot stand beside " + owners + ": that says whose each row is");
    }
    PrivacyUnit unit =
        new PrivacyUnit(noun != null ? noun : owned ? "unit" : "example", oneRowEach);
    Check.that(
        owned || oneRowEach || unit.isNobodys(),
        "unit",
        "given with "
            + owners
            + ", to say whose each row is, or with --one-row-each, which declares that each "
            + noun
            + " has one (without, each row is protected by itself, as an example)",
        noun);
    return unit;
  }
}
