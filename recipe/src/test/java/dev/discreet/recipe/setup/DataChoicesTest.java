package dev.discreet.recipe.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public rows beside private ones: read alike, so that one that is both is found. */
class DataChoicesTest {
  /** A private file has pixels in [0, 1] unless told; so must MNIST beside it. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          scans, , mnist, [0.0]
          scans, , cifar10, '[0.0, 0.0, 0.0]'
          scans, 0.3, mnist, [0.3]
          mnist, , fashion-mnist, []
          mnist, 0.3, mnist, [0.3]
          scans, 0.3, digits, []
          scans, 0.3, others, [0.3]
          scans, , others, []
          given in Java, 0.3, mnist, [0.3]
          given in Java, 0.3, others, [0.3]
          given in Java, , digits, []
          """)
  void oneScale(String data, String mean, String beside, String expected) throws IOException {
    EffectiveSettings choices = new EffectiveSettings(given(data, mean, "2"));
    DataOptions options = DataChoices.beside(choices, beside, 1, line -> {});
    assertEquals(expected, options.mean().toString());
    assertEquals(options.mean().size(), options.deviation().size());
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

  @Test
  void heldOutRowsArePrivateToo() {
    DataSet trained = GeneratedSets.make("gaussians", 0);
    Examples known = GeneratedSets.make("gaussians", 1).train().examples();
    DataChoices.refuseOverlap(known, trained.task(), trained.rows());
    DataSet held =
        new DataSet(
            "held",
            trained.task(),
            trained.train(),
            Optional.of(
                new DataSet.Part(
                    known, GeneratedSets.make("gaussians", 1).train().units(), false)));
    assertThrows(
        IllegalArgumentException.class,
        () -> DataChoices.refuseOverlap(known, held.task(), held.rows()));
  }

  /** A person with another label is the same person. */
  @Test
  void otherLabelsDoNotHideARow() {
    DataSet data = GeneratedSets.make("gaussians", 0);
    Examples same = data.train().examples();
    float[] inputs = new float[same.size() * same.input().size()];
    float[] targets = new float[same.size()];
    for (int i = 0; i < same.size(); i++) {
      same.input(i, inputs, i * same.input().size());
      targets[i] = 2;
    }
    Examples others = Examples.of(same.input(), inputs, 1, targets);
    DataChoices.refuseOverlap(others, data.task(), data.rows());
    Task another = new Task.Classes(List.of("a", "b", "c"));
    assertThrows(
        IllegalArgumentException.class,
        () -> DataChoices.refuseOverlap(others, another, data.rows()));
  }
}
