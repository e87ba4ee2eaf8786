package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What a prediction is charged, and its gradient. A target is one or more numbers; one number
 * beside several outputs is a class, 0 to outputs − 1.
 *
 * <pre>{@code
 * Network regression = Network.builder().dense(1).loss(new Loss.SquaredError()).build();
 * }</pre>
 */
@PublicApi
public sealed interface Loss extends Serializable {

  /**
   * The loss of one example.
   *
   * @param output what the network computed for it
   * @param target what it should have computed, or the class
   * @param gradient receives the derivative by each output
   * @return the loss
   */
  double value(double[] output, double[] target, double[] gradient);

  /**
   * Whether a target of so many numbers can be held against so many outputs.
   *
   * @param targets how many numbers a target has
   * @param outputs how many outputs the network has
   * @return whether the two go together
   */
  boolean takes(int targets, int outputs);

  /**
   * Whether this is a target for so many outputs: finite numbers, or one of the classes.
   *
   * @param target the numbers of one example's target
   * @param outputs how many outputs the network has
   * @return whether {@link #value} can be asked about it
   */
  boolean takes(double[] target, int outputs);

  /**
   * What a trained network's outputs say: a probability for each class where this loss is one of
   * probabilities, and else the outputs themselves.
   *
   * @param output what the network computed for one example
   * @return one number for each class or each predicted number, in a new array
   */
  double[] prediction(double[] output);

  /**
   * By what function {@link #prediction} comes of the outputs, for programs that compute it
   * elsewhere.
   *
   * @return the function
   */
  Link link();

  /**
   * How classes are held against one another.
   *
   * @return {@link ClassBalance#EVEN} where numbers are predicted
   */
  ClassBalance balance();

  /**
   * The same loss with classes held against one another in another way.
   *
   * @param balance weights and threshold; refused where numbers are predicted
   * @return another loss
   */
  Loss with(ClassBalance balance);

  /**
   * Refuses a network with so many outputs that this loss does not fit.
   *
   * @param outputs how many outputs the network has
   */
  void check(int outputs);

  /** A function from a network's outputs to what they say. */
  enum Link {
    /** Shares of e to the power of each output. */
    SOFTMAX,
    /** 1 / (1 + e^(−output)); of a single output, the probability of the second of two classes. */
    LOGISTIC,
    /** The outputs themselves. */
    IDENTITY
  }

  /**
   * Cross-entropy of the softmax of the outputs; the target is a class.
   *
   * @param balance how classes are held against one another
   */
  record SoftmaxCrossEntropy(ClassBalance balance) implements Loss {
    /** All classes alike. */
    public SoftmaxCrossEntropy() {
      this(ClassBalance.EVEN);
    }

    @Override
    public Loss with(ClassBalance other) {
      return new SoftmaxCrossEntropy(other);
    }

    @Override
    public void check(int outputs) {
      balance.check(outputs);
    }

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
      double top = largest(output);
      double sum = softmax(output, top, gradient);
      int label = label(target, output.length);
      gradient[label] -= 1;
      return balance.weighed(label, Math.log(sum) - (output[label] - top), gradient);
    }

    @Override
    public double[] prediction(double[] output) {
      double[] shares = new double[output.length];
      softmax(output, largest(output), shares);
      return shares;
    }

    private static double largest(double[] output) {
      double top = output[0];
      for (double z : output) {
        top = Math.max(top, z);
      }
      return top;
    }

    /** Fills {@code shares} with the softmax; the answer is Σ e^(output − top). */
    private static double softmax(double[] output, double top, double[] shares) {
      double sum = 0;
      for (int i = 0; i < output.length; i++) {
        shares[i] = Math.exp(output[i] - top);
        sum += shares[i];
      }
      for (int i = 0; i < output.length; i++) {
        shares[i] /= sum;
      }
      return sum;
    }

