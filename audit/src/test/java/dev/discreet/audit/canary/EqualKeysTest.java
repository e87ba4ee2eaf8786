package dev.discreet.audit.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.train.PreparedRun;
import dev.discreet.core.train.Trainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Neighbouring runs with equal keys: the noise cancels, and what is left of two releases is what
 * the canary moved. It must be no more than the noise was made for, in networks of every layer. How
 * much noise there is, a run on rows of no use says. Keys are seeds, so nothing here fails by
 * chance; the parameters stand still, so that every step compares.
 */
class EqualKeysTest {
  private static final int STEPS = 40;
  private static final int ROWS = 24;
  private static final Shape IMAGE = new Shape(5, 5, 1);
  private static final double RATE = 0.4;

  /** What is trained, and whether the canary's whole threshold must be seen to move. */
  record Case(
      String network,
      UnaryOperator<PrivacyPlanBuilder> plan,
      UnaryOperator<Trainer> settings,
      Neighbouring relation,
      float value,
      boolean reaches) {
    @Override
    public String toString() {
      return network + ", " + relation.label() + ", value " + value;
    }
  }

  private static Case of(
      String network, UnaryOperator<PrivacyPlanBuilder> plan, float value, boolean reaches) {
    return new Case(network, plan, each -> each, Neighbouring.ADD_REMOVE, value, reaches);
  }

  private static PrivacyPlanBuilder poisson(PrivacyPlanBuilder plan) {
    return plan.samplingRate(RATE);
  }

  static Stream<Case> cases() {
    UnaryOperator<PrivacyPlanBuilder> poisson = EqualKeysTest::poisson;
    return Stream.of(
        of("flatten dense(3)", poisson, 5, true),
        of("flatten dense(3)", poisson, 1e30f, false),
        of("flatten dense(3)", poisson, 3e38f, false),
        of("flatten dense(3)", poisson, Float.NaN, false),
        of("conv(3,3) relu flatten dense(3)", poisson, 50, true),
        of(
            "conv(4,3,standardised=true) groupnorm(2) tanh globalavgpool dense(3)",
            plan -> poisson(plan).clip(0.1),
            9,
            true),
        of("conv(2,2,bias=false) maxpool(2) gelu flatten layernorm dense(3)", poisson, -30, true),
        of("avgpool(2) flatten dense(4) elu(1) dense(3)", poisson, 100, true),
        of("flatten dropout(0.4) dense(5) sigmoid dense(3)", poisson, 20, true),
        of("conv(3,3) relu flatten dense(3)", plan -> poisson(plan).clipEvenly(1, 2), 50, true),
        of(
            "flatten dense(3)",
            plan -> poisson(plan).clipping(new ClippingRule.Normalised()),
            1e-4f,
            true),
        of(
            "flatten dense(3)",
            plan -> poisson(plan).clipping(new ClippingRule.Automatic(0.01)),
            7,
            true),
        of(
            "flatten dense(3)",
            plan -> poisson(plan).clipping(new ClippingRule.PerSample(0.1)),
            30,
            true),
        new Case(
            "conv(3,3) relu flatten dropout(0.2) dense(3)",
            poisson,
            each -> each.augmentation(Augmentation.parse("flip,crop(2),shift(1)", 6)),
            Neighbouring.ADD_REMOVE,
            50,
            true),
        new Case(
            "flatten dense(3)",
            poisson,
            each -> each.augmentation(Augmentation.parse("flip", 2)),
            Neighbouring.ZERO_OUT,
            5,
            true),
        new Case(
            "conv(3,3) relu flatten dense(3)",
            poisson,
            each ->
                each.weightDecay(new WeightDecay.BeforeClipping(0.5, false))
                    .noiseBeforeClipping(0.2),
            Neighbouring.ADD_REMOVE,
            50,
            true),
        new Case(
            "flatten dense(3)",
            plan -> plan.lotSize(8).sampling(Sampling.FIXED_SIZE),
            each -> each,
            Neighbouring.REPLACE_ONE,
            5,
            false),
        new Case(
            "flatten dense(3)",
            plan -> plan.lotSize(8).sampling(Sampling.SHUFFLED_EPOCHS),
            each -> each,
            Neighbouring.ZERO_OUT,
            5,
            true),
        new Case("flatten dense(3)", poisson, each -> each, Neighbouring.ZERO_OUT, 5, true),
        new Case(
            "flatten dense(3)",
            plan -> poisson(plan).microBatch(3),
            each -> each,
            Neighbouring.REPLACE_ONE,
            5,
            false));
  }

