package dev.discreet.core.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.evaluate.CalibrationCurve.Bin;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.Metric.Kind;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.nn.Loss;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final LabelUnit PAY = new LabelUnit("dollars", 1000);

  static Metric of(Kind kind, Evaluation evaluation, LabelUnit label) {
    return Metrics.of(evaluation, label).stream()
        .filter(each -> each.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  static Classification classes(double[] logits, int[] labels) {
    ClassTally tally = new ClassTally(Scoring.TWO_CLASSES, new Loss.Logistic(), 1, logits.length);
    double sum = 0;
    for (int i = 0; i < logits.length; i++) {
      double[] z = {logits[i]};
      double value = new Loss.Logistic().value(z, new double[] {labels[i]}, new double[1]);
      sum += value;
      tally.add(z, labels[i], value);
    }
    return tally.evaluation(sum);
  }

  /** By hand: 2 of 3 of the first class and 3 of 5 of the second are found. */
  @Test
  void twoClassesByHand() {
    Classification found =
        classes(new double[] {-2, -1, 1, -0.5, -1, 0.5, 1, 3}, new int[] {0, 0, 0, 1, 1, 1, 1, 1});
    assertEquals(List.of(List.of(2, 1), List.of(2, 3)), found.confusion());
    assertEquals(5 / 8.0, of(Kind.ACCURACY, found, PAY).value());
    assertEquals(5 / 8.0, of(Kind.LARGEST_CLASS, found, PAY).value());
    assertEquals((2 / 3.0 + 3 / 5.0) / 2, of(Kind.BALANCED_ACCURACY, found, PAY).value(), 1e-15);
    assertEquals(6 / 9.0, of(Kind.F1, found, PAY).value(), 1e-15);
    // Pairs in order: −0.5: 2; −1: 1½; 0.5: 2; 1: 2½; 3: 3.
    assertEquals(11 / 15.0, of(Kind.AUC, found, PAY).value(), 1e-15);
    double loss = 0;
    double[] z = {-2, -1, 1, 0.5, 1, -0.5, -1, -3};
    for (double each : z) {
      loss += Math.log(1 + Math.exp(each));
    }
    assertEquals(loss / 8, of(Kind.LOG_LOSS, found, PAY).value(), 1e-12);
  }

  @Test
  void aucIsTheShareOfPairsInOrder() {
    SplittableRandom random = new SplittableRandom(5);
    double[] logits = new double[300];
    int[] labels = new int[300];
    for (int i = 0; i < 300; i++) {
      labels[i] = random.nextInt(3) == 0 ? 1 : 0;
      logits[i] = Math.rint(4 * (random.nextGaussian() + labels[i])) / 4;
    }
    double pairs = 0;
    double ordered = 0;
    for (int i = 0; i < 300; i++) {
      for (int j = 0; j < 300; j++) {
        if (labels[i] == 1 && labels[j] == 0) {
          pairs++;
          ordered += logits[i] > logits[j] ? 1 : logits[i] == logits[j] ? 0.5 : 0;
        }
      }
    }
    Metric auc = of(Kind.AUC, classes(logits, labels), PAY);
    assertEquals(ordered / pairs, auc.value(), 1e-12);
    assertTrue(auc.low() < auc.value() && auc.value() < auc.high(), auc.text());
  }

  /** By DeLong's own formula, from the matrix of pairs. */
  @Test
  void errorOfAucIsDeLongs() {
    double[] of = {3, 1.5, 2, 0.5};
    double[] others = {1, 0, 2, -1, 1.5};
    double[] scores = {3, 1.5, 2, 0.5, 1, 0, 2, -1, 1.5};
    int[] labels = {0, 0, 0, 0, -1, -1, -1, -1, -1};
    double[] perOf = new double[4];
    double[] perOther = new double[5];
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 5; j++) {
        double psi = of[i] > others[j] ? 1 : of[i] == others[j] ? 0.5 : 0;
        perOf[i] += psi / 5;
        perOther[j] += psi / 4;
      }
    }
    double expected = Math.sqrt(variance(perOf) / 4 + variance(perOther) / 5);
    RankedScores.Area area = RankedScores.of(new double[][] {scores}, labels);
    assertEquals(expected, area.error(), 1e-15);
    assertEquals(Arrays.stream(perOf).average().orElseThrow(), area.auc(), 1e-15);
  }

  /** Of a sample. */
  private static double variance(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
  }

  @Test
  void classesThatAreFullyToldApartAreNotSureToBe() {
    Metric auc =
        of(
            Kind.AUC,
            classes(new double[] {-3, -2, -1, 1, 2, 3, 4}, new int[] {0, 0, 0, 1, 1, 1, 1}),
            PAY);
    assertEquals(1, auc.value());
    assertEquals(1, auc.high());
    assertEquals(Math.pow(0.025, 1 / 3.0), auc.low(), 1e-12);
  }

  @Test
  void oneClassAloneHasNoAuc() {
    Classification found = classes(new double[] {-3, 2}, new int[] {1, 1});
    assertTrue(Metrics.of(found, PAY).stream().noneMatch(each -> each.kind() == Kind.AUC));
    assertEquals(0.5, of(Kind.BALANCED_ACCURACY, found, PAY).value());
  }

  @Test
  void severalClassesByHand() {
    Classification found =
        new Classification(10, 1, List.of(List.of(3, 1, 0), List.of(0, 2, 1), List.of(1, 0, 2)));
    assertEquals(0.7, of(Kind.ACCURACY, found, PAY).value());
    assertEquals(0.4, of(Kind.LARGEST_CLASS, found, PAY).value());
    assertEquals(
        (3 / 4.0 + 2 / 3.0 + 2 / 3.0) / 3, of(Kind.BALANCED_ACCURACY, found, PAY).value(), 1e-15);
    double f1 = (2 * 3 / 8.0 + 2 * 2 / 6.0 + 2 * 2 / 6.0) / 3;
    Metric metric = of(Kind.F1, found, PAY);
    assertEquals(f1, metric.value(), 1e-15);
    assertTrue(metric.low() < f1 && f1 < metric.high(), metric.text());
  }

  @Test
  void severalClassesAreRankedEachAgainstTheRest() {
    double[][] outputs = {{2, 1, 0}, {0, 3, 1}, {1, 0, 2}, {2, 0, 1}, {0, 1, 1.5}, {0, 0.1, 0}};
    int[] labels = {0, 1, 2, 1, 2, 0};
    Loss loss = new Loss.SoftmaxCrossEntropy();
    ClassTally tally = new ClassTally(Scoring.CLASSES, loss, 3, 6);
    for (int i = 0; i < 6; i++) {
      tally.add(outputs[i], labels[i], 1);
    }
    double expected = 0;
    for (int k = 0; k < 3; k++) {
      double pairs = 0;
      double ordered = 0;
      for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
          if (labels[i] == k && labels[j] != k) {
            double a = loss.prediction(outputs[i])[k];
            double b = loss.prediction(outputs[j])[k];
            pairs++;
            ordered += a > b ? 1 : a == b ? 0.5 : 0;
          }
        }
      }
      expected += ordered / pairs / 3;
    }
    assertEquals(expected, of(Kind.AUC, tally.evaluation(6), PAY).value(), 1e-12);
  }

  @Test
  void calibrationByHand() {
    CalibrationCurve curve =
        CalibrationCurve.of(
            new double[] {0.05, 0.15, 0.19, 0.95, 1},
            new boolean[] {false, true, false, true, true});
    assertEquals(new Bin(1, 0.05, 0), curve.bins().get(0));
    assertEquals(2, curve.bins().get(1).rows());
    assertEquals(0.17, curve.bins().get(1).said(), 1e-15);
    assertEquals(0.5, curve.bins().get(1).was());
    assertEquals(new Bin(2, 0.975, 1), curve.bins().get(9));
    assertEquals((0.05 + 2 * 0.33 + 2 * 0.025) / 5, curve.error(), 1e-15);
  }

  @Test
  void errorsOfNumbersAreInTheLabelsUnit() {
    NumberTally tally = new NumberTally(1, 4);
    double[] said = {0.1, 0.5, 0.4, 0.9};
    double[] was = {0.2, 0.5, 0.1, 1};
    for (int i = 0; i < 4; i++) {
      tally.add(new double[] {said[i]}, new double[] {was[i]});
    }
    Evaluation found = tally.evaluation(2);
    double squared = (0.01 + 0 + 0.09 + 0.01) / 4;
    assertEquals(1000 * Math.sqrt(squared), of(Kind.RMSE, found, PAY).value(), 1e-9);
    assertEquals(1000 * 0.5 / 4, of(Kind.MAE, found, PAY).value(), 1e-9);
    double variance = (0.2 * 0.2 + 0.25 + 0.01 + 1) / 4 - 0.45 * 0.45;
    assertEquals(1 - squared / variance, of(Kind.R_SQUARED, found, PAY).value(), 1e-12);
    assertEquals("125 dollars", of(Kind.MAE, found, PAY).figure());
  }

  /** Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29. */
  @Test
  void sharesHaveWilsonsInterval() {
    double[][] known = {
      {81, 263, 0.2553, 0.3662},
      {15, 148, 0.0624, 0.1605},
      {0, 20, 0, 0.1611},
      {1, 29, 0.0061, 0.1718}
    };
    for (double[] each : known) {
      NoisyScore.Range range = Intervals.wilson(each[0] / each[1], each[1]);
      assertEquals(each[2], range.low(), 5e-5);
      assertEquals(each[3], range.high(), 5e-5);
    }
  }

  @Test
  void whatIsWrittenIsReadToTheBit() {
    Classification found = classes(new double[] {-2, -1, 1, -0.5, 9}, new int[] {0, 0, 1, 1, 1});
    NumberTally tally = new NumberTally(2, 3);
    for (int i = 0; i < 3; i++) {
      tally.add(new double[] {0.1 * i, 1 / 3.0}, new double[] {i * i, 0});
    }
    List<Evaluation> all =
        List.of(
            found,
            classes(new double[] {1}, new int[] {1}),
            tally.evaluation(0.3),
            new Classification(
                1,
                2,
                List.of(List.of(1)),
                Optional.of(
                    new ClassQuality(Double.NaN, 0, 1, Double.NaN, CalibrationCurve.NONE))));
    for (Evaluation each : all) {
      String json = JsonFields.write(each.fields());
      assertEquals(each, Evaluation.read(JsonFields.parse("evaluation", json)));
    }
  }
}
