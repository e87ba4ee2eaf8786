package dev.discreet.lab.decay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.lab.Bench;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Trial;
import dev.discreet.lab.decay.DecaySweep.Basis;
import dev.discreet.lab.decay.DecaySweep.Method;
import dev.discreet.lab.decay.DecaySweep.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecaySweepTest {
  private static final float TARGET = 3;
  private static final Examples ONE =
      Examples.of(Shape.vector(1), new float[1], 1, new float[] {TARGET});
  private static final AfterNoise AFTER = new AfterNoise(0.5);

  /** An example with input 0, so that the bias alone is trained: θ of ½(θ − 3)². */
  private static Trainer trainer() {
    return Trainer.nonPrivate(
            Network.named("linear"),
            PrivacyPlan.nonPrivate().sampling(PrivacyPlan.Sampling.FULL_BATCH).steps(3).build())
        .engine(Engine.named("cpu").withThreads(1))
        .learningRate(0.1)
        .startFromPublic(new float[] {0, 1}, "a chosen point");
  }

  private static float trained(Trainer trainer) {
    return trainer.train(ONE, null).model().parameters()[1];
  }

  /** PyTorch's SGD: d = g + λθ, v ← 0.9v + d, θ ← θ − ηv. */
  @Test
  void decayAfterNoiseIsPyTorchs() {
    double theta = 1;
    double velocity = 0;
    for (int i = 0; i < 3; i++) {
      velocity = 0.9 * velocity + (theta - TARGET) + 0.5 * theta;
      theta -= 0.1 * velocity;
    }
    Trainer momentum = trainer().optimizer(new Optimizer.Momentum(0.9));
    assertEquals(theta, trained(AFTER.of(momentum, null, ONE)), 1e-6);
    // Without momentum it is the library's own.
    assertEquals(
        trained(trainer().weightDecay(new WeightDecay.Decoupled(0.5, false))),
        trained(AFTER.of(trainer(), null, ONE)),
        1e-6);
  }

  /** At R/λ = 0.03 DP-SGD's parameters cannot leave 0; before clipping they can. */
  @Test
  void onlyDpSgdsParametersAreHeldByRAndLambda(@TempDir Path folder) throws IOException {
    Setting setting = new Setting(0.03, 1, 1, 4);
    Basis basis = new Basis("gaussians", "logistic(classes=2)", 100, 0.1, false, 0.9, 1000);
    double held = loss(folder, basis, setting, Method.AFTER);
    double free = loss(folder, basis, setting, Method.BEFORE);
    assertTrue(held > 0.66, "DP-SGD's loss: " + held);
    assertTrue(free < 0.9 * held, free + " is not below " + held);
  }

  private static double loss(Path folder, Basis basis, Setting setting, Method method)
      throws IOException {
    Outcome outcome =
        Bench.trial(folder.resolve(method.name()), basis.training(setting, method, 1));
    return outcome.value("loss");
  }

  /** Verdicts of a full run: two points between seeds, a tenth between the methods. */
  private static String said(Experiment sweep) throws IOException {
    Map<String, Outcome> all = new HashMap<>();
    for (Trial trial : sweep.trials(Effort.full())) {
      int seed = trial.text().charAt(trial.text().length() - 1) - '0';
      double accuracy = 90 + 2 * seed + (trial.text().contains("before") ? 0.1 + 0.01 * seed : 0);
      all.put(trial.text(), Outcome.of("epsilon", 2).with("accuracy", List.of(accuracy, accuracy)));
    }
    Finding finding = sweep.finding(Effort.full(), new Outcomes(all));
    String said = String.join("\n", finding.verdicts());
    assertFalse(said.contains("not run yet"), said);
    return said;
  }

  @Test
  void methodsAreComparedSeedBySeed() throws IOException {
    String said = said(MnistDecay.EXPERIMENT);
    assertTrue(
        said.contains("Baseline, alike within 0.5 points: confirmed (+0.120 ± 0.025)"), said);
    assertTrue(
        said.contains(
            "Before clipping better over R: R = 0.03 confirmed (+0.120 ± 0.025); R = 0.15"
                + " inconclusive (+0.11"),
        said);
    // The recipe was chosen by the baseline.
    assertFalse(said.contains("Same size? Ours minus published, in points: R = 3, λ = 1e-4"), said);
  }

  @Test
  void aShortRunIsJudgedWhereItDecaysAsMuchAsALongOne() throws IOException {
    String said = said(CifarDecay.EXPERIMENT);
    assertTrue(said.contains("loses accuracy: λ = 0.1 inconclusive (+0.00 ± 7.87)"), said);
    assertTrue(said.contains("Alike over σ, 4 epochs: nothing to be seen"), said);
  }

  @Test
  void howMuchAWholeRunDecays() {
    Basis plain = new Basis("mnist", "mnist-cnn", 512, 0.1, false, 0, 60_000);
    assertEquals(5859, plain.steps(new Setting(3, 1e-4, 1.3, 50)));
    assertEquals(0.05859, plain.decay(new Setting(3, 1e-4, 1.3, 50)), 1e-9);
    Basis cosine = new Basis("cifar10", "cifar-cnn", 2000, 0.1, true, 0.9, 50_000);
    assertEquals(0.1125, cosine.decay(new Setting(10, 1e-4, 1.5, 90)), 1e-9);
  }
}
