package dev.discreet.recipe.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.EffectiveSettings;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingDefaultsTest {
  private static final Task TEN =
      new Task.Classes(IntStream.range(0, 10).mapToObj(Integer::toString).toList());

  private static TrainingDefaults images(long units) {
    return new TrainingDefaults(units, new Shape(28, 28, 1), TEN, true);
  }

  @ParameterizedTest
  @CsvSource({
    "60000, 1.8, 2048, 30",
    "20000, 2.2, 1024, 20",
    "20000, 5.8, 1024, 7.9",
    "10000, 0.5, 1000, 10",
    "1000, 0.5, 100, 5",
    "3, 0.009, 1, 5"
  })
  void lotAndRateFollowUnitsAndNoise(long units, double noise, long lot, double rate) {
    TrainingDefaults defaults = images(units);
    assertEquals(lot, defaults.lotSize());
    assertEquals(rate, defaults.learningRate(lot, noise, 1, defaults.clip(), false), 1e-9);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0",
    "240, 0.95",
    "12000, 0.999",
    "16000, 0.99925",
    "24000, 0.9995",
    "1000000, 0.999988",
    "9000000000000000000, 0.999999999"
  })
  void theMovingAverageRemembersATwelfthOfARunOfAnyLength(long steps, double decay) {
    TrainingDefaults defaults = new TrainingDefaults(5000, Shape.vector(3), TEN, true);
    assertEquals(decay, defaults.ema(steps));
    assertTrue(defaults.ema(steps) < 1);
  }

  @ParameterizedTest
  @CsvSource({
    "60000, 28x28x1, true, scattering",
    "50000, 32x32x3, true, scattering",
    "1, 20x40x1, true, scattering",
    "60000, 28x28x1, false, the gain was measured of private runs",
    "60000, 16x16x1, true, too small",
    "60000, 44x44x1, true, too large",
    "60000, 30x28x1, true, not a multiple of 4",
    "138000, 32x32x3, true, scattering",
    "139000, 32x32x3, true, more than 4 GiB of them",
    "6000, 28x28x17, true, too many features",
    "541000, 28x28x1, true, scattering",
    "542000, 28x28x1, true, more than 4 GiB of them"
  })
  void featuresAreForImagesWhereTheyWereMeasured(
      long units, String shape, boolean isPrivate, String why) {
    Shape input = Shape.parse(shape);
    TrainingDefaults classes = new TrainingDefaults(units, input, TEN, isPrivate);
    String found = classes.features(false).map(Scattering::toString).orElse("none");
    assertEquals(
        why.equals("scattering") ? "scattering(2,8,together=3)" : "none",
        found,
        why + ": " + shape);
    Task number = new Task.Number("y", 0, 1);
    assertTrue(new TrainingDefaults(units, input, number, isPrivate).features(false).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "60000, logistic, 4000, 3.2867, 2.5095",
    "60000, shift flatten dense(10), 4000, 8.6436, 0.9542",
    "10000, logistic, 666, 3.2852, 0.4180",
    "60000, logistic, 4000, 0.001, 16",
    "50000, 'conv(64,3,pad=1) tanh dense(10)', 2000, 3.2867, 2.0201"
  })
  void onFeaturesTheNoiseOfAllStepsTogetherDecidesTheRate(
      long units, String model, long lot, double noise, double rate) {
    Network network =
        Network.parse("scattering(2,8,together=3) " + model.replace("logistic", "dense(10)"));
    TrainingDefaults defaults = images(units).on(network.on(new Shape(28, 28, 1)));
    assertEquals(lot, defaults.lotSize());
    assertEquals(80, defaults.epochs());
    assertEquals(rate, defaults.learningRate(lot, noise, 1200, defaults.clip(), false), 1e-4);
    // A smaller threshold moves a step by as much.
    assertEquals(10 * rate, defaults.learningRate(lot, noise, 1200, 0.1, false), 1e-3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"28x28x1", "32x32x3", "64x48x3", "20x20x1", "8x8x1", "2x2x4", "14"})
  void thereIsAModelForEveryShape(String shape) {
    Shape input = Shape.parse(shape);
    for (Task task : List.of(TEN, new Task.Number("y", 0, 1))) {
      TrainingDefaults defaults = new TrainingDefaults(5000, input, task, true);
      String model = defaults.model(false);
      boolean bare = model.equals("logistic");
      int outputs = (bare ? Network.named(model, 10) : Network.named(model)).on(input).outputs();
      assertTrue(outputs == (task == TEN ? 10 : 1), model);
    }
  }

  /** Features of mirror images, asked for or not, lie in the same file. */
  @ParameterizedTest
  @CsvSource({
    "541000, 28x28x1, epsilon, 3, true",
    "541000, 28x28x1, augment, flip, false",
    "270000, 28x28x1, augment, flip, true",
    "271000, 28x28x1, augment, flip, false",
    "69000, 32x32x3, epsilon, 3, true",
    "70000, 32x32x3, epsilon, 3, false",
    "70000, 32x32x3, augment, flip, false",
    "138000, 32x32x3, views, 1, true",
    "138000, 32x32x3, norm-projections, 4, true"
  })
  void mirrorImagesCountInTheFile(
      long units, String shape, String setting, String value, boolean fits) {
    FeatureChoices choices =
        FeatureChoices.of(
            new EffectiveSettings(Recipe.of().with(setting, value).values()),
            new TrainingDefaults(units, Shape.parse(shape), TEN, true),
            1e-5,
            null);
    assertEquals(fits, choices.layer().isPresent());
  }

  /** Views beside estimated norms are refused, so nobody has them unasked. */
  @ParameterizedTest
  @CsvSource({
    "epsilon, 3, true",
    "norm-projections, 4, false",
    "features, 'scattering(2,8)', false"
  })
  void colouredImagesHaveViewsWhereTheyCan(String setting, String value, boolean views) {
    Shape coloured = new Shape(32, 32, 3);
    FeatureChoices choices =
        FeatureChoices.of(
            new EffectiveSettings(Recipe.of().with(setting, value).values()),
            new TrainingDefaults(50_000, coloured, TEN, true),
            1e-5,
            null);
    assertEquals(views, choices.views(coloured).isPresent());
  }
}
