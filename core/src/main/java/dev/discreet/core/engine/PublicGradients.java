package dev.discreet.core.engine;

/**
 * Gradients and predictions of examples that need no protection: public data, or a run that is
 * non-private by name. Nothing here is clipped, noised or accounted, and dropout is off: a mask
 * belongs to a release, and here is none.
 */
public interface PublicGradients extends AutoCloseable {

  /** The sum of the gradients of the given examples, in order of the parameter vector. */
  void gradientSum(float[] parameters, int[] examples, double[] sum);

  /**
   * The sum over the given examples of the mean gradient of each one's views, where the engine was
   * opened with an {@link Augmentation}; else as without choices.
   *
   * @param choices for each of the examples, what its views are drawn by
   */
  default void gradientSum(float[] parameters, int[] examples, long[] choices, double[] sum) {
    gradientSum(parameters, examples, sum);
  }

  /** One gradient a row, in order of the parameter vector. */
  float[][] perExampleGradients(float[] parameters, int[] examples);

  /**
   * For each example ⟨gradient, direction⟩, by one pass of forward mode: a Jacobian–vector product
   * of the loss, without any gradient.
   */
  double[] directionalDerivatives(float[] parameters, int[] examples, float[] direction);

  /** The outputs of the given examples, one after another. */
  float[] predict(float[] parameters, int[] examples);

  /** The mean loss of the given examples. */
  double loss(float[] parameters, int[] examples);

  /**
   * From now on says how long the parts of a gradient sum took. An engine that does not know them
   * says nothing.
   */
  default void timedBy(StepClock clock) {}

  @Override
  void close();
}
