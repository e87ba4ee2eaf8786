package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.internal.MeanGradients;
import dev.discreet.core.train.internal.PrivateGradients;
import dev.discreet.core.train.internal.Thresholds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DP-SGD-JL and DP-Adam-JL: from plan to ledger, noise and model. */
class EstimatedNormsTrainingTest {
  private static final Examples TRAIN = Problems.classes(400, 1);
  private static final TestSet TEST = TestSet.declaredPublic(Problems.classes(200, 2));

  private static PrivacyPlanBuilder noise(double multiplier) {
    return PrivacyPlan.noise(multiplier).lotSize(100).steps(40).clip(1).estimatedNorms(20);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void learnsWithSgdAndAdam(boolean adam) {
    // Unsampled: the statement of a sampled run takes the accountant many seconds.
    PrivacyPlan plan = noise(8).sampling(Sampling.FULL_BATCH).steps(20).build();
    Trainer trainer =
        Trainer.of(Problems.LINEAR, plan)
            .learningRate(adam ? 0.1 : 1)
            .optimizer(adam ? new Optimizer.Adam() : new Optimizer.Sgd())
            .insecureSeed(7)
            .engine(adam ? Engine.named("cpu").withThreads(1) : new Reference());
    Result result = trainer.train(TRAIN, TEST);
    double accuracy = ((Classification) result.evaluation().orElseThrow()).accuracy();
    assertTrue(accuracy > 0.9, "accuracy " + accuracy);
    Guaranteed privacy = (Guaranteed) result.privacy();
    Mechanism entry = new EstimatedNormGaussian(8, 20);
    assertEquals(Ledger.of(Neighbouring.ADD_REMOVE, entry, 20).totals(), privacy.ledger().totals());
    assertTrue(privacy.statement().contains("norms estimated from 20"), privacy.statement());
    assertTrue(Double.isFinite(privacy.guarantee().epsilon()));
    assertEquals(
        "Estimated[projections=20]", result.provenance().configuration().texts().get("clipping"));
    assertEquals(
        Double.POSITIVE_INFINITY, new RdpAccountant().epsilon(privacy.ledger(), 1e-5).epsilon());
  }

  /** A target asks this of every noise that it tries; calibrating takes tens of seconds. */
  @Test
  void costsMoreThanExactNormsDo() {
    PrivacyPlanBuilder builder = PrivacyPlan.noise(0.8928).lotSize(600).epochs(5).clip(1);
    double exact = builder.build().forUnits(60_000).epsilon(1e-5).epsilon();
    double estimated = builder.estimatedNorms(30).build().forUnits(60_000).epsilon(1e-5).epsilon();
    assertEquals(3, estimated, 0.01);
    assertTrue(exact < 2.5, "exact norms cost " + exact);
  }

  /** The deviation that arrives is multiplier times sensitivity: not half, not twice. */
  @Test
  void theNoiseIsThatOfTheLedger() {
    Layout layout = Network.parse("dense(60) tanh dense(70)").on(Shape.vector(50));
    Examples none = Examples.of(Shape.vector(50), new float[0], 1, new float[0]);
    ResolvedPlan plan =
        PrivacyPlan.noise(2)
            .lotSize(40)
            .steps(1)
            .clip(0.5)
            .estimatedNorms(5)
            .build()
            .forUnits(1000);
    int slices = layout.slices().size();
    PrivacySession session =
        PrivacySession.open(Journal.inMemory(plan.neighbouring()), Randomness.insecure(5));
    float[] gradient = new float[layout.parameters()];
    double[] variances = new double[1];
    UnitRule rule = new UnitRule(plan.clipping(), new int[slices], 0, new boolean[slices]);
    try (MeanGradients gradients =
        new PrivateGradients(
            Engine.named("cpu")
                .withThreads(1)
                .source(layout, rule, PrivateData.each(none), plan.sampler(), plan.grid(32)),
            session,
            plan,
            0,
            new Thresholds(plan),
            layout.parameters())) {
      gradients.at(0, new float[layout.parameters()], gradient, variances);
    }
    double square = 0;
    for (float each : gradient) {
      square += (double) each * each / gradient.length;
    }
    // 7,000 coordinates, a fixed seed; the sensitivity is C and a little for roundings.
    double deviation = 2 * 0.5 / 40;
    assertEquals(1, Math.sqrt(square) / deviation, 0.06);
    assertEquals(square, variances[0], 0.05 * square);
    assertEquals(
        new PoissonSampled(0.04, new EstimatedNormGaussian(2, 5)),
        session.ledger().entries().get(0).mechanism());
  }

  @Test
  void whatHasNoProofIsRefused() {
    refused(
        "clipping groups with estimated norms must be 1 (their errors in several groups have no"
            + " joint bound). Provided value: 2",
        () -> noise(1).clipGroups(1, 1).build());
    refused(
        "neighbouring with estimated norms must be add/remove or zero-out (two replaced units have"
            + " errors of their own). Provided value: replace-one",
        () -> noise(1).neighbouring(Neighbouring.REPLACE_ONE).build());
    for (Sampling sampling : List.of(Sampling.FIXED_SIZE, Sampling.SHUFFLED_EPOCHS)) {
      assertTrue(
          assertThrows(
                  IllegalArgumentException.class,
                  () -> noise(1).sampling(sampling).neighbouring(Neighbouring.ZERO_OUT).build())
              .getMessage()
              .startsWith("sampler with estimated norms must be Poisson or full batch"));
    }
    refused(
        "estimated norms must be asked for in private runs only. Provided value: a run without"
            + " noise",
        () -> PrivacyPlan.nonPrivate().lotSize(1).steps(1).clip(1).estimatedNorms(3).build());
    refused(
        "thresholds with estimated norms must be fixed (a count beside a sum of random sensitivity"
            + " is not accounted for). Provided value: adaptive clipping",
        () -> noise(1).adaptiveClipping(AdaptiveClipping.quantile(0.5)).build());
    // Full batches and zeroed-out units have the same random sensitivity.
    ResolvedPlan full =
        noise(1)
            .sampling(Sampling.FULL_BATCH)
            .neighbouring(Neighbouring.ZERO_OUT)
            .build()
            .forUnits(10);
    assertEquals(new EstimatedNormGaussian(1, 20), full.mechanism(0));
    assertEquals(new ClippingRule.Estimated(20), full.clipping());
  }

  /** Before a ledger is begun. */
  @Test
  void whatAnEstimateCannotSeeIsRefusedBeforeAnythingIsSpent(@TempDir Path temp) {
    Path folder = temp.resolve("run");
    Trainer trainer =
        Trainer.of(Problems.LINEAR, noise(1).build()).learningRate(1).checkpoints(folder, 1);
    WeightDecay decay = new WeightDecay.BeforeClipping(0.1, true);
    refused(
        "weight decay before clipping must be 0 where norms are estimated. Provided value: 0.1",
        () -> trainer.weightDecay(decay).train(TRAIN, TEST));
    refused(
        "noise before clipping must be 0 where norms are estimated. Provided value: 0.1",
        () -> trainer.noiseBeforeClipping(0.1).train(TRAIN, TEST));
    assertTrue(Files.notExists(folder));
  }

  /** That one unit has two is no reason to refuse a run: it would tell of that unit. */
  @Test
  void ofAUnitWithSeveralExamplesTheFirstCounts() {
    Trainer trainer =
        Trainer.of(Problems.LINEAR, noise(8).sampling(Sampling.FULL_BATCH).steps(3).build())
            .learningRate(1)
            .declaredUnits(400)
            .insecureSeed(1);
    Units pair = Units.of(new long[] {7}, new int[][] {{0, 1}});
    Units single = Units.of(new long[] {7}, new int[][] {{0}});
    assertArrayEquals(
        trainer.train(TRAIN, single, TEST).model().parameters(),
        trainer.train(TRAIN, pair, TEST).model().parameters());
  }

  private static void refused(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }
}
