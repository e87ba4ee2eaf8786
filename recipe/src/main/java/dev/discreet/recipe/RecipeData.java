package dev.discreet.recipe;

import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.ColumnChoices;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.MisfitRows;
import dev.discreet.recipe.setup.PayingAccount;
import java.io.IOException;
import java.util.Optional;

/**
 * A recipe and the rows that it is prepared on. Rows of which over 1% do not fit what was declared
 * are refused here, wherever they come from.
 *
 * @param recipe says where the rows come from
 * @param data the rows
 * @param payer who pays for what is done with them
 */
public record RecipeData(Recipe recipe, TrainingRows data, PayingAccount payer) {

  /** Opens what the recipe names. */
  public static RecipeData open(Recipe given, Preparation how) throws IOException {
    return open(given, how, "train");
  }

  /**
   * The same for another verb.
   *
   * @param verb for the record of the account that pays
   */
  public static RecipeData open(Recipe given, Preparation how, String verb) throws IOException {
    return open(given, how, PayingAccount.of(given.values(), verb));
  }

  /** The same where it is known who pays. */
  public static RecipeData open(Recipe given, Preparation how, PayingAccount payer)
      throws IOException {
    Recipe recipe =
        Recipe.of(ColumnChoices.expanded(payer.completed(ColumnChoices.declared(given.values()))));
    Optional<EngineRows> elsewhere = EngineRows.of(recipe.values().orDefault(RunSettings.ENGINE));
    if (elsewhere.isPresent()) {
      return elsewhere(elsewhere.get(), recipe, how, payer);
    }
    EffectiveSettings choices = new EffectiveSettings(recipe.values());
    // Before a row is read: who names a cluster wants its rows told of as there.
    DataChoices.refuseCluster(choices);
    String name = DataChoices.name(choices);
    DataSet data =
        how.part(
            "reading the data",
            () -> DataSets.open(name, DataChoices.options(choices, how::progress)));
    return new RecipeData(recipe, told(data.rows(), how), payer);
  }

  /** The same where the engine opens the rows, for it alone reaches them. */
  private static RecipeData elsewhere(
      EngineRows rows, Recipe given, Preparation how, PayingAccount payer) throws IOException {
    Recipe recipe = Recipe.of(rows.completed(given.values()));
    EffectiveSettings choices = new EffectiveSettings(recipe.values());
    String name = DataChoices.name(choices);
    if (!rows.isHere(name)) {
      PayingAccount.checkDecided(recipe.values(), name);
    }
    TrainingRows opened = rows.open(name, choices, how);
    return new RecipeData(recipe, told(opened, how), payer);
  }

  /**
   * Rows that are there already. A recipe that names none does not say then that it has the default
   * ones.
   */
  public static RecipeData of(Recipe recipe, DataSet data, Preparation how) throws IOException {
    return of(recipe, data.rows(), how);
  }

  /** The same for rows that may be elsewhere, and say how many of them do not fit. */
  public static RecipeData of(Recipe given, TrainingRows rows, Preparation how) throws IOException {
    return of(given, rows, how, PayingAccount.of(given.values(), "train"));
  }

  /** The same where it is known who pays. */
  public static RecipeData of(Recipe given, TrainingRows rows, Preparation how, PayingAccount payer)
      throws IOException {
    // Rows that say whose they are may also say by which column, which the account then knows.
    boolean named = given.sets(UnitSettings.UNIT_COLUMN);
    Recipe recipe =
        Recipe.of(
            named ? payer.completed(given.values()) : payer.completedBesideRows(given.values()));
    return new RecipeData(
        recipe.sets(DataSettings.DATA)
            ? recipe
            : recipe.with(DataSettings.DATA, DataSettings.GIVEN_IN_JAVA),
        told(rows, how),
        payer);
  }

  /** Decides everything else; nothing is spent yet. */
  public PreparedRecipe prepare(Preparation how) throws IOException {
    return PreparedRecipe.of(this, how);
  }

  private static TrainingRows told(TrainingRows rows, Preparation how) throws IOException {
    MisfitRows.tell(rows.misfits(), rows.name(), how.acceptsMisfits(), how::warning);
    return rows;
  }
}
