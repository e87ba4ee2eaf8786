package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.Optimizer.Langevin;
import dev.discreet.core.optimize.OptimizerState;
import dev.discreet.core.optimize.ParameterRange;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.schedule.Schedule;
import dev.discreet.core.train.internal.MeanGradients;
import dev.discreet.core.train.internal.PrivateGradients;
import dev.discreet.core.train.internal.Thresholds;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LangevinTest {
  private static OptimizerState state(Optimizer optimizer, int parameters) {
    return new OptimizerState(
        optimizer, 0, parameters, 1, List.of(new ParameterRange(0, parameters, 0, true)));
  }

  private static double meanSquare(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += (double) value * value;
    }
    return sum / values.length;
  }

  /**
   * On U = aθ²/2 the chain is θ ← (1 − ηa)θ + √(2ηT)N, of stationary variance T/(a(1 − ηa/2)). With
   * 100,000 coordinates that is met within 6 standard errors, 2.7%: a false alarm below 1e-8, and a
   * √(ηT) in the place of √(2ηT) is far off, as is noise that is shared between steps or blocks.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.2, 0.5", "4, 0.05, 0.01", "0.5, 1, 3"})
  @Tag("statistical")
  void theStationaryVarianceOnAQuadraticIsTheTemperature(double a, double rate, double t) {
    int n = 100_000;
    OptimizerState state = state(new Langevin(t, 7), n);
    float[] theta = new float[n];
    float[] gradient = new float[n];
    for (int step = 0; step < 80; step++) {
      for (int i = 0; i < n; i++) {
        gradient[i] = (float) (a * theta[i]);
      }
      state.update(theta, gradient, rate, new double[1]);
    }
    double expected = t / (a * (1 - rate * a / 2));
    assertEquals(expected, meanSquare(theta), 6 * Math.sqrt(2.0 / n) * expected);
    double mean = 0;
    double lagged = 0;
    for (int i = 0; i < n / 3; i++) {
      mean += theta[i] / (n / 3.0);
      // Coordinates of the first block against the second, which starts at 65536.
      lagged += theta[i] * theta[i + 65_536] / expected / (n / 3.0);
    }
    assertEquals(0, mean, 6 * Math.sqrt(expected * 3 / n));
    assertEquals(0, lagged, 6 * Math.sqrt(3.0 / n));
  }

  @Test
  void withoutHeatItIsSgdAndHeatFollowsItsSchedule() {
    float[] g = {0.5f, -1, 0.25f};
    float[] cold = {1, -2, 0.5f};
    float[] sgd = cold.clone();
    float[] cooled = cold.clone();
    OptimizerState frozen = state(new Langevin(0, 1), 3);
    OptimizerState plain = state(new Optimizer.Sgd(), 3);
    OptimizerState cooling = state(new Langevin(Schedule.linear(1, 0, 3), 1), 3);
    for (int step = 0; step < 5; step++) {
      float[] before = cooled.clone();
      frozen.update(cold, g, 0.1, new double[1]);
      plain.update(sgd, g, 0.1, new double[1]);
      cooling.update(cooled, g, 0.1, new double[1]);
      assertEquals(step >= 3, Math.abs(cooled[0] - (before[0] - 0.05f)) < 1e-6, "step " + step);
    }
    assertArrayEquals(sgd, cold);
  }

  @Test
  void aRestoredStateGoesOnWithTheSameNoise() {
    float[] g = new float[3];
    float[] whole = new float[3];
    OptimizerState one = state(new Langevin(1, 5), 3);
    float[] half = null;
    for (int step = 0; step < 10; step++) {
      half = step == 4 ? whole.clone() : half;
      one.update(whole, g, 0.1, new double[1]);
    }
    OptimizerState other = state(new Langevin(1, 5), 3);
    other.restore(4, new float[0], new float[0], new double[1]);
    for (int step = 4; step < 10; step++) {
      other.update(step, half, g, 0.1, new double[1]);
    }
    assertArrayEquals(whole, half);
    float[] seeded = new float[3];
    state(new Langevin(1, 6), 3).update(seeded, g, 0.1, new double[1]);
    float[] first = new float[3];
    state(new Langevin(1, 5), 3).update(first, g, 0.1, new double[1]);
    assertFalse(Arrays.equals(seeded, first));
  }

  /**
   * A private step at the multiplier that is said to be Langevin's moves θ by Langevin's noise:
   * over 10,100 coordinates from a lot without units, within 6 standard errors. With L or C twice
   * as large, or a factor √2, it is far off.
   */
  @ParameterizedTest
  @CsvSource({"0.5, 1e-3, 40, 1", "2, 0.05, 100, 0.3"})
  @Tag("statistical")
  void aPrivateRunOfItIsAPlanWithItsMultiplier(double rate, double t, double lot, double c) {
    Layout layout = Network.parse("dense(100)").on(Shape.vector(100));
    Examples none = Examples.of(Shape.vector(100), new float[0], 1, new float[0]);
    double multiplier = Langevin.noiseMultiplier(rate, t, lot, c);
    assertEquals(t, Langevin.temperature(rate, multiplier, lot, c), 1e-12);
    ResolvedPlan plan =
        PrivacyPlan.noise(multiplier).lotSize(lot).steps(1).clip(c).build().forUnits(1000);
    float[] gradient = new float[layout.parameters()];
    try (PrivacySession session =
            PrivacySession.open(Journal.inMemory(plan.neighbouring()), Randomness.insecure(3));
        GradientSource source =
            new Reference()
                .source(
                    layout,
                    UnitRule.flat(layout),
                    PrivateData.each(none),
                    plan.sampler(),
                    plan.grid(32));
        MeanGradients gradients =
            new PrivateGradients(source, session, plan, 0, new Thresholds(plan), gradient.length)) {
      gradients.at(0, new float[gradient.length], gradient, new double[1]);
      assertEquals(plan.ledger(), session.ledger());
    }
    float[] moved = new float[gradient.length];
    state(new Optimizer.Sgd(), moved.length).update(moved, gradient, rate, new double[1]);
    double expected = 2 * rate * t;
    assertEquals(expected, meanSquare(moved), 6 * Math.sqrt(2.0 / moved.length) * expected);
  }

  /** By hand: σ = √(2·0.01/0.5)·50/2 = 5. */
  @Test
  void theMultiplierIsTheFormula() {
    assertEquals(5, Langevin.noiseMultiplier(0.5, 0.01, 50, 2), 1e-12);
    assertEquals(0.01, Langevin.temperature(0.5, 5, 50, 2), 1e-15);
    assertEquals(0, Langevin.noiseMultiplier(0.5, 0, 50, 2));
  }

  @Test
  void itsNoiseIsNotOnTheLedger() {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(20).steps(5).clip(1).build();
    Result result =
        Trainer.of(Problems.LINEAR, plan)
            .optimizer(new Langevin(0.1, 1))
            .learningRate(0.1)
            .train(Problems.classes(100, 1));
    assertEquals(plan.forUnits(100).ledger(), ((Privacy.Guaranteed) result.privacy()).ledger());
    assertTrue(result.provenance().configuration().texts().get("optimizer").contains("Langevin"));
  }

  /** Noise before clipping is free too, and for nothing: the same entries, and another model. */
  @Test
  void norIsNoiseBeforeClipping() {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(20).steps(5).clip(1).build();
    Trainer trainer = Trainer.of(Problems.LINEAR, plan).learningRate(0.1).insecureSeed(1);
    Result without = trainer.train(Problems.classes(100, 1));
    Result with = trainer.noiseBeforeClipping(0.5).train(Problems.classes(100, 1));
    assertEquals(
        ((Privacy.Guaranteed) without.privacy()).ledger(),
        ((Privacy.Guaranteed) with.privacy()).ledger());
    assertFalse(Arrays.equals(without.model().parameters(), with.model().parameters()));
  }

  @Test
  void samplesInARunThatIsNonPrivateByName() {
    Trainer trainer =
        Trainer.nonPrivate(Problems.LINEAR, PrivacyPlan.nonPrivate().lotSize(50).steps(300).build())
            .optimizer(new Langevin(1e-4, 1))
            .learningRate(0.5);
    Result result =
        trainer.train(Problems.classes(400, 1), TestSet.declaredPublic(Problems.classes(200, 2)));
    assertTrue(((Evaluation.Classification) result.evaluation().orElseThrow()).accuracy() > 0.9);
  }

  @Test
  void refusals() {
    for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(IllegalArgumentException.class, () -> new Langevin(bad, 0));
      assertThrows(IllegalArgumentException.class, () -> Langevin.noiseMultiplier(1, bad, 1, 1));
    }
    assertEquals(
        "temperature must be finite and at least 0. Provided value: -1",
        assertThrows(IllegalArgumentException.class, () -> new Langevin(-1, 0)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> Langevin.noiseMultiplier(0, 1, 1, 1));
    Trainer later =
        Trainer.of(Problems.LINEAR, PrivacyPlan.noise(1).lotSize(20).steps(50).clip(1).build())
            .learningRate(1)
            .optimizer(new Langevin(Schedule.linear(1, -1, 40), 0));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> later.train(Problems.classes(100, 1)))
            .getMessage()
            .startsWith("temperature must be finite and at least 0"));
  }
}
