package dev.discreet.recipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Model;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import dev.discreet.data.Misfits;
import dev.discreet.data.Subset;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.SettingValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that Java hands over keep every promise that rows from files keep. */
class RecipeOnGivenDataTest {
  private static final Recipe RECIPE =
      Recipe.parse("model: logistic\nsteps: 2\nlot-size: 50\nnoise-multiplier: 1");
  private static final DataSet GENERATED = GeneratedSets.make("gaussians", 0);

  private static DataSet.Part part(int from, int to, boolean isPublic) {
    Examples rows = new Subset(GENERATED.train().examples(), IntStream.range(from, to).toArray());
    return new DataSet.Part(rows, Units.each(rows.size()), isPublic);
  }

  private static DataSet people(DataSet.Part test) {
    return new DataSet("people", GENERATED.task(), part(0, 200, false), Optional.of(test));
  }

  @Test
  void publicRowsThatArePrivateOnesAreRefused() throws IOException {
    DataSet both = people(part(199, 210, true));
    Exception e = assertThrows(IllegalArgumentException.class, () -> RECIPE.prepare(both));
    assertTrue(e.getMessage().startsWith("public examples must be none of the private"), "" + e);
    RECIPE.with("public-rows-are-other-people", "true").prepare(both);
    RECIPE.prepare(people(part(200, 210, true)));
    RECIPE.with("held-out", "none").prepare(people(part(199, 210, false)));
  }

  /** Who trains on a published set has nothing to hide in it. */
  @Test
  void rowsOfWholePublicSetsAreNotCompared() throws IOException {
    DataSet both = people(part(199, 210, true));
    RECIPE.prepare(both.published());
    RECIPE.prepare(GENERATED.with(both.train(), both.test()).published());
    RECIPE.prepare(new DataSet("open", both.task(), part(0, 200, true), both.test()));
  }

  /** Other rows were not published because those were that they take the place of. */
  @Test
  void otherRowsOfAPublicSetAreCompared() {
    DataSet both = people(part(199, 210, true));
    DataSet others = GENERATED.with(both.train(), both.test());
    Exception e = assertThrows(IllegalArgumentException.class, () -> RECIPE.prepare(others));
    assertTrue(e.getMessage().startsWith("public examples must be none of the private"), "" + e);
  }

  /** A run that failed at its first step would have been charged for it. */
  @Test
  void unitsWithoutTheirExamplesAreRefused() {
    DataSet.Part rows = part(0, 200, false);
    DataSet data =
        new DataSet("people", GENERATED.task(), rows.with(Units.each(201)), Optional.empty());
    Exception e = assertThrows(IllegalArgumentException.class, () -> RECIPE.prepare(data));
    assertEquals(
        "examples of the units must be below the number there is, 200. Provided value: 200",
        e.getMessage());
  }

  @Test
  void manyMisfitsAreRefused() throws IOException {
    BitSet three = new BitSet();
    three.set(0, 3);
    DataSet fit = people(part(200, 210, true));
    DataSet unfit =
        new DataSet(
            fit.name(),
            fit.task(),
            fit.train(),
            fit.test(),
            new Misfits(three, 203, List.of("row 1: no number")),
            false);
    Exception e = assertThrows(IOException.class, () -> RECIPE.prepare(unfit));
    assertTrue(e.getMessage().contains("That is over 1%"), "" + e);
    assertThrows(IOException.class, () -> RECIPE.prepare(unfit.rows()));
    assertEquals(0, unfit.with(fit.train(), fit.test()).misfits().count());
    RECIPE.prepare(
        unfit,
        new Preparation() {
          @Override
          public boolean acceptsMisfits() {
            return true;
          }
        });
  }

  @Test
  void theFilesSayThatRowsWereGivenInJava(@TempDir Path folder) throws IOException {
    DataSet data = people(part(200, 210, true));
    FinishedRun run = RECIPE.prepare(data).start();
    Path out = run.save(folder.resolve("run"));
    Recipe saved = Recipe.read(out.resolve("run.yaml"));
    assertEquals(Optional.of("given in Java"), saved.get(DataSettings.DATA));
    Exception e = assertThrows(IllegalArgumentException.class, saved::prepare);
    assertEquals(
        "data must be a name or a path, or handed over in Java (Recipe.prepare(DataSet)), as the"
            + " rows of this run were. Provided value: given in Java",
        e.getMessage());
    assertEquals(saved, saved.prepare(data).resolved());
    SavedRun read = SavedRun.read(out);
    assertThrows(IllegalArgumentException.class, () -> read.choices(SettingValues.nothing()));
    assertEquals(
        Optional.of("gaussians"),
        RECIPE
            .with(DataSettings.DATA, "gaussians")
            .prepare(data)
            .resolved()
            .get(DataSettings.DATA));
  }

