package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What settings say about rows of a database, and about files that are joined. A file that somebody
 * sent, such as a run file, names no code that is to run, and chooses neither whom this machine
 * calls nor who gets the password.
 */
public final class DatabaseChoices {
  private DatabaseChoices() {}

  /** Empty where nothing is said of a database or a join. */
  public static Optional<DatabaseSelection> of(EffectiveSettings choices) {
    return of(choices, System.getenv("DISCREET_DB"));
  }

  /**
   * @param known the only database that a file may lead to; null for none
   */
  static Optional<DatabaseSelection> of(EffectiveSettings choices, String known) {
    SettingValues given = choices.given();
    String data = given.text(DataSettings.DATA);
    boolean database = DatabaseAddress.is(data);
    if (database) {
      checkCalled(place(given, DataSettings.DATA), data, known);
    }
    String place = place(given, DataSettings.DRIVER);
    Check.that(
        place.isEmpty(),
        place + DataSettings.DRIVER.name(),
        "given as an option, --driver: no file decides whose code runs",
        "a key");
    String asked = place(given, DataSettings.QUERY);
    Check.that(
        asked.isEmpty(),
        asked + DataSettings.QUERY.name(),
        "given as an option, --query: no file decides what a database is told to do",
        "a key");
    String noun = given.get(UnitSettings.UNIT).orElse(PrivacyUnit.RETURNED_ROW);
    Check.that(
        !given.isSet(DataSettings.QUERY) || noun.equals(PrivacyUnit.RETURNED_ROW),
        "unit",
        PrivacyUnit.RETURNED_ROW + " for a query, by which one person may change others' rows",
        noun);
    boolean said =
        Stream.of(
                DataSettings.TABLE,
                DataSettings.JOIN,
                DataSettings.QUERY,
                DataSettings.ROWS_WHERE,
                DataSettings.TABLE_COLUMNS,
                DataSettings.DRIVER)
            .anyMatch(given::isSet);
    return database || said
        ? Optional.of(
            new DatabaseSelection(
                choices.get(DataSettings.TABLE),
                choices.get(DataSettings.JOIN).orElse(List.of()).stream()
                    .map(DatabaseSelection.Join::parse)
                    .toList(),
                choices.get(DataSettings.ROWS_WHERE),
                choices.get(DataSettings.TABLE_COLUMNS).orElse(List.of()),
                choices.get(DataSettings.QUERY),
                // Not by choices.get: what a saved run asks for again has no jars in it.
                given.get(DataSettings.DRIVER).orElse(List.of()).stream().map(Path::of).toList()))
        : Optional.empty();
  }

  /**
   * Refuses a database that a file leads to, unless this machine calls it anyway.
   *
   * @param place where its address stands in a file; empty for one that this call gives
   */
  public static void checkCalled(String place, String address) {
    checkCalled(place, address, System.getenv("DISCREET_DB"));
  }

  private static void checkCalled(String place, String address, String known) {
    DatabaseAddress.refuseSecrets(address);
    Check.that(
        place.isEmpty() || address.equals(known),
        place + "database of the data",
        "the one that DISCREET_DB names, or given as an option, --data: no file decides whom this"
            + " machine calls",
        address);
  }

  /**
   * The other files whose rows are put beside those of a file.
   *
   * @param isPublic whether those that are declared public, or those that are not
   */
  static Stream<String> joinedFiles(SettingValues given, boolean isPublic) {
    return DatabaseAddress.is(given.text(DataSettings.DATA))
        ? Stream.empty()
        : given.get(DataSettings.JOIN).orElse(List.of()).stream()
            .map(DatabaseSelection.Join::parse)
            .filter(join -> join.isPublic() == isPublic)
            .map(DatabaseSelection.Join::table);
  }

  /** Where a setting stands in a file; empty for one that this call or a program gives. */
  private static String place(SettingValues given, Setting<?> setting) {
    return given.isSet(setting) ? given.values().get(setting).place() : "";
  }
}
