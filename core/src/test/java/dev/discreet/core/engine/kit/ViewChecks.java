package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several views stand for an example: one gradient a unit, and one bound. */
abstract class ViewChecks extends EngineChecks {
  private static final Shape IMAGE = new Shape(6, 7, 2);
  private static final String NETWORK = "conv(5,3,stride=2) tanh dropout(0.3) flatten dense(4)";
  private static final int COUNT = 24;

  ViewChecks(EngineKit kit) {
    super(kit);
  }

  /** An engine that has no views says so, and nothing else can be asked of it. */
  @BeforeEach
  void refusesByName(TestInfo info) {
    Augmentation views = Augmentation.parse("flip", 2);
    boolean makes = true;
    try {
      engine().check(views);
    } catch (IllegalArgumentException e) {
      makes = false;
      assertTrue(e.getMessage().startsWith("views must be 1 with the engine "), e.getMessage());
    }
    assumeTrue(makes, "views are refused: " + info.getDisplayName());
  }

  private static Trial trial(String network, Shape image, ClippingRule clipping, double decay) {
    Layout layout = Network.parse(network).on(image);
    UnitRule rule = Trial.rule(layout, clipping, Trial.Groups.ONE, decay, Trial.Decayed.ALL);
    return Trial.of(layout, rule, Trial.examples(layout, COUNT, 3), 0.4);
  }

  private static Trial with(Trial trial, String kinds, int views) {
    return with(trial, trial.rule().with(Augmentation.parse(kinds, views)));
  }

  private static Trial with(Trial trial, UnitRule rule) {
    return new Trial(
        trial.layout(),
        rule,
        trial.examples(),
        trial.units(),
        trial.grid(),
        trial.theta(),
        trial.thresholds(),
        trial.noise(),
        trial.release());
  }

  /** Units of one example, of three, of two and of none. */
  private static Units some() {
    long[] ids = {3, 1, 4, 15, 9, 2, 6};
    return Units.of(ids, new int[][] {{0, 1, 2}, {3}, {4}, {}, {5, 6}, {7}, {8}});
  }

  @ParameterizedTest
  @CsvSource({
    "flip, 2, 0",
    "crop(3), 5, 0",
    "shift(2), 3, 0",
    "'flip,crop(2),shift(1)', 8, 0",
    "'flip,crop(4)', 4, 0.01",
    "'crop(1),shift(5)', 70, 0"
  })
  void agreesWithTheOracle(String kinds, int views, double decay) {
    takesOneOf(3);
    for (ClippingRule clipping : Trial.RULES) {
      if (passesOver(3)) {
        continue;
      }
      Trial trial = with(trial(NETWORK, IMAGE, clipping, decay), kinds, views);
      double allowed = (decay > 0 ? 10 : 1) * tolerance();
      for (Engine cut : fewCuts()) {
        assertEquals(0, trial.error(cut), allowed, cut.toString());
      }
      assertEquals(0, trial.with(some()).error(engine()), 100 * tolerance());
      assertEquals(0, trial.withNoise(0.1, 6).error(engine()), 100 * tolerance());
    }
  }

  @Test
  void aMeanOverExamplesAndTheirViews() {
    Trial one = trial(NETWORK, IMAGE, new ClippingRule.Flat(), 0);
    UnitRule rule =
        new UnitRule(
            one.rule().clipping(),
            one.rule().group(),
            0,
            one.rule().decayed(),
            true,
            true,
            Augmentation.parse("flip,shift(1)", 6));
    Trial averaged = with(one, rule).with(some());
    assertEquals(0, averaged.error(engine()), 100 * tolerance());
    assertArrayEquals(
        new long[] {averaged.exact().counts()[0]},
        Arrays.copyOfRange(
            averaged.run(engine()).sum().integers(),
            one.layout().parameters(),
            one.layout().parameters() + 1));
  }

  @Test
  void oneViewIsTheExampleItself() {
    Trial trial = trial(NETWORK, IMAGE, new ClippingRule.Flat(), 0);
    for (Units units : new Units[] {trial.units(), some()}) {
      Trial plain = trial.with(units);
      assertArrayEquals(
          plain.run(engine()).sum().integers(),
          with(plain, "flip,crop(3),shift(2)", 1).run(engine()).sum().integers());
    }
    assertFalse(
        Arrays.equals(
            trial.run(engine()).sum().integers(),
            with(trial, "flip", 2).run(engine()).sum().integers()),
        "the comparison can fail");
  }

  @Test
  void anotherReleaseHasOtherViews() {
    Trial trial = with(trial("flatten dense(4)", IMAGE, new ClippingRule.Flat(), 0), "crop(3)", 3);
    long[] first = trial.run(engine()).sum().integers();
    assertArrayEquals(first, trial.run(engine()).sum().integers());
    assertFalse(
        Arrays.equals(first, trial.withNoise(0, 6).run(engine()).sum().integers()),
        "views of two releases are the same");
  }

  @ParameterizedTest
  @CsvSource({"flip, 2", "'flip,crop(2)', 3", "shift(4), 9", "shift(5), 130"})
  void sameBitsWhateverTheCut(String kinds, int views) {
    takesOneOf(3);
    Trial trial = with(trial(NETWORK, IMAGE, new ClippingRule.Flat(), 0), kinds, views);
    for (Units units : new Units[] {trial.units(), some()}) {
      long[] expected = trial.with(units).run(engine()).sum().integers();
      for (Engine cut : cuts()) {
        assertArrayEquals(expected, trial.with(units).run(cut).sum().integers(), cut.toString());
      }
    }
  }