  /** A file must not say that something was done which was not. */
  @ParameterizedTest
  @CsvSource({
    "public-test, /no/such/file.csv",
    "test-share, 0.9",
    "data-seed, 3",
    "labels, labels.idx",
    "test-folder, true",
    "unit-column, who",
    "unit-map, map.csv",
    "public-ids, true",
    "label, sick=0|1",
    "bounds, 0..1",
    "input, 2x2x1",
    "classes, a|b",
    "mean, 0.5",
    "data-dir, sets"
  })
  void whatOnlyOpeningReadsIsRefused(String name, String value) {
    Recipe recipe = RECIPE.with(name, value);
    DataSet data = people(part(200, 210, true));
    Exception e = assertThrows(IllegalArgumentException.class, () -> recipe.prepare(data));
    assertTrue(e.getMessage().startsWith("--" + name + " is for data that are opened"), "" + e);
  }

  /** The names of these folders may be those of the private images. */
  @Test
  void imagesElsewhereSayNothingOfGivenRows(@TempDir Path folder) throws IOException {
    for (String name : List.of("sick", "well")) {
      Files.createDirectories(folder.resolve(name));
    }
    Recipe recipe = RECIPE.with("as-in", folder.toString());
    DataSet data = people(part(200, 210, true));
    Exception e = assertThrows(IllegalArgumentException.class, () -> recipe.prepare(data));
    assertTrue(e.getMessage().startsWith("--as-in is for data that are opened"), "" + e);
  }

  /** A row that is in both is found by its values, so both must have one scale. */
  @ParameterizedTest
  @ValueSource(strings = {"pretrain-data", "public-data"})
  void publicImagesNeedTheScaleOfGivenRows(String beside) {
    Recipe recipe = RECIPE.with(beside, "mnist");
    Recipe read = beside.equals("public-data") ? recipe.with("project-onto", "2") : recipe;
    DataSet data = people(part(200, 210, true));
    Exception e = assertThrows(IllegalArgumentException.class, () -> read.prepare(data));
    assertTrue(e.getMessage().startsWith("mean and deviation must be those that"), "" + e);
  }

  @Test
  void publicRowsBesideGivenOnesAreCompared() throws IOException {
    Recipe recipe = RECIPE.with("pretrain-data", "gaussians").with("pretrain-epochs", "1");
    DataSet data = people(part(200, 210, true));
    Recipe same = recipe.with("pretrain-seed", "0");
    Exception e = assertThrows(IllegalArgumentException.class, () -> same.prepare(data));
    assertTrue(e.getMessage().startsWith("public examples must be none of the private"), "" + e);
    PreparedRecipe prepared = recipe.with("pretrain-seed", "9").prepare(data);
    assertEquals(prepared.resolved(), prepared.resolved().prepare(data).resolved());
  }

  /** How Java split its rows follows from no share, and a statement must be true. */
  @Test
  void noNumberOfHeldOutUnitsIsMadeUp() throws IOException {
    DataSet data = people(part(200, 380, false));
    Recipe recipe = RECIPE.with("declared-units", "200");
    Exception e = assertThrows(IllegalArgumentException.class, () -> recipe.prepare(data));
    assertTrue(e.getMessage().startsWith("declared held-out must be given beside"), "" + e);
    Recipe named = recipe.with("data", "people.csv");
    assertThrows(IllegalArgumentException.class, () -> named.prepare(data));
    TestSet test = recipe.with("declared-held-out", "180").prepare(data).setup().test();
    assertEquals(180, ((TestSet.Released) test).declaredUnits());
    recipe.with("held-out", "console").prepare(data);
    RECIPE.prepare(data);
  }

  /** The layers that are trained on know the features without this very mean. */
  @Test
  void aStartKeepsTheMeanThatItTakesOff(@TempDir Path folder) throws IOException {
    Shape input = new Shape(20, 20, 1);
    Random random = new Random(5);
    float[] pixels = new float[80 * input.size()];
    float[] classes = new float[80];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
      classes[i / input.size()] = i / input.size() % 2;
    }
    Examples images = Examples.of(input, pixels, 1, classes);
    DataSet data =
        new DataSet(
            "images",
            GENERATED.task(),
            new DataSet.Part(images, Units.each(80), false),
            Optional.empty());
    Recipe recipe = Recipe.parse("epsilon: 2\nsteps: 2");
    Recipe centred = recipe.with("centre-share", "0.03");
    Model first = Model.load(centred.prepare(data).start().save(folder.resolve("first")));
    Recipe fine =
        recipe
            .with("start-from", folder.resolve("first").toString())
            .with("rate-factor", "start=0.5");
    PreparedRecipe next = fine.prepare(data);
    assertEquals(List.of("1"), next.setup().frozen());
    assertEquals(List.of(), next.setup().first());
    Model second = Model.load(next.start().save(folder.resolve("second")));
    int shifts = first.layout().afterFeatures().input().size();
    assertArrayEquals(
        Arrays.copyOf(first.parameters(), shifts), Arrays.copyOf(second.parameters(), shifts));
    assertFalse(Arrays.equals(first.parameters(), second.parameters()));
    Recipe pretrained = recipe.with("pretrain-data", "digits");
    List<Recipe> asked =
        List.of(fine, pretrained, pretrained.with("features", "scattering(2,8,together=3)"));
    for (Recipe each : asked) {
      Recipe refused = each.with("centre-share", "0.1");
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> refused.prepare(data))
              .getMessage()
              .startsWith("--centre-share is not for --start-from or --pretrain-data"));
    }
  }
}
