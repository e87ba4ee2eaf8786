package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.evaluate.Metric.Kind;
import dev.discreet.core.nn.Loss;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Draws many test sets of one law whose figures are known from very many rows, and counts how often
 * the 95% intervals hold them. An interval that covers 95% would fail {@code MISSES} of {@code
 * TIMES} with a probability below 1e-6; one that covers 91% or less fails here more often than not.
 */
@Tag("statistical")
class MetricCoverageTest {
  private static final int TIMES = 1000;

  /** Of 1000 draws at 5%: P(more than 85 misses) is 9e-7. */
  private static final int MISSES = 86;

  private static final int ROWS = 400;

  private interface Draw {
    Evaluation of(SplittableRandom random, int rows);
  }

  /** Scores are wrong in scale, so that there is a calibration error. */
  private static Evaluation two(SplittableRandom random, int rows) {
    double[] logits = new double[rows];
    int[] labels = new int[rows];
    for (int i = 0; i < rows; i++) {
      double x = random.nextGaussian() - 0.8;
      labels[i] = random.nextDouble() < 1 / (1 + Math.exp(-1.5 * x)) ? 1 : 0;
      logits[i] = 2.5 * x + 0.3;
    }
    return MetricsTest.classes(logits, labels);
  }

  private static Evaluation three(SplittableRandom random, int rows) {
    Loss loss = new Loss.SoftmaxCrossEntropy();
    ClassTally tally = new ClassTally(Scoring.CLASSES, loss, 3, rows);
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      int label = Math.max(0, random.nextInt(4) - 1);
      double[] z = new double[3];
      for (int k = 0; k < 3; k++) {
        z[k] = random.nextGaussian() + (k == label ? 1.2 : 0);
      }
      double value = loss.value(z, new double[] {label}, new double[3]);
      sum += value;
      tally.add(z, label, value);
    }
    return tally.evaluation(sum);
  }

  private static Evaluation number(SplittableRandom random, int rows) {
    NumberTally tally = new NumberTally(1, rows);
    for (int i = 0; i < rows; i++) {
      double x = random.nextDouble();
      double y = 0.2 + 0.6 * x + 0.1 * random.nextGaussian();
      tally.add(new double[] {0.25 + 0.5 * x}, new double[] {y});
    }
    return tally.evaluation(1);
  }

  private static Map<Kind, Integer> misses(Draw draw) {
    SplittableRandom random = new SplittableRandom(20261119);
    Map<Kind, Double> truth = new EnumMap<>(Kind.class);
    for (Metric each : Metrics.of(draw.of(random, 100_000), LabelUnit.SCALED)) {
      truth.put(each.kind(), each.value());
    }
    Map<Kind, Integer> misses = new EnumMap<>(Kind.class);
    for (int i = 0; i < TIMES; i++) {
      for (Metric each : Metrics.of(draw.of(random, ROWS), LabelUnit.SCALED)) {
        double is = truth.get(each.kind());
        misses.merge(each.kind(), is < each.low() || is > each.high() ? 1 : 0, Integer::sum);
      }
    }
    return misses;
  }

  @Test
  void intervalsHoldWhatIsTrueNineteenTimesOfTwenty() {
    for (Draw draw :
        List.<Draw>of(
            MetricCoverageTest::two, MetricCoverageTest::three, MetricCoverageTest::number)) {
      Map<Kind, Integer> misses = misses(draw);
      misses.forEach((kind, often) -> assertTrue(often < MISSES, kind + " missed " + often));
    }
  }

  /** Intervals of four times as many rows than there are cover about two thirds. */
  @Test
  void intervalsThatAreTooShortAreFound() {
    SplittableRandom random = new SplittableRandom(7);
    int missed = 0;
    for (int i = 0; i < TIMES; i++) {
      int found = 0;
      for (int row = 0; row < ROWS; row++) {
        found += random.nextDouble() < 0.7 ? 1 : 0;
      }
      NoisyScore.Range range = Intervals.wilson((double) found / ROWS, 4 * ROWS);
      missed += range.low() > 0.7 || range.high() < 0.7 ? 1 : 0;
    }
    assertTrue(missed >= MISSES, "missed " + missed);
  }
}
