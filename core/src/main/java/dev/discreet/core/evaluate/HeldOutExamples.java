package dev.discreet.core.evaluate;

import dev.discreet.core.privacy.Units;
import java.util.Arrays;

/** What each held-out example adds, until the examples of a unit are put together. */
final class HeldOutExamples {
  private final HeldOutParts parts;
  private final double[][] score;
  private final double[] absolute;
  private final int[] cell;
  private final int[] bin;
  private final double[] said;

  HeldOutExamples(HeldOutParts parts, int size) {
    this.parts = parts;
    score = new double[parts.score()][size];
    absolute = new double[parts.hasAbsolute() ? size : 0];
    cell = new int[parts.hasConfusion() ? size : 0];
    bin = new int[parts.hasBins() ? size : 0];
    said = new double[parts.hasBins() ? size : 0];
  }

  /** An example that is none: it adds nothing. */
  void refuse(int example) {
    score[0][example] = Double.NaN;
  }

  void add(int example, double[] output, double[] target) {
    double right = parts.how().score(parts.loss(), output, target);
    score[0][example] = right;
    if (Double.isNaN(right)) {
      return;
    }
    if (parts.number()) {
      double middle = Scoring.within(target[0]) - 0.5;
      score[1][example] = middle;
      score[2][example] = middle * middle;
    }
    if (parts.hasAbsolute()) {
      absolute[example] = 1 - Math.abs(Scoring.within(output[0]) - Scoring.within(target[0]));
    }
    if (parts.classes() == 0) {
      return;
    }
    int label = parts.how().label(target);
    int found = parts.loss().balance().taken(output);
    if (parts.hasConfusion()) {
      cell[example] = label * parts.classes() + found;
    }
    if (parts.hasBins()) {
      int of = parts.classes() == 2 ? 1 : found;
      double probability = parts.loss().prediction(output)[of];
      int at = CalibrationCurve.bin(probability);
      bin[example] = 2 * at + (label == of ? 0 : 1);
      double away = (probability - CalibrationCurve.middle(at)) * 2 * CalibrationCurve.BINS;
      // What is not a number says nothing of its bin.
      said[example] = away >= -1 && away <= 1 ? away : 0;
    }
  }

  long refused() {
    return Arrays.stream(score[0]).filter(Double::isNaN).count();
  }

  /** Over units, each with the mean of its examples, as whole numbers of {@code one} each. */
  long[] sums(Units units, long one) {
    long[] sums = new long[parts.size()];
    double[] adds = new double[parts.size()];
    for (int unit = 0; unit < units.count(); unit++) {
      int size = units.size(unit);
      Arrays.fill(adds, 0);
      for (int i = 0; i < size; i++) {
        int example = units.example(unit, i);
        if (!Double.isNaN(score[0][example])) {
          add(example, adds);
        }
      }
      for (int part = 0; part < adds.length && size > 0; part++) {
        double mean = one * adds[part] / size;
        // A score stays in its bounds when it is rounded; of a vector no part may grow.
        sums[part] += part < parts.score() ? Math.round(mean) : (long) mean;
      }
    }
    return sums;
  }

  private void add(int example, double[] to) {
    for (int part = 0; part < score.length; part++) {
      to[part] += score[part][example];
    }
    if (parts.hasConfusion()) {
      to[parts.confusionAt() + cell[example]] += HeldOutParts.CONFUSION;
    }
    if (parts.hasBins()) {
      to[parts.binsAt() + bin[example]] += HeldOutParts.BINS;
      to[parts.saidAt() + bin[example] / 2] += HeldOutParts.SAID * said[example];
    }
    if (parts.hasAbsolute()) {
      to[parts.absoluteAt()] += HeldOutParts.ABSOLUTE * absolute[example];
    }
  }
}
