package dev.discreet.core.evaluate;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;

/** What a network's outputs say, and how right that is. */
public enum Scoring {
  /** One output with the logistic loss: the second class where it is above 0. */
  TWO_CLASSES,
  /** Several outputs beside a class as target: the class of the largest. */
  CLASSES,
  /** All else: the outputs are numbers to be near. */
  NUMBERS;

  public static Scoring of(Layout layout, int targets) {
    int outputs = layout.outputs();
    if (outputs == 1 && targets == 1 && layout.network().loss() instanceof Loss.Logistic) {
      return TWO_CLASSES;
    }
    return outputs > 1 && targets == 1 ? CLASSES : NUMBERS;
  }

  /** How many classes so many outputs tell apart. */
  int classes(int outputs) {
    return this == TWO_CLASSES ? 2 : outputs;
  }

  /** Whether outputs stand for probabilities that add up to 1. */
  public static boolean saysProbabilities(Loss loss, int outputs) {
    return loss.link() == Loss.Link.SOFTMAX || loss.link() == Loss.Link.LOGISTIC && outputs == 1;
  }

  /** The class that a target is. */
  int label(double[] target) {
    return this == TWO_CLASSES ? target[0] > 0.5 ? 1 : 0 : (int) target[0];
  }

  /**
   * How right one example is, in [0, 1] whatever the numbers are: of classes 1 for the right one,
   * of numbers 1 − the mean squared error after output and target were moved into [0, 1]. NaN for a
   * target that is none or an output that is not a number.
   */
  double score(Loss loss, double[] output, double[] target) {
    for (double each : output) {
      if (Double.isNaN(each)) {
        return Double.NaN;
      }
    }
    double label = target[0];
    return switch (this) {
      case TWO_CLASSES ->
          label >= 0 && label <= 1
              ? right(loss.balance().taken(output) == (label > 0.5 ? 1 : 0))
              : Double.NaN;
      case CLASSES ->
          label >= 0 && label < output.length && label == Math.rint(label)
              ? right(loss.balance().taken(output) == (int) label)
              : Double.NaN;
      case NUMBERS -> closeness(output, target);
    };
  }

  private static double right(boolean found) {
    return found ? 1 : 0;
  }

  private static double closeness(double[] output, double[] target) {
    if (output.length != target.length) {
      return Double.NaN;
    }
    double sum = 0;
    for (int i = 0; i < output.length; i++) {
      double error = within(output[i]) - within(target[i]);
      sum += 1 - error * error;
    }
    return sum / output.length;
  }

  /** In [0, 1]; what is not a number stays so. */
  static double within(double value) {
    return Math.max(0, Math.min(1, value));
  }
}
