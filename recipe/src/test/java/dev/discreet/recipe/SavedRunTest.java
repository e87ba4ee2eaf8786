package dev.discreet.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.discreet.core.engine.Engine;
import dev.discreet.data.DataOptions;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.DataChoices;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavedRunTest {

  /** The model of a run is read where nobody could have trained it. */
  @Test
  void aRunOfAnEngineThatIsNotHereIsReadAndComputedByTheStandardOne() {
    Recipe far = Recipe.parse("data: gaussians\nengine: abacus");
    List<String> warnings = new ArrayList<>();
    Engine engine = new SavedRun(null, null, far).engine(warnings::add);
    assertEquals(Engine.standard(), engine);
    assertEquals(
        List.of(
            "the engine abacus, which trained this run, is not on the class path: cpu computes"
                + " instead"),
        warnings);
    new SavedRun(null, null, Recipe.of()).engine(line -> fail(line));
    Exception refused = assertThrows(IllegalArgumentException.class, far::prepare);
    assertTrue(refused.getMessage().startsWith("engine must be one of [cpu"), refused::getMessage);
  }

  /** A model knows pixels as it saw them, whether a declaration or a name brought their scale. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          mnist, , t10k-images-idx3-ubyte.gz, , [0.1307], [0.3081]
          cifar10, , scans, , '[0.4914, 0.4822, 0.4465]', '[0.247, 0.2435, 0.2616]'
          digits, , scans, , [0.113], [0.239]
          , , scans, , [0.113], [0.239]
          mnist, 0.3, scans, , [0.3], [2.0]
          mnist, , scans, 0.5, [0.5], [4.0]
          mnist, 0.3, scans, 0.5, [0.5], [4.0]
          scans, 0.3, others, , [0.3], [2.0]
          scans, , others, , [], []
          scans, , mnist, , [0.0], [1.0]
          mnist, 0.3, mnist, , [0.3], [2.0]
          mnist, , mnist, , [0.1307], [0.3081]
          mnist, , , , [], []
          mnist, , cifar10, , [], []
          mnist, , digits, , [], []
          mnist, , rows.csv, , [], []
          pums-employment, , others, , [], []
          """)
  void aRunKeepsItsScale(
      String trained, String mean, String data, String own, String means, String deviations)
      throws IOException {
    SavedRun run = new SavedRun(null, null, Recipe.of(given(trained, mean, "2")));
    EffectiveSettings choices = run.choices(given(data, own, "4"));
    DataOptions options = DataChoices.options(choices, line -> {});
    assertEquals(means, options.mean().toString());
    assertEquals(deviations, options.deviation().toString());
  }

  /** A database and a workbook know their numbers; text of the same people is written alike. */
  @ParameterizedTest
  @CsvSource({"more.csv, true", "more.xlsx, false", "jdbc:postgresql://host/clinic, false"})
  void howTextIsWrittenHoldsForTextAlone(String data, boolean text) throws IOException {
    Recipe trained =
        Recipe.parse("data: first.csv\ndelimiter: ';'\ndecimal: comma\nlabel: ill=0|1");
    EffectiveSettings choices = new SavedRun(null, null, trained).choices(given(data, null, null));
    assertEquals("ill=0|1", choices.get(DataSettings.LABEL).orElseThrow());
    assertEquals(text, choices.isGiven(DataSettings.DELIMITER));
    assertEquals(text, choices.isGiven(DataSettings.DECIMAL));
  }

  private static SettingValues given(String data, String mean, String deviation) {
    Map<Setting<?>, SettingValues.Value> given = new LinkedHashMap<>();
    if (data != null) {
      given.put(DataSettings.DATA, new SettingValues.Value(List.of(data), ""));
    }
    if (mean != null) {
      given.put(DataSettings.MEAN, new SettingValues.Value(List.of(mean), ""));
      given.put(DataSettings.DEVIATION, new SettingValues.Value(List.of(deviation), ""));
    }
    return new SettingValues(given);
  }
}
