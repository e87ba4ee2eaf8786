package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.Arrays;

/**
 * What a prediction is charged, and its gradient. A target is {@code targets} numbers; one number
 * beside several outputs is a class, 0 to outputs − 1.
 */
public sealed interface Loss {

  /**
   * The loss of one example.
   *
   * @param gradient receives the derivative by each output
   */
  double value(double[] output, double[] target, double[] gradient);

  /** Whether a target of so many numbers can be held against so many outputs. */
  default boolean takes(int targets, int outputs) {
    return targets == 1 || targets == outputs;
  }

  /** Whether this is a target for so many outputs: finite numbers, or one of the classes. */
  default boolean takes(double[] target, int outputs) {
    boolean numbers = target.length == outputs;
    for (double value : target) {
      numbers &= Double.isFinite(value);
    }
    return numbers || isLabel(target, outputs);
  }

  /** Cross-entropy of the softmax of the outputs; the target is a class. */
  record SoftmaxCrossEntropy() implements Loss {
    @Override
    public boolean takes(int targets, int outputs) {
      return targets == 1;
    }

    @Override
    public boolean takes(double[] target, int outputs) {
      return isLabel(target, outputs);
    }

    @Override
    public double value(double[] output, double[] target, double[] gradient) {
      double top = output[0];
      for (double z : output) {
        top = Math.max(top, z);
      }
      double sum = 0;
      for (int i = 0; i < output.length; i++) {
        gradient[i] = Math.exp(output[i] - top);
        sum += gradient[i];
      }
      for (int i = 0; i < output.length; i++) {
        gradient[i] /= sum;
      }
      int label = label(target, output.length);
      gradient[label] -= 1;
      return Math.log(sum) - (output[label] - top);
    }

    @Override
    public String toString() {
      return NetworkText.of(this);
    }
  }

  /** A sigmoid and its cross-entropy for each output by itself, summed. Targets in [0, 1]. */
  record Logistic() implements Loss {
    @Override
    public boolean takes(double[] target, int outputs) {
      return Loss.super.takes(target, outputs)
          && (target.length != outputs || Arrays.stream(target).allMatch(t -> t >= 0 && t <= 1));
    }

    @Override
    public double value(double[] output, double[] target, double[] gradient) {
      double loss = 0;
      for (int i = 0; i < output.length; i++) {
        double z = output[i];
        double t = targetOf(target, i, output.length);
        double small = Math.exp(-Math.abs(z));
        loss += Math.max(z, 0) - z * t + Math.log1p(small);
        gradient[i] = (z >= 0 ? 1 : small) / (1 + small) - t;
      }
      return loss;
    }

    @Override
    public String toString() {
      return NetworkText.of(this);
    }
  }

  /** ½‖output − target‖². */
  record SquaredError() implements Loss {
    @Override
    public double value(double[] output, double[] target, double[] gradient) {
      double loss = 0;
      for (int i = 0; i < output.length; i++) {
        double error = output[i] - targetOf(target, i, output.length);
        gradient[i] = error;
        loss += 0.5 * error * error;
      }
      return loss;
    }

    @Override
    public String toString() {
      return NetworkText.of(this);
    }
  }

  /** As squared error up to {@code threshold} from the target, linear beyond, summed. */
  record Huber(double threshold) implements Loss {
    public Huber {
      Check.positive(threshold, "threshold of huber");
    }

    @Override
    public double value(double[] output, double[] target, double[] gradient) {
      double loss = 0;
      for (int i = 0; i < output.length; i++) {
        double error = output[i] - targetOf(target, i, output.length);
        double size = Math.abs(error);
        // What is not a number is not larger, and its slope is none.
        gradient[i] = size > threshold ? Math.copySign(threshold, error) : error;
        loss += size <= threshold ? 0.5 * error * error : threshold * (size - 0.5 * threshold);
      }
      return loss;
    }

    @Override
    public String toString() {
      return NetworkText.of(this);
    }
  }

  private static double targetOf(double[] target, int i, int outputs) {
    return target.length == outputs ? target[i] : label(target, outputs) == i ? 1 : 0;
  }

  private static boolean isLabel(double[] target, int outputs) {
    double label = target[0];
    return target.length == 1 && label >= 0 && label < outputs && label == Math.rint(label);
  }

  private static int label(double[] target, int outputs) {
    Check.that(
        isLabel(target, outputs),
        "label",
        "a whole number in [0, " + (outputs - 1) + "]",
        target[0]);
    return (int) target[0];
  }
}
