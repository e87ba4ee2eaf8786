package dev.discreet.core.nn;

/**
 * What is to be done with each kind of activation. No method has a default, so a new kind does not
 * compile until every visitor knows it.
 *
 * @param <R> what the visitor answers
 */
public interface ActivationVisitor<R> {

  /**
   * Answers for {@link Activation.Relu}.
   *
   * @param activation the activation that is visited
   * @return the answer
   */
  R relu(Activation.Relu activation);

  /**
   * Answers for {@link Activation.LeakyRelu}.
   *
   * @param activation the activation that is visited
   * @return the answer
   */
  R leakyRelu(Activation.LeakyRelu activation);

  /**
   * Answers for {@link Activation.Elu}.
   *
   * @param activation the activation that is visited
   * @return the answer
   */
  R elu(Activation.Elu activation);

  /**
   * Answers for {@link Activation.Gelu}.
   *
   * @param activation the activation that is visited
   * @return the answer
   */
  R gelu(Activation.Gelu activation);

  /**
   * Answers for {@link Activation.Tanh}.
   *
   * @param activation the activation that is visited
   * @return the answer
   */
  R tanh(Activation.Tanh activation);

  /**
   * Answers for {@link Activation.Sigmoid}.
   *
   * @param activation the activation that is visited
   * @return the answer
   */
  R sigmoid(Activation.Sigmoid activation);

  /**
   * Answers for {@link Activation.TemperedSigmoid}.
   *
   * @param activation the activation that is visited
   * @return the answer
   */
  R temperedSigmoid(Activation.TemperedSigmoid activation);
}
