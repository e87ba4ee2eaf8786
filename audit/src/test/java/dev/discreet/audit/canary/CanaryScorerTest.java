package dev.discreet.audit.canary;

import static dev.discreet.audit.canary.CanaryProblems.FEATURES;
import static dev.discreet.audit.canary.CanaryProblems.LINEAR;
import static dev.discreet.audit.canary.CanaryProblems.OWN;
import static dev.discreet.audit.canary.CanaryProblems.each;
import static dev.discreet.audit.canary.CanaryProblems.quiet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.canary.CanaryProblems.Row;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CanaryScorerTest {
  private static final double CLIP = 2;
  private static final double LOT = 16;
  private static final PrivacyPlan PLAN =
      PrivacyPlan.noise(1).samplingRate(0.8).steps(500).clip(CLIP).build();
  private static final Engine ENGINE = Engine.named("cpu").withThreads(1);
  // Within reach: the parameter −2 of its feature predicts it.
  private static final Row CANARY = CanaryProblems.scaled(1, -2);

  private static CanaryScorer scorer(LocalData others) {
    return new CanaryScorer(
        LINEAR.on(Shape.vector(FEATURES)),
        List.of(),
        PLAN.forUnits(20),
        ENGINE,
        others,
        List.of(Canary.of(CANARY.input(), CANARY.target())));
  }

  @Test
  void theNoiseOfAScoreDoesNotDependOnHowMuchOfTheCanaryIsLearned() {
    float[] released = new float[FEATURES];
    released[OWN] = (float) (3 * CLIP / LOT);
    try (CanaryScorer scorer = scorer(each(quiet(19)))) {
      for (float learned : new float[] {100, 1, -1, -1.99f}) {
        float[] theta = new float[FEATURES];
        theta[OWN] = learned;
        assertEquals(3, scorer.of(0, theta, released)[0], 1e-4, "parameter " + learned);
      }
    }
  }

  /**
   * A false alarm of 1e-6. With scores that are divided by the square of the gradient's length, the
   * same runs are refuted.
   */
  @Test
  @Tag("statistical")
  void anHonestRunThatLearnsItsCanaryIsNotRefuted(@TempDir Path folder) throws IOException {
    LocalData without = each(quiet(19));
    Trainer trainer = Trainer.of(LINEAR, PLAN).learningRate(0.32).declaredUnits(20).engine(ENGINE);
    try (CanaryScorer scorer = scorer(without)) {
      CanaryGame.Scores scores =
          (theta, sum) -> {
            float[] gradient = new float[FEATURES];
            for (int i = 0; i < FEATURES; i++) {
              gradient[i] = (float) (sum[i] / LOT);
            }
            return scorer.of(0, theta, gradient);
          };
      CanaryGame.Played played =
          new CanaryGame(
                  "a canary that is learned",
                  trainer,
                  each(CanaryProblems.with(quiet(19), 0, CANARY)),
                  without,
                  scores,
                  8)
              .play(folder);
      assertEquals(
          List.of(), CanaryGame.refutations(played, played.ledger(), ClaimedCurve::of, 1, 1e-6));
    }
  }
}
