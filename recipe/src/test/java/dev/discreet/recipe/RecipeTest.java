package dev.discreet.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.Section;
import dev.discreet.recipe.setting.UnitSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipeTest {
  private static final Recipe SAMPLE =
      Recipe.of()
          .with(LotSettings.LOT_SIZE, 256.0)
          .with(DataSettings.DATA, "people.csv")
          .with(DataSettings.COLUMN, List.of("age=0..120", "sex=f|m"))
          .with(ModelSettings.MODEL, "dense(8) relu dense(2)")
          .with(UnitSettings.UNIT, "person")
          .with(UnitSettings.ONE_ROW_EACH, true)
          .with(PrivacySettings.EPSILON, 1.5)
          .with(PrivacySettings.DELTA, 1e-6);

  @Test
  void theTextIsOneLineInTheOrderOfTheTable() {
    assertEquals(
        "data=people.csv column=age=0..120 column=sex=f|m model=\"dense(8) relu dense(2)\""
            + " epsilon=1.5 delta=1e-6 unit=person one-row-each=true lot-size=256",
        SAMPLE.text());
    assertEquals("", Recipe.of().text());
    assertEquals(
        "label=\"a \\\"b\\\"\\nc\"", Recipe.of().with(DataSettings.LABEL, "a \"b\"\nc").text());
  }

  /** Whatever changes this changes the name of every trial that was kept under it. */
  @Test
  void theDigestIsPinned() {
    assertEquals(
        "25fdf841eb45905d87d414b76d7f41ea3e785276034446ffbe1589bb7dac0a9d", SAMPLE.digest());
    assertNotEquals(SAMPLE.digest(), SAMPLE.with(LotSettings.LOT_SIZE, 257.0).digest());
  }

  @Test
  void yamlIsReadBack() {
    assertEquals(SAMPLE, Recipe.parse(SAMPLE.yaml()));
    assertEquals(SAMPLE.hashCode(), Recipe.parse(SAMPLE.yaml()).hashCode());
    assertEquals(Recipe.of(), Recipe.parse("# nothing\n"));
    assertEquals("epsilon: 3.0\nepochs: 5\n", Recipe.parse("epochs: 5\nepsilon: 3.0").yaml());
  }

  @Test
  void theSameValueInAnotherWayIsTheSameRecipe() {
    Recipe typed = Recipe.of().with(LotSettings.SAMPLING_RATE, 0.5);
    assertEquals(typed, Recipe.parse("sampling-rate: 1/2"));
    assertEquals(typed, Recipe.of().with("sampling-rate", "0.50"));
    assertEquals(typed, typed.with(PrivacySettings.NON_PRIVATE, false));
    assertNotEquals(typed, Recipe.of().with("sampling-rate", "0.51"));
  }

  @Test
  void jsonHasTheTexts() {
    assertEquals(
        "{\"column\":[\"age=0..120\"],\"epsilon\":\"3\"}",
        Recipe.of().with(PrivacySettings.EPSILON, 3.0).with("column", "age=0..120").json());
  }

  @Test
  void whatIsSetReplacesItsRivals() {
    Recipe recipe = Recipe.of().with(LotSettings.EPOCHS, 5.0).with(LotSettings.STEPS, 7L);
    assertEquals("steps=7", recipe.text());
    assertEquals(Optional.of(7L), recipe.get(LotSettings.STEPS));
    assertFalse(recipe.sets(LotSettings.EPOCHS));
    Recipe over = Recipe.of().with(LotSettings.EPOCHS, 2.0).over(SAMPLE);
    assertEquals(SAMPLE.with(LotSettings.EPOCHS, 2.0), over);
    assertEquals("epochs=2", Recipe.of().with(LotSettings.EPOCHS, 2.0).over(recipe).text());
    assertEquals("", recipe.without(LotSettings.STEPS).text());
  }

  /** Else a promise that was asked for would give way to the default one. */
  @Test
  void aFlagThatIsFalseReplacesNothing() {
    Recipe strict = Recipe.of().with(PrivacySettings.EPSILON, 0.5);
    assertEquals("epsilon=0.5", strict.with(PrivacySettings.NON_PRIVATE, false).text());
    assertEquals("epsilon=0.5", Recipe.parse("non-private: false").over(strict).text());
    assertEquals("non-private=true", strict.with(PrivacySettings.NON_PRIVATE, true).text());
  }

  @Test
  void partsAreRecipes() {
    assertEquals("unit=person one-row-each=true", SAMPLE.part(Section.UNIT).text());
    assertEquals("epsilon=1.5 delta=1e-6 lot-size=256", SAMPLE.part(Section.PLAN).text());
    assertEquals(Recipe.of(), SAMPLE.part(Section.LEARNING));
    Recipe whole = Recipe.of();
    for (Section section : Section.values()) {
      whole = whole.over(SAMPLE.part(section));
    }
    assertEquals(SAMPLE, whole);
  }

  @Test
  void aWrongValueIsRefusedWhereItStands(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("run.yaml"), "data: x\n\nepsilon: -1\n");
    assertRefused(
        file + ", line 3: epsilon must be in (0, infinity). Provided value: -1",
        () -> Recipe.read(file));
    assertRefused(
        "run file, line 1: clip must be a number. Provided value: abc",
        () -> Recipe.parse("clip: abc"));
    assertRefused(
        "learning rate must be in [0, infinity). Provided value: -1",
        () -> Recipe.of().with(OptimizerSettings.LEARNING_RATE, -1.0));
    assertRefused("unknown key 'lot'; did you mean lot-size?", () -> Recipe.of().with("lot", "3"));
    assertRefused(
        "clip must be one value. Provided value: [1, 2]", () -> Recipe.of().with("clip", "1", "2"));
    assertRefused(
        "force must be left to the call that runs it, for it is no part of a run. Provided value:"
            + " true",
        () -> Recipe.of().with(CallSettings.FORCE, true));
  }

  private interface Making {
    Recipe make() throws IOException;
  }

  private static void assertRefused(String message, Making making) {
    Exception e = assertThrows(IllegalArgumentException.class, making::make);
    assertEquals(message, e.getMessage());
  }

  private static final Recipe SMALL =
      Recipe.parse(
          """
          data: gaussians
          model: logistic
          epochs: 1
          insecure-seed: 3
          """);

  /** What is resolved describes the same run, and nothing is left open in it. */
  @Test
  void theResolvedRecipeIsTheSameRun() throws IOException {
    PreparedRecipe prepared = SMALL.prepare();
    Recipe resolved = prepared.resolved();
    assertTrue(resolved.sets(LotSettings.LOT_SIZE), resolved.text());
    assertTrue(resolved.sets(OptimizerSettings.LEARNING_RATE), resolved.text());
    assertEquals(resolved, SMALL.over(resolved));
    PreparedRecipe again = resolved.prepare();
    assertEquals(resolved, again.resolved());
    assertEquals(prepared.planCost().orElseThrow(), again.planCost().orElseThrow());
    // Its seed is insecure.
    assertEquals(Optional.empty(), prepared.cost());
    assertEquals(prepared.plan().multiplier(0), again.plan().multiplier(0));
  }

  @Test
  void aRunLeavesTheFilesOfARun(@TempDir Path folder) throws IOException {
    FinishedRun run = SMALL.prepare().start();
    Path out = run.save(folder.resolve("run"));
    for (String name :
        List.of(
            "run.yaml",
            "run.json",
            "model.safetensors",
            "model.json",
            "privacy.txt",
            "metrics.csv")) {
      assertTrue(Files.exists(out.resolve(name)), name);
    }
    Recipe saved = Recipe.read(out.resolve("run.yaml"));
    FinishedRun again = saved.prepare().start();
    assertEquals(
        List.of(run.model().parameters()[0], run.model().parameters()[1]),
        List.of(again.model().parameters()[0], again.model().parameters()[1]));
    assertThrows(IllegalArgumentException.class, () -> run.save(out));
  }

  @Test
  void aRunThatLeavesAFolderKeepsTheJournalThatItWasGiven(@TempDir Path folder) throws IOException {
    Path audit = folder.resolve("audit.journal");
    PreparedRecipe prepared = SMALL.with("out", folder.resolve("run").toString()).prepare();
    prepared.with(trainer -> trainer.journal(audit)).start();
    assertTrue(Files.exists(folder.resolve("run").resolve("run.json")));
    assertEquals(prepared.plan().ledger().totals(), Journal.read(audit).ledger().totals());
    PreparedRecipe kept =
        SMALL.with("checkpoints", folder.resolve("checkpoints").toString()).prepare();
    assertTrue(
        assertThrows(
                IllegalArgumentException.class, () -> kept.with(trainer -> trainer.journal(audit)))
            .getMessage()
            .startsWith("journal of a run with checkpoints must be none"));
  }

  @Test
  void featuresStandBeforeWhateverTheModelIs() throws IOException {
    Recipe digits =
        Recipe.of()
            .with(DataSettings.DATA, "digits")
            .with(PrivacySettings.NOISE_MULTIPLIER, 3.0)
            .with(LotSettings.STEPS, 1L);
    String standard = "scattering(2,8,together=3) flatten dense(10)";
    assertEquals(standard, network(digits));
    assertEquals(
        "flatten dense(10)", network(digits.with("features", "none").with("model", "logistic")));
    assertEquals("flatten dense(10)", network(digits.with("model", "logistic")));
    assertEquals(
        "scattering(1,4) conv(8,3,pad=1) tanh flatten dense(10)",
        network(
            digits
                .with("features", "scattering(1,4)")
                .with("model", "conv(8,3,pad=1) tanh flatten dense(10)")));
    assertFalse(network(digits.with("features", "none")).contains("scattering"));
    assertFalse(
        network(
                Recipe.of()
                    .with(DataSettings.DATA, "digits")
                    .with(PrivacySettings.NON_PRIVATE, true)
                    .with(LotSettings.STEPS, 1L))
            .contains("scattering"));
  }

  @Test
  void theMeanOfFeaturesComesOutOfTheSameBudget() throws IOException {
    Recipe digits =
        Recipe.of()
            .with(DataSettings.DATA, "digits")
            .with(PrivacySettings.EPSILON, 2.0)
            .with(LotSettings.STEPS, 10L);
    PreparedRecipe centred = digits.prepare();
    assertEquals(
        "scattering(2,8,together=3) shift flatten dense(10)",
        centred.setup().layout().network().toString());
    assertEquals(
        "0.03",
        String.valueOf(
            centred.resolved().values().get(PrivacySettings.CENTRE_SHARE).orElseThrow()));
    assertEquals(1, centred.setup().first().size());
    assertEquals(2, centred.cost().orElseThrow().epsilon(), 0.01);
    PreparedRecipe plain = digits.with("centre-share", "0").prepare();
    assertEquals(List.of(), plain.setup().first());
    assertTrue(plain.plan().multiplier(0) < centred.plan().multiplier(0));
    // With more noise than mean it would only do harm.
    Recipe noisy = digits.with("epsilon", "0.1");
    assertEquals(List.of(), noisy.prepare().setup().first());
    assertEquals(1, noisy.with("centre-share", "0.03").prepare().setup().first().size());
    // There is no proof for another relation, so it is not the default there, and refused by name.
    Recipe replaced = digits.with("neighbouring", "replace-one");
    assertEquals(List.of(), replaced.prepare().setup().first());
    Recipe asked = replaced.with("centre-share", "0.1");
    assertTrue(
        assertThrows(IllegalArgumentException.class, asked::prepare)
            .getMessage()
            .startsWith("neighbouring of a run that releases the mean"));
    for (String wrong :
        List.of(
            "features none needs --features",
            "features scattering(2,8) needs features that are normalised")) {
      String[] parts = wrong.split(" ", 3);
      Recipe refused = digits.with(parts[0], parts[1]).with("centre-share", "0.1");
      assertTrue(
          assertThrows(IllegalArgumentException.class, refused::prepare)
              .getMessage()
              .startsWith("--centre-share " + parts[2]));
    }
  }

  private static String network(Recipe recipe) throws IOException {
    return recipe.prepare().setup().layout().network().toString();
  }

  @Test
  void featuresThatCannotBeAreRefused() {
    Recipe digits = Recipe.of().with(DataSettings.DATA, "digits");
    for (String text :
        List.of("nonsense", "dense(10)", "scattering(2,8) relu", "scattering(2,8) loss=squared")) {
      assertEquals(
          "features must be none, or the layer scattering alone, as in scattering(2,8,together=3)."
              + " Provided value: "
              + text,
          assertThrows(IllegalArgumentException.class, () -> digits.with("features", text))
              .getMessage());
    }
    Recipe twice = digits.with("features", "scattering(2,8)").with("model", "scattering-linear");
    assertEquals(
        "features must be none before a model that begins with a layer of its own for them."
            + " Provided value: scattering(2,8)",
        assertThrows(IllegalArgumentException.class, twice::prepare).getMessage());
    Recipe table =
        Recipe.of().with(DataSettings.DATA, "census").with("features", "scattering(2,8)");
    assertTrue(
        assertThrows(IllegalArgumentException.class, table::prepare)
            .getMessage()
            .contains("input of scattering(2,8) must be an image"));
  }
}
