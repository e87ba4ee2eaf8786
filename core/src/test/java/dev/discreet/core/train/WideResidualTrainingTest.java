package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Model;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What De et al. 2022 train, as small as it gets, in the way that they train it. */
class WideResidualTrainingTest {
  private static final Network NETWORK = Network.named("wrn(10,1)", 2);

  /** Stripes that lie, or that stand: no average of pixels tells them apart. */
  private static Examples stripes(int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] pixels = new float[size * 64];
    float[] labels = new float[size];
    for (int i = 0; i < size; i++) {
      labels[i] = i % 2;
      int phase = random.nextInt(2);
      for (int p = 0; p < 64; p++) {
        int along = i % 2 == 0 ? p / 8 : p % 8;
        pixels[64 * i + p] = (along + phase) % 2 + (float) (0.3 * random.nextDouble(-1, 1));
      }
    }
    return Examples.of(new Shape(8, 8, 1), pixels, 1, labels);
  }

  private static Result trained() {
    PrivacyPlan plan = PrivacyPlan.noise(0.6).lotSize(64).steps(12).clip(1).build();
    return Trainer.of(NETWORK, plan)
        .learningRate(1)
        .ema(0.9999)
        .augmentation(Augmentation.parse("flip,crop(2)", 4))
        .insecureSeed(2)
        .train(stripes(128, 1), TestSet.declaredPublic(stripes(100, 7)));
  }

  @Test
  void learnsPrivatelyAndKeepsWhatItLearnt(@TempDir Path folder) throws IOException {
    Result result = trained();
    Evaluation last = result.evaluations().get(result.evaluations().size() - 1).evaluation();
    double accuracy = last.match(Evaluation.Classification::accuracy, number -> 0.0);
    assertTrue(accuracy > 0.9, "accuracy " + accuracy);
    result.save(folder);
    Model model = Model.load(folder);
    assertEquals(NETWORK, model.layout().network());
    assertArrayEquals(result.model().parameters(), model.parameters());
  }
}
