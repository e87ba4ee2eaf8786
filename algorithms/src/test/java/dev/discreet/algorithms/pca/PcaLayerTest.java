package dev.discreet.algorithms.pca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.train.FirstRelease;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PcaLayerTest {
  private static final Shape INPUT = new Shape(2, 2, 1);
  private static final Mechanism STEP =
      new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(1));

  /** Long in the third coordinate, then in the first. */
  private static Examples examples() {
    SplittableRandom random = new SplittableRandom(1);
    float[] inputs = new float[4 * 1000];
    float[] targets = new float[1000];
    for (int i = 0; i < 1000; i++) {
      double[] scale = {1, 0.1, 3, 0.1};
      for (int j = 0; j < 4; j++) {
        inputs[4 * i + j] = (float) (scale[j] * random.nextGaussian());
      }
      targets[i] = inputs[4 * i] > 0 ? 1 : 0;
    }
    return Examples.of(INPUT, inputs, 1, targets);
  }

  private static Trainer trainer(PcaLayer pca, PrivacyPlan plan) {
    Network network = pca.before(Network.parse("dense(2)"), INPUT);
    return Trainer.of(network, plan.besides(pca.mechanism()))
        .first(pca)
        .freeze(pca.layer(INPUT))
        .learningRate(0.1)
        .ema(0.5);
  }

  private static PrivacyPlan plan(long steps) {
    return PrivacyPlan.noise(1).samplingRate(0.1).steps(steps).clip(1).build();
  }

  private static Map<Mechanism, Long> ledger(Result result) {
    return ((Privacy.Guaranteed) result.privacy()).ledger().totals();
  }

  private static float[] layer(Result result) {
    return Arrays.copyOf(result.model().parameters(), 8);
  }

  @Test
  void theFirstLayerHoldsTheDirections() {
    PcaLayer pca = new PcaLayer(2, 1);
    Result result = trainer(pca, plan(5)).train(examples());
    assertEquals(Map.of(STEP, 5L, new Mechanism.Gaussian(1), 1L), ledger(result));
    float[] layer = layer(result);
    // Rows are inputs: the third is nearly the first direction, the first the second.
    assertEquals(1, Math.abs(layer[2 * 2]), 0.02);
    assertEquals(1, Math.abs(layer[1]), 0.1);
    for (int j = 0; j < 2; j++) {
      double length = 0;
      for (int i = 0; i < 4; i++) {
        length += layer[2 * i + j] * layer[2 * i + j];
      }
      assertEquals(1, length, 1e-5);
    }
    assertTrue(
        result.privacy().statement().contains("Principal directions: Before the first step, 2"));
    assertEquals(
        "pca(k=2, noiseMultiplier=1.0)",
        result.provenance().configuration().texts().get("firstRelease"));
  }

  /** Whatever the share, steps and directions together cost no more than the target. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.5})
  void directionsAndStepsShareOneTarget(double share) {
    PcaLayer pca = PcaLayer.ofShare(2, 2, 1e-5, share);
    PrivacyPlan plan = PrivacyPlan.target(2, 1e-5).samplingRate(0.1).steps(10).clip(1).build();
    Result result = trainer(pca, plan).train(examples());
    assertEquals(1, ledger(result).get(pca.mechanism()));
    assertTrue(result.epsilon() <= 2 && result.epsilon() > 1.99, "" + result.epsilon());
    double alone =
        new PldAccountant()
            .epsilon(Ledger.of(Neighbouring.ADD_REMOVE, pca.mechanism(), 1), 1e-5)
            .epsilon();
    assertTrue(alone < 2, "" + alone);
  }

  @Test
  void aResumedRunKeepsTheDirectionsAndPaysOnce(@TempDir Path folder) throws IOException {
    PcaLayer pca = new PcaLayer(2, 3);
    Trainer trainer = trainer(pca, plan(6)).checkpoints(folder, 1);
    Result first = trainer.stopWhen(event -> event.step() >= 2).train(examples());
    Result whole = trainer.resume(examples(), null);
    assertArrayEquals(layer(first), layer(whole));
    assertEquals(6, whole.steps());
    assertEquals(Map.of(STEP, 6L, new Mechanism.Gaussian(3), 1L), ledger(whole));
    // What was paid for and not kept is lost.
    Files.delete(folder.resolve("checkpoint.safetensors"));
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> trainer.resume(examples(), null));
    assertTrue(e.getMessage().startsWith("checkpoint of a resumed run must be there"), e::toString);
  }

  @Test
  void whatCannotWorkIsRefused() {
    Network network = Network.parse("dense(2)");
    assertThrows(IllegalArgumentException.class, () -> new PcaLayer(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new PcaLayer(1, 0));
    assertThrows(IllegalArgumentException.class, () -> PcaLayer.ofShare(1, 1, 1e-5, 0));
    PcaLayer five = new PcaLayer(5, 1);
    Trainer trainer = trainer(five, plan(1));
    Exception e = assertThrows(IllegalArgumentException.class, () -> trainer.train(examples()));
    assertEquals(
        "directions must be at most the number of inputs, 4. Provided value: 5", e.getMessage());
    PcaLayer two = new PcaLayer(2, 1);
    assertThrows(IllegalArgumentException.class, () -> Trainer.of(network, plan(1)).first(two));
    Trainer other =
        Trainer.of(network, plan(1).besides(two.mechanism())).first(two).learningRate(1);
    e = assertThrows(IllegalArgumentException.class, () -> other.train(examples()));
    assertTrue(e.getMessage().startsWith("network must be one that begins with dense(2"));
    PrivacyPlan replaced =
        PrivacyPlan.noise(1)
            .samplingRate(0.1)
            .steps(1)
            .clip(1)
            .neighbouring(Neighbouring.REPLACE_ONE)
            .build();
    assertThrows(IllegalArgumentException.class, () -> PcaLayer.check(replaced));
  }

  /** Says that it releases once, and does so twice. */
  @Test
  void aFirstReleaseThatSpendsMoreIsRefused() {
    PcaLayer pca = new PcaLayer(2, 3);
    FirstRelease twice =
        new FirstRelease() {
          @Override
          public Mechanism mechanism() {
            return pca.mechanism();
          }

          @Override
          public void check(Layout layout) {}

          @Override
          public void release(PrivacySession session, PrivateData data, Layout layout, float[] to) {
            pca.release(session, data, layout, to);
            pca.release(session, data, layout, to);
          }

          @Override
          public StatementParagraph statement(String unit) {
            return pca.statement(unit);
          }
        };
    Trainer trainer = trainer(pca, plan(1)).first(twice);
    Exception e = assertThrows(IllegalArgumentException.class, () -> trainer.train(examples()));
    assertTrue(e.getMessage().startsWith("ledger after the first release must be"), e::toString);
  }
}
