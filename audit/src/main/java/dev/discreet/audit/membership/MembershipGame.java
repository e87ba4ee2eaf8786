package dev.discreet.audit.membership;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.files.Sha256;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Task;
import dev.discreet.core.train.Trainer;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.RecipeData;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.PayingAccount;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A recipe and who plays: it trains models with chosen players, and scores the players by a model.
 * The recipe is prepared once, so all models have one plan. Nothing is charged to an account and
 * nothing is written: whoever calls this has taken leave to look at the rows without noise.
 */
public final class MembershipGame {
  /** What stands first in everything that is made of these games. */
  public static final String NOTICE =
      "OUTSIDE THE GUARANTEE: computed from private rows without noise. Keep it as you keep the rows,"
          + " and release none of it.";

  /** Rows to test on play now, and no model here is kept. */
  private static final List<Setting<?>> LEFT_OUT =
      Stream.concat(
              PrivacySettings.OF_HELD_OUT_ROWS.stream(),
              Stream.of(
                  DataSettings.PUBLIC_TEST,
                  PrivacySettings.PUBLIC_ROWS_ARE_OTHER_PEOPLE,
                  RunSettings.WATCH_PRIVATE,
                  RunSettings.EVALUATE_EVERY,
                  RunSettings.CHECKPOINTS,
                  RunSettings.CHECKPOINT_EVERY,
                  RunSettings.OUT))
          .toList();

  private final MembershipRows rows;
  private final long seed;
  private final PreparedRecipe prepared;
  private final Trainer trainer;
  private final LocalData data;

  private MembershipGame(MembershipRows rows, long seed, PreparedRecipe prepared, Trainer trainer) {
    this.rows = rows;
    this.seed = seed;
    this.prepared = prepared;
    this.trainer = trainer;
    LocalData all = rows.data().train();
    this.data =
        prepared
            .setup()
            .chosen()
            .get(UnitSettings.EXAMPLES_PER_UNIT)
            .map(most -> all.atMost(Math.toIntExact(most)))
            .orElse(all);
  }

  /**
   * @param recipe of the target. Accounts that it names, or that cover its data, are not looked at
   * @param seed of the shadows' players, the one that {@code rows} were drawn by
   */
  public static MembershipGame of(Recipe recipe, MembershipRows rows, long seed, Preparation how)
      throws IOException {
    Recipe kept = recipe;
    for (Setting<?> setting : LEFT_OUT) {
      kept = kept.without(setting);
    }
    if (!kept.sets(UnitSettings.DECLARED_UNITS)) {
      // What is expected before coins are tossed: a plan that knew them would tell of them.
      kept = kept.with(UnitSettings.DECLARED_UNITS, (long) rows.expected());
    }
    PreparedRecipe prepared =
        RecipeData.of(kept, rows.target().rows(), how, PayingAccount.NONE).prepare(how);
    TrainingSetup setup = prepared.setup();
    Check.that(
        setup.plan().neighbouring() == Neighbouring.ADD_REMOVE || !setup.isPrivate(),
        "neighbouring",
        "add/remove, for the game is about presence, which other relations do not protect",
        setup.plan().neighbouring().label());
    Trainer trainer = setup.started(setup.trainer(), how::progress, () -> false);
    return new MembershipGame(rows, seed, prepared, trainer);
  }

  /** Who plays. */
  public MembershipRows rows() {
    return rows;
  }

  /** What is predicted. */
  public Task task() {
    return prepared.data().task();
  }

  /** What a model of this game would certify; empty for one that is not private. */
  public Optional<Ledger> ledger() {
    TrainingSetup setup = prepared.setup();
    return setup.isPrivate() && !setup.startsNotPrivate()
        ? Optional.of(setup.plan().ledger())
        : Optional.empty();
  }

  /** The certified cost of such a model, as if its keys were secret; empty as the ledger is. */
  public Optional<Guarantee> cost() {
    return ledger().flatMap(ledger -> prepared.planCost());
  }

  /** At which ε is stated. */
  public double delta() {
    return prepared.setup().delta();
  }

  /** Who is protected, as a singular noun. */
  public String unit() {
    return prepared.plan().unit();
  }

  /**
   * Tells this game from others: its recipe, who plays, and who is in. What is in the rows is no
   * part of it: whoever guesses the last row could confirm it by that.
   */
  public String digest() {
    String all =
        prepared.resolved().text()
            + " seed="
            + seed
            + " players="
            + Arrays.toString(rows.players())
            + " in="
            + Arrays.toString(rows.in());
    return Sha256.hex(all).substring(0, 16);
  }

  /** Trains the target, and keeps nothing but its scores. */
  public ModelScores target() {
    return scores(rows.in(), 0);
  }

  /** The scores of a target that is there already. */
  public ModelScores target(Model model) {
    Check.that(
        model.layout().input().equals(data.input()),
        "input of the model",
        "that of the rows, " + data.input(),
        model.layout().input());
    return new ModelScores(rows.in(), statistics(model));
  }

  /**
   * Trains a shadow, and keeps nothing but its scores.
   *
   * @param number from 0
   */
  public ModelScores shadow(int number) {
    return scores(rows.coins(seed, number), number + 1);
  }

  private ModelScores scores(boolean[] with, long number) {
    OptionalLong guessable =
        prepared
            .setup()
            .chosen()
            .get(PrivacySettings.INSECURE_SEED)
            .map(OptionalLong::of)
            .orElse(OptionalLong.empty());
    // With one seed for all, target and shadows would have the same noise.
    Trainer one =
        guessable.isPresent() ? trainer.insecureSeed(guessable.getAsLong() + number) : trainer;
    Model model =
        one.prepare(data.with(rows.chosen(data, with)), null, prepared.plan()).start().model();
    return new ModelScores(with, statistics(model));
  }

  private float[] statistics(Model model) {
    return RowStatistic.of(prepared.setup().engine(), model, data, rows.players());
  }
}
