package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Metric.Kind;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.Units;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NoisyMetricsTest {
  private static final long ONE = 1 << 16;
  private static final int TIMES = 600;

  /** Of 600 draws at 5%: P(more than 57 misses) is below 1e-6. */
  private static final int MISSES = 58;

  /** What a network says of one example, and what is true. */
  private interface Law {
    void draw(SplittableRandom random, double[] output, double[] target);
  }

  private record Problem(String network, Law law) {
    Layout layout() {
      return Network.parse(network).on(Shape.vector(1));
    }

    /** The score of so many units of one example, with noise of this multiplier. */
    NoisyScore score(SplittableRandom random, int size, double multiplier) {
      Layout layout = layout();
      HeldOutParts parts = HeldOutParts.of(layout, 1, true);
      HeldOutExamples examples = new HeldOutExamples(parts, size);
      double[] output = new double[layout.outputs()];
      double[] target = new double[1];
      for (int i = 0; i < size; i++) {
        law.draw(random, output, target);
        examples.add(i, output, target);
      }
      long[] sums = examples.sums(Units.each(size), ONE);
      double deviation = multiplier * parts.sensitivity();
      for (int i = 0; i < sums.length; i++) {
        sums[i] += Math.round(random.nextGaussian() * deviation * ONE);
      }
      Examples none = Examples.of(Shape.vector(1), new float[0], 1, new float[0]);
      TestSet.Released test =
          new TestSet.Released(none, Units.each(0), 0.1).withAllFigures().declaring(size);
      NoisyValue noisy = new NoisyValue(1, sums, -16, new double[] {parts.sensitivity()});
      return NoisyScore.of(layout, test, noisy, multiplier);
    }

    Map<Kind, Metric> metrics(SplittableRandom random, int size, double multiplier) {
      return Metrics.of(score(random, size, multiplier), LabelUnit.SCALED).stream()
          .collect(Collectors.toMap(Metric::kind, each -> each));
    }
  }

  private static final Problem TWO =
      new Problem(
          "dense(1) loss=logistic",
          (random, output, target) -> {
            double x = random.nextGaussian() - 0.5;
            target[0] = random.nextDouble() < 1 / (1 + Math.exp(-1.5 * x)) ? 1 : 0;
            output[0] = 2 * x;
          });

  private static final Problem THREE =
      new Problem(
          "dense(3)",
          (random, output, target) -> {
            target[0] = Math.max(0, random.nextInt(4) - 1);
            for (int k = 0; k < 3; k++) {
              output[k] = random.nextGaussian() + (k == target[0] ? 1.2 : 0);
            }
          });

  private static final Problem NUMBER =
      new Problem(
          "dense(1) loss=squared",
          (random, output, target) -> {
            double x = random.nextDouble();
            output[0] = 0.2 + 0.6 * x;
            target[0] = Math.max(0, Math.min(1, 0.15 + 0.7 * x + 0.1 * random.nextGaussian()));
          });

  /** Noise of nearly nothing: what was released gives what an evaluation of the rows gives. */
  @Test
  void withoutNoiseFiguresAreThoseOfTheRows() {
    int size = 4000;
    Map<Kind, Metric> found = TWO.metrics(new SplittableRandom(3), size, 1e-9);
    SplittableRandom random = new SplittableRandom(3);
    double[] logits = new double[size];
    int[] labels = new int[size];
    double[] output = new double[1];
    double[] target = new double[1];
    for (int i = 0; i < size; i++) {
      TWO.law().draw(random, output, target);
      logits[i] = output[0];
      labels[i] = (int) target[0];
    }
    Evaluation exact = MetricsTest.classes(logits, labels);
    for (Kind kind :
        List.of(
            Kind.ACCURACY,
            Kind.LARGEST_CLASS,
            Kind.BALANCED_ACCURACY,
            Kind.F1,
            Kind.CALIBRATION_ERROR)) {
      assertEquals(
          MetricsTest.of(kind, exact, LabelUnit.SCALED).value(),
          found.get(kind).value(),
          1e-3,
          kind.title());
    }
    double auc = MetricsTest.of(Kind.AUC, exact, LabelUnit.SCALED).value();
    assertEquals(auc, found.get(Kind.AUC).value(), 0.01, "in ten bins");
  }

  @Test
  void numbersHaveTheirAbsoluteError() {
    int size = 3000;
    Map<Kind, Metric> found = NUMBER.metrics(new SplittableRandom(3), size, 1e-9);
    SplittableRandom random = new SplittableRandom(3);
    NumberTally tally = new NumberTally(1, size);
    double[] output = new double[1];
    double[] target = new double[1];
    for (int i = 0; i < size; i++) {
      NUMBER.law().draw(random, output, target);
      tally.add(output, target);
    }
    for (Kind kind : List.of(Kind.RMSE, Kind.MAE, Kind.R_SQUARED)) {
      double exact = MetricsTest.of(kind, tally.evaluation(1), LabelUnit.SCALED).value();
      assertEquals(exact, found.get(kind).value(), 2e-3, kind.title());
    }
  }

  @Test
  void whatIsWrittenIsReadToTheBit() {
    for (Problem problem : List.of(TWO, THREE, NUMBER)) {
      NoisyScore score = problem.score(new SplittableRandom(1), 500, 3);
      String json = JsonFields.write(score.fields());
      assertEquals(score, NoisyScore.read(JsonFields.parse("score", json)));
    }
  }

  @Test
  void rowsThatAreNoneAreRefused() {
    Map<String, Object> fields = TWO.score(new SplittableRandom(1), 500, 3).fields();
    String json = JsonFields.write(fields).replaceFirst("\\[ *\\[[^]]*]", "[null");
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> NoisyScore.read(JsonFields.parse("score", json)));
    assertTrue(e.getMessage().contains("confusion"), e.getMessage());
  }

  /** Noise of many times the number of rows: no figure pretends to know anything. */
  @Test
  void whatNoiseDrownsIsAsWideAsCanBe() {
    Map<Kind, Metric> found = TWO.metrics(new SplittableRandom(9), 50, 500);
    for (Kind kind : List.of(Kind.AUC, Kind.BALANCED_ACCURACY, Kind.F1, Kind.ACCURACY)) {
      Metric metric = found.get(kind);
      assertTrue(metric.high() - metric.low() > 0.65, kind + " " + metric.text());
    }
  }

  @Test
  @Tag("statistical")
  void intervalsHoldWhatIsTrueThroughTheNoise() {
    for (Problem problem : List.of(TWO, THREE, NUMBER)) {
      for (double multiplier : new double[] {1, 8, 40}) {
        Map<Kind, Integer> misses = misses(problem, multiplier, 800);
        misses.forEach(
            (kind, often) ->
                assertTrue(
                    often < MISSES,
                    problem.network() + " σ = " + multiplier + ": " + kind + " missed " + often));
      }
    }
  }

  private static Map<Kind, Integer> misses(Problem problem, double multiplier, int size) {
    SplittableRandom random = new SplittableRandom(4);
    Map<Kind, Metric> truth = problem.metrics(random, 200_000, 1e-9);
    Map<Kind, Integer> misses = new EnumMap<>(Kind.class);
    for (int i = 0; i < TIMES; i++) {
      problem
          .metrics(random, size, multiplier)
          .forEach(
              (kind, each) -> {
                double is = truth.get(kind).value();
                boolean missed = is < each.low() || is > each.high();
                misses.merge(kind, missed ? 1 : 0, Integer::sum);
              });
    }
    return misses;
  }

  /** What the intervals would be without the noise misses what is true far too often. */
  @Test
  @Tag("statistical")
  void intervalsThatForgetTheNoiseAreFound() {
    SplittableRandom random = new SplittableRandom(4);
    double is = TWO.metrics(random, 200_000, 1e-9).get(Kind.ACCURACY).value();
    int missed = 0;
    for (int i = 0; i < TIMES; i++) {
      NoisyScore score = TWO.score(random, 800, 40);
      NoisyScore.Range range = Intervals.wilson(score.value(), 800);
      missed += is < range.low() || is > range.high() ? 1 : 0;
    }
    assertTrue(missed > 2 * MISSES, "missed " + missed);
  }
}