    @Override
    public Link link() {
      return Link.SOFTMAX;
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * A sigmoid and its cross-entropy for each output by itself, summed. Targets in [0, 1].
   *
   * @param balance how classes are held against one another; a threshold is for one output
   */
  record Logistic(ClassBalance balance) implements Loss {
    /** All classes alike. */
    public Logistic() {
      this(ClassBalance.EVEN);
    }

    @Override
    public Loss with(ClassBalance other) {
      return new Logistic(other);
    }

    @Override
    public void check(int outputs) {
      balance.check(outputs == 1 ? 2 : outputs);
      Check.that(
          outputs == 1 || balance.threshold() == 0.5,
          "threshold of a logistic loss",
          "0.5 unless the network has one output",
          balance.threshold());
    }

    @Override
    public boolean takes(int targets, int outputs) {
      return targets == 1 || targets == outputs && balance.weights().isEmpty();
    }

    @Override
    public boolean takes(double[] target, int outputs) {
      return isNumbersOrLabel(target, outputs)
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
      return output.length == 1
          ? balance.weighed(target[0], loss, gradient)
          : target.length == 1
              ? balance.weighed(label(target, output.length), loss, gradient)
              : loss;
    }

    /** The one output of two classes gives the probabilities of both. */
    @Override
    public double[] prediction(double[] output) {
      double[] shares = Arrays.stream(output).map(z -> 1 / (1 + Math.exp(-z))).toArray();
      return shares.length == 1 ? new double[] {1 - shares[0], shares[0]} : shares;
    }

    @Override
    public Link link() {
      return Link.LOGISTIC;
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /** ½‖output − target‖². */
  record SquaredError() implements Loss {
    @Override
    public ClassBalance balance() {
      return ClassBalance.EVEN;
    }

    @Override
    public Loss with(ClassBalance balance) {
      return ofNumbers(this, balance);
    }

    @Override
    public void check(int outputs) {}

    @Override
    public boolean takes(int targets, int outputs) {
      return targets == 1 || targets == outputs;
    }

    @Override
    public boolean takes(double[] target, int outputs) {
      return isNumbersOrLabel(target, outputs);
    }

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
    public double[] prediction(double[] output) {
      return output.clone();
    }

    @Override
    public Link link() {
      return Link.IDENTITY;
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * As squared error up to {@code threshold} from the target, linear beyond, summed.
   *
   * @param threshold how far from the target the loss becomes linear
   */
  record Huber(double threshold) implements Loss {
    /** Refuses a threshold that is not greater than 0. */
    public Huber {
      Check.positive(threshold, "threshold of huber");
    }

    @Override
    public ClassBalance balance() {
      return ClassBalance.EVEN;
    }

    @Override
    public Loss with(ClassBalance balance) {
      return ofNumbers(this, balance);
    }

    @Override
    public void check(int outputs) {}

    @Override
    public boolean takes(int targets, int outputs) {
      return targets == 1 || targets == outputs;
    }

    @Override
    public boolean takes(double[] target, int outputs) {
      return isNumbersOrLabel(target, outputs);
    }

    @Override
    public double value(double[] output, double[] target, double[] gradient) {
      double loss = 0;
      for (int i = 0; i < output.length; i++) {
        double error = output[i] - targetOf(target, i, output.length);
        double size = Math.abs(error);
        // An error that is not a number is not above the threshold, so its slope is not a number.
        gradient[i] = size > threshold ? Math.copySign(threshold, error) : error;
        loss += size <= threshold ? 0.5 * error * error : threshold * (size - 0.5 * threshold);
      }
      return loss;
    }

    @Override
    public double[] prediction(double[] output) {
      return output.clone();
    }

    @Override
    public Link link() {
      return Link.IDENTITY;
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  private static Loss ofNumbers(Loss loss, ClassBalance balance) {
    Check.that(
        balance.equals(ClassBalance.EVEN),
        "loss with weights or a threshold of classes",
        "softmax or logistic",
        loss);
    return loss;
  }

  private static double targetOf(double[] target, int i, int outputs) {
    return target.length == outputs ? target[i] : label(target, outputs) == i ? 1 : 0;
  }

  /** As many finite numbers as there are outputs, or one of the classes. */
  private static boolean isNumbersOrLabel(double[] target, int outputs) {
    boolean numbers = target.length == outputs;
    for (double value : target) {
      numbers &= Double.isFinite(value);
    }
    return numbers || isLabel(target, outputs);
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
