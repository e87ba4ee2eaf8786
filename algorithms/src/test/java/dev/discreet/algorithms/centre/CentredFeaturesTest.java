package dev.discreet.algorithms.centre;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.matrix.RowReader;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CentredFeaturesTest {
  private static final Shape INPUT = new Shape(8, 8, 1);
  private static final Network NETWORK =
      Network.parse("scattering(1,2,together=3) flatten dense(2)");
  private static final int ROWS = 300;

  private static Examples images() {
    Random random = new Random(4);
    float[] pixels = new float[ROWS * INPUT.size()];
    float[] classes = new float[ROWS];
    for (int i = 0; i < ROWS; i++) {
      classes[i] = i % 2;
      for (int p = 0; p < INPUT.size(); p++) {
        pixels[i * INPUT.size() + p] = (float) (random.nextGaussian() + (i % 2) * (p % 3));
      }
    }
    return Examples.of(INPUT, pixels, 1, classes);
  }

  private static PrivacyPlan plan(long steps) {
    return PrivacyPlan.noise(1).samplingRate(0.1).steps(steps).clip(1).build();
  }

  private static Trainer trainer(CentredFeatures centre, PrivacyPlan plan) {
    return Trainer.of(centre.within(NETWORK), plan.besides(centre.mechanism()))
        .first(centre)
        .freeze(CentredFeatures.LAYER)
        .learningRate(0.1)
        .ema(0.5);
  }

  private static float[] shift(Result result) {
    return Arrays.copyOf(
        result.model().parameters(), result.model().layout().afterFeatures().input().size());
  }

  private static double[] mean(Layout layout) {
    Examples features =
        ((LocalData)
                Engine.standard().features(layout, PrivateData.each(images()), Augmentation.NONE))
            .examples();
    float[] row = new float[features.input().size()];
    double[] mean = new double[row.length];
    for (int i = 0; i < ROWS; i++) {
      features.input(i, row, 0);
      for (int j = 0; j < row.length; j++) {
        mean[j] += row[j] / (double) ROWS;
      }
    }
    return mean;
  }

  @Test
  void theModelTakesTheMeanOffAndItIsOnTheLedger() {
    CentredFeatures centre = new CentredFeatures(1e-3, ROWS);
    Result result = trainer(centre, plan(5)).train(images());
    double[] mean = mean(result.model().layout());
    float[] shift = shift(result);
    double largest = 0;
    for (int i = 0; i < mean.length; i++) {
      assertEquals(-mean[i], shift[i], 1e-3);
      largest = Math.max(largest, Math.abs(mean[i]));
    }
    assertTrue(largest > 0.3, "the features hardly have a mean: " + largest);
    assertEquals(
        Map.of(
            new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(1)),
            5L,
            new Mechanism.Gaussian(1e-3),
            1L),
        ((Privacy.Guaranteed) result.privacy()).ledger().totals());
    assertTrue(result.privacy().statement().contains("Mean of the features: Before the first"));
    assertEquals(
        "centre(noiseMultiplier=0.001)",
        result.provenance().configuration().texts().get("firstRelease"));
  }

  /** The deviation of the noise is the multiplier, times the length √d, divided by the units. */
  @Test
  void theNoiseIsThatOfTheMultiplier() {
    CentredFeatures centre = new CentredFeatures(50, 1000);
    Result result = trainer(centre, plan(1)).insecureSeed(3).train(images());
    double[] mean = mean(result.model().layout());
    float[] shift = shift(result);
    double squares = 0;
    for (int i = 0; i < mean.length; i++) {
      double noise = shift[i] + mean[i] * ROWS / 1000;
      squares += noise * noise / mean.length;
    }
    double expected = 50 * Math.sqrt(mean.length) / 1000;
    assertEquals(1, Math.sqrt(squares) / expected, 0.25);
  }

  /** One more unit, of one example or several, of ordinary features or absurd ones. */
  @Test
  void noUnitMovesTheSumByMoreThanOne() {
    Random random = new Random(6);
    double most = 0;
    for (int run = 0; run < 5_000; run++) {
      int d = 1 + random.nextInt(9);
      int rows = 4 + random.nextInt(4);
      float[] values = new float[rows * d];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            switch (random.nextInt(8)) {
              case 0 -> 0;
              case 1 -> Float.MAX_VALUE;
              case 2 -> -Float.MIN_VALUE;
              case 3 -> random.nextInt(20) == 0 ? Float.NaN : 1;
              default -> 3 * random.nextFloat() - 1.5f;
            };
      }
      Examples examples = Examples.of(Shape.vector(d), values, 1, new float[rows]);
      int[] own = IntStream.range(3, rows).toArray();
      double length = Math.sqrt(d);
      long[] with =
          FeatureSums.of(
              examples, Units.of(new long[] {1, 2}, new int[][] {{0, 1, 2}, own}), length);
      long[] without =
          FeatureSums.of(examples, Units.of(new long[] {1}, new int[][] {{0, 1, 2}}), length);
      double squares = 0;
      for (int i = 0; i < d; i++) {
        double moved = (double) (with[i] - without[i]) / RowReader.ONE;
        squares += moved * moved;
      }
      assertTrue(squares <= 1, Arrays.toString(values) + " moves " + squares);
      most = Math.max(most, squares);
    }
    assertTrue(most > 0.99, "nothing came near the bound: " + most);
  }

  @Test
  void aResumedRunKeepsTheMeanAndPaysOnce(@TempDir Path folder) throws IOException {
    CentredFeatures centre = new CentredFeatures(3, ROWS);
    Trainer trainer = trainer(centre, plan(6)).checkpoints(folder, 1);
    Result first = trainer.stopWhen(event -> event.step() >= 2).train(images());
    Result whole = trainer.resume(images(), null);
    assertArrayEquals(shift(first), shift(whole));
    assertEquals(
        1L,
        ((Privacy.Guaranteed) whole.privacy()).ledger().totals().get(new Mechanism.Gaussian(3)));
  }

  @Test
  void anEngineThatKeepsNoFeaturesIsRefusedBeforeAnythingIsSpent() {
    Engine cpu = Engine.standard();
    Engine keepsNone =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, given) ->
                    switch (method.getName()) {
                      case "keepsFeatures" -> false;
                      case "features" -> given[1];
                      default -> method.invoke(cpu, given);
                    });
    Trainer trainer = trainer(new CentredFeatures(3, ROWS), plan(1));
    trainer.prepare(PrivateData.each(images()), null);
    Trainer without = trainer.engine(keepsNone);
    PrivateData rows = PrivateData.each(images());
    assertEquals(
        "engine of a run that centres features must be one that computes them once: cpu. Provided"
            + " value: cpu",
        assertThrows(IllegalArgumentException.class, () -> without.prepare(rows, null))
            .getMessage());
  }

  @Test
  void whatCannotWorkIsRefused() {
    CentredFeatures centre = new CentredFeatures(3, ROWS);
    assertThrows(IllegalArgumentException.class, () -> new CentredFeatures(0, 5));
    // Beyond this there is no grid for the noise.
    new CentredFeatures(0x1p24, 5);
    assertThrows(IllegalArgumentException.class, () -> new CentredFeatures(0x1.1p24, 5));
    assertThrows(IllegalArgumentException.class, () -> new CentredFeatures(1, 0));
    for (String text : new String[] {"flatten dense(2)", "scattering(1,2) flatten dense(2)"}) {
      Exception e =
          assertThrows(IllegalArgumentException.class, () -> centre.within(Network.parse(text)));
      assertEquals(
          "network whose features are centred must be one that begins with normalised features, as"
              + " in scattering(2,8,together=3). Provided value: "
              + text,
          e.getMessage());
    }
    Trainer bare =
        Trainer.of(NETWORK, plan(1).besides(centre.mechanism())).first(centre).learningRate(1);
    Exception e = assertThrows(IllegalArgumentException.class, () -> bare.train(images()));
    assertTrue(e.getMessage().contains("normalised features and shift"), e::toString);
    PrivacyPlan replaced =
        PrivacyPlan.noise(1)
            .samplingRate(0.1)
            .steps(1)
            .clip(1)
            .neighbouring(Neighbouring.REPLACE_ONE)
            .build();
    assertThrows(IllegalArgumentException.class, () -> CentredFeatures.check(replaced));
    // As an engine that keeps no features would hand the rows over; the second has as many values.
    for (String text : new String[] {"1,2,together=3", "1,3,together=4"}) {
      Layout layout =
          centre.within(Network.parse("scattering(" + text + ") flatten dense(2)")).on(INPUT);
      try (PrivacySession session =
          PrivacySession.open(Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(2))) {
        e =
            assertThrows(
                IllegalArgumentException.class,
                () ->
                    centre.release(
                        session,
                        PrivateData.each(images()),
                        layout,
                        new float[layout.parameters()]),
                text);
        assertTrue(e.getMessage().startsWith("engine of a run that centres features"), e::toString);
        assertTrue(session.ledger().entries().isEmpty());
      }
    }
  }
}
