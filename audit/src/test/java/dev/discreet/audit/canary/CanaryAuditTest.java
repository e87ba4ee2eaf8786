package dev.discreet.audit.canary;

import static dev.discreet.audit.canary.CanaryProblems.FAR;
import static dev.discreet.audit.canary.CanaryProblems.FEATURES;
import static dev.discreet.audit.canary.CanaryProblems.LINEAR;
import static dev.discreet.audit.canary.CanaryProblems.OWN;
import static dev.discreet.audit.canary.CanaryProblems.each;
import static dev.discreet.audit.canary.CanaryProblems.extreme;
import static dev.discreet.audit.canary.CanaryProblems.ordinary;
import static dev.discreet.audit.canary.CanaryProblems.own;
import static dev.discreet.audit.canary.CanaryProblems.owned;
import static dev.discreet.audit.canary.CanaryProblems.quiet;
import static dev.discreet.audit.canary.CanaryProblems.scaled;
import static dev.discreet.audit.canary.CanaryProblems.unusable;
import static dev.discreet.audit.canary.CanaryProblems.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.canary.CanaryProblems.Row;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.nn.Network;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attacks on whole training runs, with canaries, secret keys and the real engine: an honest run is
 * refuted with probability 1e-6 at most in each test. The adversary knows the rows, sees every
 * release, and scores them without the engine: rows are such that their gradients are known.
 *
 * <p>{@code -Daudit.repetitions=50} plays everything as often, with fresh randomness.
 */