  /** Rows in the unit cube of three classes, and one more: the canary, or what stands for it. */
  private static LocalData rows(Case given, Last last) {
    SplittableRandom random = new SplittableRandom(3);
    int rows = ROWS - (last == Last.ABSENT ? 1 : 0);
    float[] inputs = new float[rows * IMAGE.size()];
    float[] labels = new float[rows];
    for (int i = 0; i < rows; i++) {
      boolean isCanary = i == ROWS - 1;
      for (int j = 0; j < IMAGE.size(); j++) {
        float value = isCanary ? given.value * (j % 3 - 1) : (float) random.nextDouble();
        inputs[i * IMAGE.size() + j] =
            isCanary && last == Last.UNUSABLE || last == Last.ALL_UNUSABLE
                ? Float.NaN
                : isCanary && last == Last.OTHER ? -value : value;
      }
      labels[i] = i % 3;
    }
    Examples examples = Examples.of(IMAGE, inputs, 1, labels);
    // Ids that are not places. The canary's comes before the others', but where it may be absent:
    // then it comes behind them, so that the lots of the others are the same without it.
    long canary = given.relation == Neighbouring.ADD_REMOVE ? 1000 : 4;
    long[] ids =
        IntStream.range(0, rows).mapToLong(i -> i == ROWS - 1 ? canary : 100 + 7 * i).toArray();
    return PrivateData.of(
        examples,
        Units.of(ids, IntStream.range(0, rows).mapToObj(i -> new int[] {i}).toArray(int[][]::new)));
  }

  private enum Last {
    PRESENT,
    ABSENT,
    UNUSABLE,
    OTHER,
    ALL_UNUSABLE
  }

  private record Seen(List<double[]> sums, Ledger ledger) {}

  private static Seen train(Case given, Last last) {
    PrivacyPlan plan =
        given
            .plan
            .apply(PrivacyPlan.noise(0.8).steps(STEPS).clip(1).neighbouring(given.relation))
            .build();
    Trainer trainer =
        given.settings.apply(
            Trainer.of(Network.parse(given.network), plan)
                .learningRate(1e-30)
                .insecureSeed(11)
                .declaredUnits(ROWS)
                .engine(Engine.named("cpu").withThreads(1)));
    List<double[]> sums = new ArrayList<>();
    PreparedRun run = trainer.prepare(rows(given, last), null);
    double lot = run.plan().expectedLot();
    ReleaseTap tap =
        new ReleaseTap(
            IMAGE,
            (step, theta, sum) -> {
              sums.add(CanaryGame.sum(sum, lot));
              CanaryGame.endAfter(step, STEPS);
            });
    PreparedRun tapped = run.with(each -> each.transform(tap));
    assertThrows(CanaryGame.Enough.class, tapped::start);
    return new Seen(sums, run.plan().ledger());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aCanaryMovesNoMoreThanTheNoiseWasMadeFor(Case given) {
    Last neighbour =
        switch (given.relation) {
          case ADD_REMOVE -> Last.ABSENT;
          case ZERO_OUT -> Last.UNUSABLE;
          case REPLACE_ONE -> Last.OTHER;
        };
    Seen with = train(given, Last.PRESENT);
    Seen without = train(given, neighbour);
    double noise = deviation(train(given, Last.ALL_UNUSABLE).sums);
    assertEquals(with.ledger, without.ledger);
    double allowed =
        (given.relation == Neighbouring.REPLACE_ONE ? 2 : 1) * noise / multiplier(with.ledger);
    double largest = 0;
    int moved = 0;
    for (int step = 0; step < STEPS; step++) {
      double[] in = with.sums.get(step);
      double[] out = without.sums.get(step);
      double square = 0;
      for (int i = 0; i < in.length; i++) {
        square += (in[i] - out[i]) * (in[i] - out[i]);
      }
      // Released gradients are floats, so equal ones may differ in a last bit of the noise.
      largest = Math.max(largest, Math.sqrt(square));
      moved += Math.sqrt(square) > 1e-3 * allowed ? 1 : 0;
    }
    // The deviation is known to some percent.
    assertTrue(largest <= 1.08 * allowed, "moved by " + largest + ", noise is for " + allowed);
    if (given.reaches) {
      assertTrue(largest >= 0.9 * allowed, "that it can fail: " + largest + " of " + allowed);
    }
    double rate = rate(with.ledger);
    double most = rate * STEPS + 5 * Math.sqrt(rate * (1 - rate) * STEPS);
    assertTrue(moved <= most, "in " + moved + " lots of " + STEPS);
  }

  private static double deviation(List<double[]> sums) {
    double square = sums.stream().flatMapToDouble(Arrays::stream).map(each -> each * each).sum();
    return Math.sqrt(square / (sums.size() * (double) sums.get(0).length));
  }

  private static Mechanism inner(Mechanism step) {
    return step instanceof Mechanism.Sampled sampled ? sampled.inner() : step;
  }

  /** Of all groups together: noise is the same on every coordinate. */
  private static double multiplier(Ledger ledger) {
    Mechanism step = inner(ledger.entries().get(0).mechanism());
    List<Double> groups =
        step instanceof Mechanism.JointGaussian joint
            ? joint.noiseMultipliers()
            : List.of(((Mechanism.Gaussian) step).noiseMultiplier());
    return 1 / Math.sqrt(groups.stream().mapToDouble(each -> 1 / (each * each)).sum());
  }

  /** How often a lot may have the canary. */
  private static double rate(Ledger ledger) {
    Mechanism step = ledger.entries().get(0).mechanism();
    if (step instanceof Mechanism.Sampled sampled) {
      return sampled.rate();
    }
    // Shuffled: once in each charge.
    return (double) ledger.entries().get(0).count() / STEPS;
  }
}
