package dev.discreet.algorithms.projected;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProjectedGradientsTest {
  private static final int WIDTH = 300;

  /** Two classes that differ in two of 300 inputs; the others are small noise. */
  private static Examples classes(int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] inputs = new float[WIDTH * size];
    float[] labels = new float[size];
    for (int i = 0; i < size; i++) {
      labels[i] = random.nextInt(2);
      for (int j = 0; j < WIDTH; j++) {
        double mean = j < 2 ? 2 * labels[i] - 1 : 0;
        inputs[WIDTH * i + j] = (float) (mean + (j < 2 ? 0.7 : 0.1) * random.nextGaussian());
      }
    }
    return Examples.of(Shape.vector(WIDTH), inputs, 1, labels);
  }

  private static final Examples TRAIN = classes(300, 1);
  private static final TestSet TEST = TestSet.declaredPublic(classes(500, 2));
  private static final Examples KNOWN = classes(20, 3);

  private static Trainer trainer(double noise) {
    PrivacyPlan plan = PrivacyPlan.noise(noise).lotSize(60).steps(20).clip(1).build();
    return Trainer.of(Network.parse("dense(2)"), plan).learningRate(1).insecureSeed(5);
  }

  private static double accuracy(Result result) {
    return ((Classification) result.evaluation().orElseThrow()).accuracy();
  }

  @Test
  void helpsWhereGradientsLieInFewDirectionsAtNoCost() {
    List<Long> refreshed = new ArrayList<>();
    Result plain = trainer(10).train(TRAIN, TEST);
    Result projected =
        trainer(10)
            .transform(
                ProjectedGradients.of(KNOWN, 3)
                    .every(4)
                    .from(2)
                    .watch((spectrum, step) -> refreshed.add(step)))
            .train(TRAIN, TEST);
    assertTrue(
        accuracy(projected) > accuracy(plain) + 0.02, accuracy(projected) + " " + accuracy(plain));
    assertEquals(List.of(2L, 6L, 10L, 14L, 18L), refreshed);
    assertEquals(
        ((Guaranteed) plain.privacy()).ledger(), ((Guaranteed) projected.privacy()).ledger());
    String text = projected.provenance().configuration().texts().get("gradientTransform");
    assertTrue(text.startsWith("projected(k=3, every=4, from=2, public=20, SHA-256 "), text);
    assertNotEquals(text, ProjectedGradients.of(classes(20, 4), 3).every(4).from(2).toString());
  }

  @Test
  void leavesFrozenLayersAndTheirGradientsOut() {
    Network network = Network.parse("dense(3) dense(2)");
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(60).steps(3).clip(1).build();
    Trainer frozen = Trainer.of(network, plan).learningRate(1).insecureSeed(5).freeze("0");
    // Eight parameters are trained, and softmax gradients have no part along half of them.
    float[] whole =
        frozen.transform(ProjectedGradients.of(KNOWN, 8)).train(TRAIN).model().parameters();
    float[] start = frozen.learningRate(0).train(TRAIN).model().parameters();
    int first = WIDTH * 3 + 3;
    assertArrayEquals(java.util.Arrays.copyOf(start, first), java.util.Arrays.copyOf(whole, first));
    // A step in their space keeps the sum over the classes of each input's weights.
    for (int i = first; i < whole.length; i += 2) {
      assertEquals(start[i] + start[i + 1], whole[i] + whole[i + 1], 1e-4);
    }
  }

  @Test
  void refusesWhatCannotWork() {
    assertMessage(
        "k must be at least 1 and at most the public examples, 20. Provided value: 21",
        () -> ProjectedGradients.of(KNOWN, 21));
    assertMessage(
        "steps between refreshes must be at least 1. Provided value: 0",
        () -> ProjectedGradients.of(KNOWN, 2).every(0));
    assertMessage(
        "first projected step must be at least 0. Provided value: -1",
        () -> ProjectedGradients.of(KNOWN, 2).from(-1));
    assertMessage(
        "public examples must be at least 1. Provided value: 0",
        () ->
            ProjectedGradients.of(Examples.of(Shape.vector(2), new float[0], 1, new float[0]), 1));
    assertMessage(
        "k must be at most the trainable parameters, 8. Provided value: 9",
        () ->
            Trainer.of(
                    Network.parse("dense(3) dense(2)"),
                    PrivacyPlan.noise(1).lotSize(60).steps(3).clip(1).build())
                .learningRate(1)
                .freeze("0")
                .transform(ProjectedGradients.of(KNOWN, 9))
                .train(TRAIN));
    Examples bad = Examples.of(Shape.vector(WIDTH), new float[WIDTH], 1, new float[] {7});
    assertMessage(
        "label must be a whole number in [0, 1]. Provided value: 7",
        () -> trainer(1).transform(ProjectedGradients.of(bad, 1)).train(TRAIN));
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () -> trainer(1).transform(ProjectedGradients.of(TRAIN, 1)).train(TRAIN))
            .getMessage()
            .startsWith("public examples must be none of the private ones "));
  }

  private static void assertMessage(
      String message, org.junit.jupiter.api.function.Executable asked) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, asked).getMessage());
  }
}
