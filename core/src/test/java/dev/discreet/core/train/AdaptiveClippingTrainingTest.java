package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.cpu.CpuEngines;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.Units;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaptiveClippingTrainingTest {
  private static final Network NETWORK = Network.parse("dense(3) tanh dense(1) loss=squared");

  /** Gradients of very different norms. */
  private static Examples examples(int size) {
    SplittableRandom random = new SplittableRandom(7);
    float[] inputs = new float[4 * size];
    float[] targets = new float[size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < 4; j++) {
        inputs[4 * i + j] = (float) random.nextDouble(-1, 1);
      }
      targets[i] = (float) Math.exp(random.nextGaussian());
    }
    return Examples.of(Shape.vector(4), inputs, 1, targets);
  }

  private static List<List<Double>> thresholds(Trainer trainer, Examples examples) {
    List<List<Double>> all = new ArrayList<>();
    trainer
        .listener(
            event -> {
              if (event instanceof Event.ThresholdsMoved moved) {
                all.add(moved.thresholds());
              }
            })
        .train(examples);
    return all;
  }

  /** The whole algorithm once more in doubles, with noise too small to round to anything. */
  @Test
  void isTheAlgorithmOfAPlainLoopInDoubles() {
    Examples examples = examples(31);
    int n = examples.size();
    PrivacyPlan plan =
        PrivacyPlan.noise(1e-9)
            .sampling(Sampling.FULL_BATCH)
            .steps(25)
            .clipGroups(0.5, 0.2)
            .adaptiveClipping(
                AdaptiveClipping.quantile(0.3).withRate(0.7).withCountNoise(1e-6).between(0.15, 9))
            .build();
    Layout layout = NETWORK.on(examples.input());
    float[] start = layout.initial(Initialiser.PYTORCH_UNIFORM, 3);
    int border = layout.slices().get(2).offset();
    double[] c = {0.5, 0.2};
    float[] theta = start.clone();
    List<double[]> expected = new ArrayList<>();
    ReferenceEngine engine = new ReferenceEngine(layout, examples);
    for (int step = 0; step < 25; step++) {
      double[] sum = new double[theta.length];
      double[] below = new double[2];
      for (int i = 0; i < n; i++) {
        double[] g = engine.gradient(theta, i);
        for (int group = 0; group < 2; group++) {
          int from = group == 0 ? 0 : border;
          int to = group == 0 ? border : g.length;
          double square = 0;
          for (int j = from; j < to; j++) {
            square += g[j] * g[j];
          }
          below[group] += Math.sqrt(square) <= c[group] ? 1 : 0;
          for (int j = from; j < to; j++) {
            sum[j] += g[j] * Math.min(1, c[group] / Math.sqrt(square));
          }
        }
      }
      for (int j = 0; j < theta.length; j++) {
        theta[j] -= (float) (0.3 * sum[j] / n);
      }
      for (int group = 0; group < 2; group++) {
        c[group] *= Math.exp(-0.7 * (below[group] / n - 0.3));
        c[group] = Math.min(9, Math.max(0.15, c[group]));
      }
      expected.add(c.clone());
    }
    for (var engines : List.of(Engine.named("cpu"), new Reference())) {
      Trainer trainer =
          Trainer.of(NETWORK, plan)
              .learningRate(0.3)
              .startFromPublic(start, "a test's")
              .engine(engines);
      List<List<Double>> found = thresholds(trainer, examples);
      assertEquals(expected.size(), found.size());
      for (int step = 0; step < found.size(); step++) {
        for (int group = 0; group < 2; group++) {
          assertEquals(expected.get(step)[group], found.get(step).get(group), 1e-9);
        }
      }
    }
  }

  /** Parameters stand still, so the norms' quantile does too. */
  @ParameterizedTest
  @CsvSource({"0.2, 1e-3", "0.5, 100", "0.9, 1e-3"})
  void findsTheQuantile(double quantile, double first) {
    Examples examples = examples(1000);
    PrivacyPlan plan =
        PrivacyPlan.noise(1)
            .lotSize(200)
            .steps(400)
            .clip(first)
            .adaptiveClipping(AdaptiveClipping.quantile(quantile))
            .build();
    List<List<Double>> found =
        thresholds(Trainer.of(NETWORK, plan).learningRate(0).insecureSeed(3), examples);
    double log = 0;
    for (List<Double> step : found.subList(300, 400)) {
      log += Math.log(step.get(0)) / 100;
    }
    double threshold = Math.exp(log);
    Layout layout = NETWORK.on(examples.input());
    ReferenceEngine engine = new ReferenceEngine(layout, examples);
    float[] theta = layout.initial(Initialiser.PYTORCH_UNIFORM, 0);
    double below = 0;
    for (int i = 0; i < 1000; i++) {
      double square = 0;
      for (double g : engine.gradient(theta, i)) {
        square += g * g;
      }
      below += Math.sqrt(square) <= threshold ? 1e-3 : 0;
    }
    assertEquals(quantile, below, 0.03, "from " + first);
  }

  /**
   * Without units, what moves the threshold is noise of σ_b/L = 0.1 alone around b̃ = ½. 4000 steps
   * and a fixed seed: the deviation within 6 standard errors of 1/√8000; half of it is far off.
   */
  @Test
  @Tag("statistical")
  void theCountHasTheNoiseThatIsAccounted() {
    Examples none = Examples.of(Shape.vector(4), new float[0], 1, new float[0]);
    PrivacyPlan plan =
        PrivacyPlan.noise(1)
            .lotSize(100)
            .steps(4000)
            .clip(1)
            .adaptiveClipping(
                AdaptiveClipping.quantile(0.5).withRate(1).withCountNoise(10).between(1e-9, 1e9))
            .build();
    List<List<Double>> found =
        thresholds(
            Trainer.of(NETWORK, plan).learningRate(0).declaredUnits(1000).insecureSeed(1), none);
    double last = 0;
    double squares = 0;
    for (List<Double> step : found) {
      double now = Math.log(step.get(0));
      squares += (now - last) * (now - last);
      last = now;
    }
    assertEquals(0.1, Math.sqrt(squares / found.size()), 0.1 * 6 / Math.sqrt(8000));
  }

  @Test
  void isTheSameToTheBitOnAnyNumberOfThreads() {
    Examples examples = examples(300);
    PrivacyPlan plan =
        PrivacyPlan.noise(1)
            .lotSize(80)
            .steps(20)
            .clipGroups(1, 1)
            .adaptiveClipping(AdaptiveClipping.quantile(0.5))
            .build();
    Trainer trainer = Trainer.of(NETWORK, plan).learningRate(0.2).insecureSeed(5);
    List<List<Double>> first = thresholds(trainer.engine(CpuEngines.of(1, 7, true)), examples);
    assertEquals(first, thresholds(trainer.engine(CpuEngines.of(2, 64, true)), examples));
    assertEquals(first, thresholds(trainer.engine(CpuEngines.of(5, 3, true)), examples));
    assertArrayEquals(
        trainer.engine(CpuEngines.of(1, 7, true)).train(examples).model().parameters(),
        trainer.engine(CpuEngines.of(5, 64, true)).train(examples).model().parameters());
  }

  @Test
  void aResumedRunGoesOnWithItsThresholdsAndItsLedger(@TempDir Path folder) {
    Examples examples = examples(300);
    PrivacyPlan plan =
        PrivacyPlan.noise(1)
            .lotSize(80)
            .steps(40)
            .clip(1e-3)
            .adaptiveClipping(AdaptiveClipping.quantile(0.5))
            .build();
    Trainer trainer =
        Trainer.of(NETWORK, plan).learningRate(0.1).checkpoints(folder, 100).insecureSeed(5);
    List<Double> moved = new ArrayList<>();
    Listener hears =
        event -> {
          if (event instanceof Event.ThresholdsMoved at) {
            moved.add(at.thresholds().get(0));
          }
        };
    trainer.listener(hears).stopWhen(event -> event.step() == 20).train(examples);
    assertEquals(20, moved.size());
    Result result = trainer.listener(hears).resume(examples, Units.each(300), null);
    assertEquals(40, moved.size());
    double step = Math.log(moved.get(20) / moved.get(19));
    assertTrue(Math.abs(step) < 0.5, "it went on and not back to " + moved.get(20));
    assertTrue(moved.get(19) > 5e-3 && moved.get(39) > moved.get(19));
    assertEquals(
        plan.forUnits(300).ledger().totals(),
        ((Privacy.Guaranteed) result.privacy()).ledger().totals());
    assertTrue(
        result.privacy().statement().contains("2 Gaussians on one sample, together of"),
        result.privacy()::statement);
    assertTrue(
        result.provenance().configuration().texts().get("adaptiveClipping").contains("quantile"));
  }
}
