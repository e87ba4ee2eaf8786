package dev.discreet.core.nn;

/**
 * What is to be done with each kind of activation. No method has a default, so a new kind does not
 * compile until every visitor knows it.
 *
 * @param <R> what the visitor answers
 */
public interface ActivationVisitor<R> {

  /**
   * @param activation to be visited
   * @return the answer for it
   */
  R relu(Activation.Relu activation);

  /**
   * @param activation to be visited
   * @return the answer for it
   */
  R leakyRelu(Activation.LeakyRelu activation);

  /**
   * @param activation to be visited
   * @return the answer for it
   */
  R elu(Activation.Elu activation);

  /**
   * @param activation to be visited
   * @return the answer for it
   */
  R gelu(Activation.Gelu activation);

  /**
   * @param activation to be visited
   * @return the answer for it
   */
  R tanh(Activation.Tanh activation);

  /**
   * @param activation to be visited
   * @return the answer for it
   */
  R sigmoid(Activation.Sigmoid activation);

  /**
   * @param activation to be visited
   * @return the answer for it
   */
  R temperedSigmoid(Activation.TemperedSigmoid activation);
}