  /** Exactly, and the bound is that of a unit without views. */
  @ParameterizedTest
  @CsvSource({"0, 0.4, 0", "0, 1e-3, 0", "0.01, 0.02, 0", "5, 0.3, 0", "0, 0.2, 0.5"})
  void noUnitMovesTheSumByMore(double decay, double threshold, double noise) {
    takesOneOf(3);
    double largest = 0;
    for (ClippingRule clipping : Trial.RULES) {
      // Flat clipping always: units that it clips move the sum as far as they may.
      if (!(clipping instanceof ClippingRule.Flat) && passesOver(6)) {
        continue;
      }
      Trial base = trial(NETWORK, IMAGE, clipping, decay);
      Trial plain =
          new Trial(
              base.layout(),
              base.rule(),
              base.examples(),
              base.units(),
              Trial.grid(3, COUNT + 4, threshold),
              base.theta(),
              new double[] {threshold},
              noise,
              5);
      for (Trial trial : new Trial[] {plain, plain.with(some())}) {
        Trial viewed = with(trial, "flip,crop(2),shift(1)", 5);
        ClippedSum all = viewed.run(engine()).sum();
        for (int gone : new int[] {0, 2, 4}) {
          ClippedSum less = viewed.without(gone).run(engine()).sum();
          largest = Math.max(largest, Trial.assertWithin(all, less, "without unit " + gone));
        }
        assertTrue(
            all.sensitivities()[0]
                <= Math.max(trial.run(engine()).sum().sensitivities()[0], 1.02 * threshold));
      }
    }
    assertTrue(largest > 0.9, "the most used share is " + largest);
  }

  @Test
  void anExampleThatCannotBeUsedHasNoViews() {
    Trial trial = with(trial(NETWORK, IMAGE, new ClippingRule.Flat(), 0), "flip,crop(1)", 4);
    int size = IMAGE.size();
    float[] pixels = new float[COUNT * size];
    float[] labels = new float[COUNT];
    for (int i = 0; i < COUNT; i++) {
      trial.examples().input(i, pixels, i * size);
      trial.examples().target(i, labels, i);
    }
    pixels[7 * size + 5] = Float.NaN;
    Trial.Answer bad = trial.with(Examples.of(IMAGE, pixels, 1, labels)).run(engine());
    assertArrayEquals(trial.without(7).run(engine()).sum().integers(), bad.sum().integers());
    assertEquals(1, bad.refused());
  }

  /** Features of mirror images are no mirrored features: the second would be seen here. */
  @ParameterizedTest
  @CsvSource({"8x12x1", "4x6x2"})
  void mirrorsImagesBeforeTheirFeatures(String shape) {
    String scattering = shape.startsWith("8") ? "scattering(2,3,together=2)" : "scattering(1,3)";
    Trial plain =
        trial(scattering + " flatten dense(3)", Shape.parse(shape), new ClippingRule.Flat(), 0);
    Trial trial = with(plain, "flip", 2);
    for (Engine cut : fewCuts()) {
      assertEquals(0, trial.error(cut), 2e-4, cut.toString());
    }
    ClippedSum all = trial.run(engine()).sum();
    Trial.assertWithin(all, trial.without(2).run(engine()).sum(), "one unit less");
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> with(plain, "flip,crop(1)", 2).run(engine()));
    assertTrue(
        e.getMessage().startsWith("augment must be flip alone before features"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"flip, 2", "'flip,crop(2)', 5", "shift(3), 90"})
  void publicGradientsHaveViewsToo(String kinds, int views) {
    takesOneOf(2);
    Augmentation augmentation = Augmentation.parse(kinds, views);
    for (String network :
        new String[] {
          "conv(5,3,stride=2) tanh flatten dense(4)", "scattering(1,3) flatten dense(3)"
        }) {
      boolean fixed = network.startsWith("scattering");
      if (fixed && augmentation.moves()) {
        continue;
      }
      Layout layout = Network.parse(network).on(new Shape(6, 8, 2));
      Examples examples = Trial.examples(layout, COUNT, 3);
      float[] theta = Trial.parameters(layout, 2);
      int[] chosen = {3, 0, 3, 5, 21};
      long[] choices = {8, -7, 9, 2, 8};
      double[] expected =
          sum(new Reference(), layout, examples, augmentation, theta, chosen, choices);
      for (Engine cut : fewCuts()) {
        double[] found = sum(cut, layout, examples, augmentation, theta, chosen, choices);
        double distance = 0;
        for (int i = 0; i < found.length; i++) {
          distance = Math.hypot(distance, found[i] - expected[i]);
        }
        assertTrue(
            distance <= (fixed ? 2e-4 : 10 * tolerance()) * Trial.norm(expected),
            cut + ": off by " + distance);
      }
    }
  }

  private static double[] sum(
      Engine engine,
      Layout layout,
      Examples examples,
      Augmentation augmentation,
      float[] theta,
      int[] chosen,
      long[] choices) {
    double[] sum = new double[layout.parameters()];
    try (PublicGradients gradients = engine.open(layout, examples, augmentation)) {
      gradients.gradientSum(theta, chosen, choices, sum);
    }
    return sum;
  }

  @Test
  void refusesWhatHasNoViews() {
    Trial vectors = trial("flatten dense(3)", Shape.vector(9), new ClippingRule.Flat(), 0);
    refused("augment must be absent where inputs are no images", with(vectors, "flip", 2));
    Trial images = trial("flatten dense(3)", IMAGE, new ClippingRule.Flat(), 0);
    refused("augment must be by less than the sides of an image, 6", with(images, "crop(6)", 2));
  }

  private void refused(String message, Trial trial) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> trial.run(engine()));
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }
}
