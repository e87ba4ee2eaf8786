package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.overtime.NoiseOverTime;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoiseOverTimeTrainingTest {
  private static final Examples TRAIN = Problems.classes(400, 1);

  private static PrivacyPlan plan(int bands) {
    return PrivacyPlan.noise(2)
        .lotSize(40)
        .steps(60)
        .clip(1)
        .noiseOverTime(NoiseOverTime.banded(bands))
        .build();
  }

  private static Trainer trainer(int bands) {
    return Trainer.of(Problems.LINEAR, plan(bands)).learningRate(1);
  }

  @Test
  void aRunLearnsAndStatesItsWholePlan() {
    Result result = trainer(5).train(TRAIN, TestSet.declaredPublic(Problems.classes(500, 2)));
    Classification last = (Classification) result.evaluation().orElseThrow();
    assertTrue(last.accuracy() > 0.8, () -> "accuracy " + last.accuracy());
    Guaranteed privacy = (Guaranteed) result.privacy();
    assertEquals(plan(5).forUnits(400).ledger(), privacy.ledger());
    String text = privacy.notes().toString();
    assertTrue(text.contains("5 steps in a row have noise in common"), text);
    assertTrue(
        result.provenance().configuration().texts().get("noiseOverTime").startsWith("banded(5)"));
  }

  @Test
  void aRunThatIsStoppedStatesItsWholePlan() {
    Result result =
        trainer(5)
            .stopWhen(event -> event instanceof Event.StepDone done && done.step() == 7)
            .train(TRAIN);
    assertEquals(7, result.steps());
    assertEquals(plan(5).forUnits(400).ledger(), ((Guaranteed) result.privacy()).ledger());
  }

  @Test
  void theSameOnAnyNumberOfThreads() {
    float[] one = parameters(1);
    assertArrayEquals(one, parameters(2));
    assertArrayEquals(one, parameters(3));
  }

  private static float[] parameters(int threads) {
    return trainer(7)
        .insecureSeed(5)
        .engine(Engine.standard().withThreads(threads))
        .train(TRAIN)
        .model()
        .parameters();
  }

  @Test
  void whatCannotWorkIsRefusedWithNothingWritten(@TempDir Path folder) {
    Path checkpoints = folder.resolve("run");
    refused("checkpoints of a run with noise over time", trainer(5).checkpoints(checkpoints, 10));
    assertTrue(Files.notExists(checkpoints));
    refused(
        "weight decay of a run with noise over time",
        trainer(5).weightDecay(new WeightDecay.BeforeClipping(0.01, false)));
    refused(
        "optimizer of a run with noise over time",
        trainer(5).optimizer(new Optimizer.Langevin(0.1, 1)));
  }

  @Test
  void noiseBeyondTheGridIsRefusedBeforeItIsCharged() {
    PrivacyPlan loud =
        PrivacyPlan.noise(1e6)
            .lotSize(40)
            .steps(60)
            .clip(1)
            .noiseOverTime(NoiseOverTime.banded(3))
            .build();
    refused(
        "noise multiplier of a run with noise over time",
        Trainer.of(Problems.LINEAR, loud).learningRate(1));
  }

  private static void refused(String what, Trainer trainer) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> trainer.prepare(rows(), null))
            .getMessage();
    assertTrue(message.startsWith(what + " must be"), message);
  }

  private static dev.discreet.core.engine.PrivateData rows() {
    return dev.discreet.core.engine.PrivateData.of(
        TRAIN, dev.discreet.core.privacy.Units.each(400));
  }
}
