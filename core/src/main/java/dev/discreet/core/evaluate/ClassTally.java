package dev.discreet.core.evaluate;

import dev.discreet.core.nn.Loss;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Counts how rows of classes were told apart, row after row. */
final class ClassTally {
  /** More scores than these are not kept to be ranked. */
  private static final long MOST_SCORES = 1 << 24;

  private final Scoring how;
  private final Loss loss;
  private final int[][] confusion;
  private final int[] labels;
  // By class and row; of two classes those of the second. Null where they are too many.
  private final double[][] scores;
  private final boolean probabilities;
  private final long[] binRows = new long[CalibrationCurve.BINS];
  private final double[] binSaid = new double[CalibrationCurve.BINS];
  private final long[] binWas = new long[CalibrationCurve.BINS];
  private final Variance losses = new Variance(1);
  private int rows;

  ClassTally(Scoring how, Loss loss, int outputs, int size) {
    this.how = how;
    this.loss = loss;
    int classes = how.classes(outputs);
    int ranked = classes == 2 ? 1 : classes;
    confusion = new int[classes][classes];
    labels = new int[size];
    scores = (long) ranked * size > MOST_SCORES ? null : new double[ranked][size];
    probabilities = Scoring.saysProbabilities(loss, outputs);
  }

  /**
   * @param output what the network computed
   * @param label the class
   * @param value the loss of this row
   */
  void add(double[] output, int label, double value) {
    int found = loss.balance().taken(output);
    confusion[label][found]++;
    double[] said = loss.prediction(output);
    boolean two = confusion.length == 2;
    if (scores != null) {
      if (two) {
        // The outputs, of which probabilities near 0 and 1 would tell fewer apart.
        scores[0][rows] = output.length == 1 ? output[0] : output[1] - output[0];
        labels[rows] = label == 1 ? 0 : -1;
      } else {
        for (int k = 0; k < said.length; k++) {
          scores[k][rows] = said[k];
        }
        labels[rows] = label;
      }
    }
    if (probabilities) {
      double probability = said[two ? 1 : found];
      int bin = CalibrationCurve.bin(probability);
      binRows[bin]++;
      binSaid[bin] += probability;
      binWas[bin] += label == (two ? 1 : found) ? 1 : 0;
      losses.add(value);
    }
    rows++;
  }

  Evaluation.Classification evaluation(double loss) {
    RankedScores.Area area =
        scores == null ? RankedScores.Area.NONE : RankedScores.of(scores, labels);
    return new Evaluation.Classification(
        rows,
        loss / rows,
        counts(),
        Optional.of(
            new ClassQuality(
                area.auc(),
                area.error(),
                probabilities ? loss / rows : Double.NaN,
                probabilities ? Math.sqrt(losses.value() / rows) : Double.NaN,
                probabilities
                    ? CalibrationCurve.of(binRows, binSaid, binWas)
                    : CalibrationCurve.NONE)));
  }

  private List<List<Integer>> counts() {
    return Arrays.stream(confusion).map(row -> Arrays.stream(row).boxed().toList()).toList();
  }
}
