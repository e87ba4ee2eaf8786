package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * How classes are held against one another: what a row of each counts in the loss, and from what
 * probability on the second of two is taken. Both are declared, or chosen on public rows.
 *
 * <p>Weights scale the gradient of an example before it is clipped, so a row moves a sum by no more
 * than the clipping threshold, whatever its class.
 *
 * <pre>{@code
 * ClassBalance rare = ClassBalance.EVEN.weighing(1, 4).takingAbove(0.3);
 * Network network = Network.builder().dense(2).loss(new Loss.SoftmaxCrossEntropy(rare)).build();
 * }</pre>
 *
 * @param weights of the classes in their order; empty where all count alike
 * @param threshold the second of two classes is taken where its probability is above this
 */
@PublicApi
public record ClassBalance(List<Double> weights, double threshold) implements Serializable {
  /** All classes alike: the most probable one is taken. */
  public static final ClassBalance EVEN = new ClassBalance(List.of(), 0.5);

  /** What weights may be, in words: beyond it gradients overflow, and rows would not count. */
  public static final String WEIGHTS = "in [1e-6, 1e6]";

  /** Refuses weights that are out of range and a threshold that takes one class always. */
  public ClassBalance {
    weights = List.copyOf(weights);
    for (double weight : weights) {
      Check.that(isWeight(weight), "weights", WEIGHTS, weight);
    }
    Check.that(threshold > 0 && threshold < 1, "threshold", "in (0, 1)", threshold);
  }

  /**
   * Whether a class may have a weight.
   *
   * @param weight of a class
   * @return whether it is in range
   */
  public static boolean isWeight(double weight) {
    return weight >= 1e-6 && weight <= 1e6;
  }

  /**
   * The same threshold with other weights.
   *
   * @param each one for each class, or none for all alike
   * @return another balance
   */
  public ClassBalance weighing(double... each) {
    return new ClassBalance(Arrays.stream(each).boxed().toList(), threshold);
  }

  /**
   * The same weights with another threshold.
   *
   * @param probability in (0, 1)
   * @return another balance
   */
  public ClassBalance takingAbove(double probability) {
    return new ClassBalance(weights, probability);
  }

  /**
   * The class that outputs stand for: of two, whose only output or difference of outputs is the
   * log-odds of the second, by the threshold; of more, that of the largest output.
   *
   * @param output what a network computed for one example
   * @return the index of the class
   */
  public int taken(double[] output) {
    if (output.length <= 2) {
      double odds = output.length == 1 ? output[0] : output[1] - output[0];
      return odds > leastLogOdds() ? 1 : 0;
    }
    int best = 0;
    for (int i = 1; i < output.length; i++) {
      best = output[i] > output[best] ? i : best;
    }
    return best;
  }

  /** {@return the log-odds that belong to the threshold} */
  public double leastLogOdds() {
    return Math.log(threshold / (1 - threshold));
  }

  /**
   * @param classes how many a network tells apart by probabilities that add up to 1
   */
  void check(int classes) {
    Check.that(
        weights.isEmpty() || weights.size() == classes,
        "weights",
        "one for each of " + classes + " classes",
        weights);
    Check.that(
        threshold == 0.5 || classes == 2, "threshold", "0.5 unless there are 2 classes", threshold);
  }

  /**
   * Weighs the loss of a row of one class.
   *
   * @param gradient is multiplied by the weight of the class
   * @return the loss times that weight
   */
  double weighed(int label, double loss, double[] gradient) {
    return weights.isEmpty() ? loss : scaled(weights.get(label), loss, gradient);
  }

  /**
   * Weighs the loss of a row that may be partly of the second of two classes.
   *
   * @param share of the second class in it, in [0, 1]
   */
  double weighed(double share, double loss, double[] gradient) {
    return weights.isEmpty()
        ? loss
        : scaled((1 - share) * weights.get(0) + share * weights.get(1), loss, gradient);
  }

  private static double scaled(double weight, double loss, double[] gradient) {
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] *= weight;
    }
    return weight * loss;
  }
}