@Tag("statistical")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CanaryAuditTest {
  private static final double FALSE_ALARM = 1e-6;
  private static final int REPETITIONS = Integer.getInteger("audit.repetitions", 1);
  private static final int STEPS = 100;
  private static final int RUNS = 35;

  /**
   * What the noise of a false claim is multiplied by, which must be refuted. Simulated with the
   * noise, rate and number of scores of the tight configurations, the margin is 5 to 7 of its
   * deviations away from a miss: at most about 1e-6 each.
   */
  private static final double TOO_MUCH_NOISE = 1.6;

  @TempDir private Path folder;

  // Many configurations make the same claim.
  private final Map<Ledger, ClaimedCurve> curves = new HashMap<>();

  /**
   * A configuration.
   *
   * @param sigma the noise multiplier, and {@code plan} the rest of the plan
   * @param charge steps of one ledger entry
   * @param tight whether a claim of more noise than there is must be found out
   */
  record Configuration(
      String name,
      double sigma,
      UnaryOperator<PrivacyPlanBuilder> plan,
      Network network,
      UnaryOperator<Trainer> settings,
      LocalData with,
      LocalData without,
      CanaryGame.Scores scores,
      int charge,
      boolean tight) {
    private PrivacyPlan plan(double noise) {
      return plan.apply(PrivacyPlan.noise(noise).steps(STEPS).clip(1)).build();
    }

    private long units() {
      return Math.max(with.unitCount(), without.unitCount());
    }

    CanaryGame game() {
      Trainer trainer =
          Trainer.of(network, plan(sigma))
              .learningRate(0.01)
              .declaredUnits(units())
              .engine(Engine.named("cpu").withThreads(1));
      return new CanaryGame(name, settings.apply(trainer), with, without, scores, RUNS);
    }

    Ledger claimWith(double factor) {
      return plan(sigma * factor).forUnits(units()).ledger();
    }

    Configuration settings(UnaryOperator<Trainer> more) {
      return new Configuration(
          name, sigma, plan, network, more, with, without, scores, charge, tight);
    }

    Configuration network(String text, CanaryGame.Scores others) {
      return new Configuration(
          name, sigma, plan, Network.parse(text), settings, with, without, others, charge, tight);
    }

    Configuration charging(int steps) {
      return new Configuration(
          name, sigma, plan, network, settings, with, without, scores, steps, tight);
    }

    Configuration scored(CanaryGame.Scores others) {
      return new Configuration(
          name, sigma, plan, network, settings, with, without, others, charge, tight);
    }

    Configuration loose() {
      return new Configuration(
          name, sigma, plan, network, settings, with, without, scores, charge, false);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Configuration of(
      String name,
      double sigma,
      UnaryOperator<PrivacyPlanBuilder> plan,
      LocalData with,
      LocalData without) {
    return new Configuration(
        name, sigma, plan, LINEAR, trainer -> trainer, with, without, own(1), 1, true);
  }

  private static UnaryOperator<PrivacyPlanBuilder> poisson(double rate) {
    return plan -> plan.samplingRate(rate);
  }

  private static PrivacyPlanBuilder full(PrivacyPlanBuilder plan) {
    return plan.sampling(Sampling.FULL_BATCH);
  }

  private static List<Row> with(List<Row> rows, Row... more) {
    return CanaryProblems.with(rows, rows.size(), more);
  }

  static Stream<Configuration> configurations() {
    LocalData ordinary = each(ordinary(19));
    LocalData canaryLast = each(with(ordinary(19), extreme(true)));
    LocalData quiet = each(quiet(19));
    LocalData one = each(with(quiet(19), extreme(true)));
    LocalData other = each(with(quiet(19), extreme(false)));
    LocalData nobody = each(with(quiet(19), unusable()));
    return Stream.of(
        of("Poisson lots", 0.35, poisson(0.8), canaryLast, ordinary),
        of(
            "Poisson lots, the canary first",
            0.35,
            poisson(0.8),
            each(CanaryProblems.with(ordinary(19), 0, extreme(true))),
            ordinary),
        // With so little noise, the share of lots that has the canary is the claim.
        of("Poisson lots that show who is in", 0.2, poisson(0.2), one, quiet).loose(),
        of("lots that are mostly empty", 0.2, poisson(0.02), one, quiet).loose(),
        of("full batch", 0.35, CanaryAuditTest::full, canaryLast, ordinary),
        of(
                "full batch on two threads",
                0.35,
                CanaryAuditTest::full,
                each(CanaryProblems.with(ordinary(99), 50, extreme(true))),
                each(ordinary(99)))
            .settings(trainer -> trainer.engine(Engine.named("cpu").withThreads(2))),
        of(
            "a person with several rows",
            0.35,
            plan -> plan.samplingRate(0.8).unit("person"),
            owned(
                with(quiet(6), extreme(true), scaled(3, -FAR), scaled(-2, FAR), quiet(1).get(0)),
                5,
                5,
                6,
                7,
                7,
                8,
                9,
                9,
                9,
                9),
            owned(quiet(6), 5, 5, 6, 7, 7, 8)),
        of(
            "a person with rows here and there, some of no use",
            0.35,
            plan -> plan.samplingRate(0.8).unit("person"),
            owned(
                with(
                    CanaryProblems.with(quiet(6), 0, unusable(), scaled(1, -FAR)),
                    scaled(Float.POSITIVE_INFINITY, 1),
                    scaled(2, -FAR)),
                3,
                3,
                5,
                5,
                6,
                7,
                7,
                8,
                3,
                3),
            owned(quiet(6), 5, 5, 6, 7, 7, 8)),
        of(
            "values near the largest float",
            0.35,
            CanaryAuditTest::full,
            each(with(ordinary(19), scaled(1e15f, -1e3f))),
            ordinary),
        of(
            "one that cannot be used, zeroed out",
            0.35,
            plan -> full(plan).neighbouring(Neighbouring.ZERO_OUT),
            one,
            nobody),
        of("nobody has the canary's gradient twice", 0.35, CanaryAuditTest::full, nobody, quiet)
            .loose(),
        of(
                "replaced, Poisson lots",
                0.9,
                plan -> plan.samplingRate(0.5).neighbouring(Neighbouring.REPLACE_ONE),
                one,
                other)
            .loose(),
        of(
            "replaced, full batch",
            0.7,
            plan -> full(plan).neighbouring(Neighbouring.REPLACE_ONE),
            one,
            other),
        of(
            "lots of a fixed size, where one displaces its opposite",
            0.7,
            plan -> plan.lotSize(12).sampling(Sampling.FIXED_SIZE),
            each(with(opposite(15), extreme(true))),
            each(opposite(16))),
        of(
                "shuffled epochs, zeroed out",
                0.5,
                plan ->
                    plan.lotSize(10)
                        .sampling(Sampling.SHUFFLED_EPOCHS)
                        .neighbouring(Neighbouring.ZERO_OUT),
                one,
                nobody)
            .charging(2)
            .loose(),
        of(
                "shuffled epochs, replaced",
                1.0,
                plan ->
                    plan.lotSize(10)
                        .sampling(Sampling.SHUFFLED_EPOCHS)
                        .neighbouring(Neighbouring.REPLACE_ONE),
                one,
                other)
            .charging(2)
            .loose(),
        of(
            "micro-batches, replaced",
            0.7,
            plan -> full(plan).microBatch(2).neighbouring(Neighbouring.REPLACE_ONE),
            one,
            other),
        of(
                "a threshold that is not 1, and momentum",
                0.35,
                plan -> plan.samplingRate(0.8).clip(0.01),
                canaryLast,
                ordinary)
            .scored(own(0.01))
            .settings(trainer -> trainer.optimizer(new Optimizer.Momentum(0.9)).ema(0.9)),
        of(
            "automatic clipping",
            0.35,
            plan -> full(plan).clipping(new ClippingRule.Automatic(0.01)),
            canaryLast,
            ordinary),
        of(
            "normalised clipping of a gradient that is hardly there",
            0.35,
            plan -> full(plan).clipping(new ClippingRule.Normalised()),
            each(with(quiet(19), scaled(1e-3f, -1))),
            quiet),
        of(
            "global clipping just below the cutoff",
            0.35,
            plan -> full(plan).clipping(new ClippingRule.Global(3000)),
            each(with(quiet(19), scaled(1, -2950))),
            quiet),
        of("estimated norms", 0.35, plan -> full(plan).estimatedNorms(8), one, quiet).loose(),
        of("noise before clipping", 0.35, CanaryAuditTest::full, one, quiet)
            .settings(trainer -> trainer.noiseBeforeClipping(0.02)),
        of("dropout", 0.35, CanaryAuditTest::full, one, quiet)
            .network("dropout(0.3) dense(1,bias=false) loss=squared", own(1))
            .loose(),
        of("biases only", 0.35, CanaryAuditTest::full, biased(true), biased(false))
            .network("dense(1) loss=squared", atBias())
            .settings(CanaryAuditTest::atZero),
        of(
                "a layer for each group",
                0.35,
                plan -> full(plan).clipGroups(0.3, 0.8),
                each(with(quiet(19), both())),
                quiet)
            .network("dense(1,bias=false) dense(1,bias=false) loss=squared", grouped())
            .settings(CanaryAuditTest::atOnes),
        of("decay before clipping", 0.35, CanaryAuditTest::full, one, quiet)
            .scored(CanaryAuditTest::decayed)
            .settings(
                trainer ->
                    trainer
                        .weightDecay(new WeightDecay.BeforeClipping(0.1, false))
                        .startFromPublic(ones(FEATURES), "ones")
                        .learningRate(1e-12)));
  }

  private static List<Row> opposite(int number) {
    return IntStream.range(0, number).mapToObj(i -> extreme(false)).toList();
  }

  private static float[] ones(int number) {
    float[] ones = new float[number];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** A row with no features: its gradient is one of the bias alone. */
  private static LocalData biased(boolean canary) {
    List<Row> rows = quiet(19);
    return each(canary ? with(rows, new Row(new float[FEATURES], -FAR)) : rows);
  }

  private static Trainer atZero(Trainer trainer) {
    return trainer.startFromPublic(new float[FEATURES + 1], "zeros").learningRate(1e-12);
  }

  private static CanaryGame.Scores atBias() {
    return (theta, sum) ->
        new double[] {sum[FEATURES], Math.abs(sum[FEATURES] - sum[0]), sum[0] * sum[0]};
  }

  /** w·(v·x) with all weights 1: the gradient is long in both layers. */
  private static Row both() {
    return scaled(1, -FAR);
  }

  private static Trainer atOnes(Trainer trainer) {
    return trainer.startFromPublic(ones(FEATURES + 1), "ones").learningRate(1e-12);
  }

  /** Every coordinate has the same noise, so what the canary adds is what to look along. */
  private static CanaryGame.Scores grouped() {
    return (theta, sum) -> {
      double along = 0.3 * sum[OWN] + 0.8 * sum[FEATURES];
      return new double[] {along, Math.abs(sum[OWN] - sum[0]), sum[FEATURES] * sum[FEATURES]};
    };
  }

  /** Each of the 19 others adds λθ, which is known. */
  private static double[] decayed(float[] theta, double[] sum) {
    double others = 19 * 0.1 * theta[OWN];
    return new double[] {sum[OWN] - others, Math.abs(sum[OWN] - sum[0]), sum[0]};
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void anHonestRunIsNotRefuted(Configuration configuration) throws IOException {
    for (int i = 0; i < REPETITIONS; i++) {
      CanaryGame.Played played = configuration.game().play(folder);
      assertEquals(
          List.of(),
          CanaryGame.refutations(
              played, played.ledger(), this::curve, configuration.charge(), FALSE_ALARM));
      assertEquals(STEPS, CanaryGame.charges(played.ledger()) * configuration.charge());
      if (configuration.tight()) {
        // That it can fail: the same scores refute a claim that is too small.
        assertFalse(
            CanaryGame.refutations(
                    played,
                    configuration.claimWith(TOO_MUCH_NOISE),
                    this::curve,
                    configuration.charge(),
                    FALSE_ALARM)
                .isEmpty(),
            "a claim that is too small must be refuted");
      }
    }
  }

  private ClaimedCurve curve(Ledger claim) {
    return curves.computeIfAbsent(claim, ClaimedCurve::of);
  }
}
