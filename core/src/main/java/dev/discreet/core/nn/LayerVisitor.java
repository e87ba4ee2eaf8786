package dev.discreet.core.nn;

/**
 * What is to be done with each kind of layer. No method has a default, so a new kind does not
 * compile until every visitor knows it. Activations come in by one method; where they differ, an
 * {@link ActivationVisitor} tells them apart.
 *
 * @param <R> what the visitor answers
 */
public interface LayerVisitor<R> {

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R dense(Layer.Dense layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R conv(Layer.Conv layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R maxPool(Layer.MaxPool layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R averagePool(Layer.AveragePool layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R globalAveragePool(Layer.GlobalAveragePool layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R activation(Activation layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R flatten(Layer.Flatten layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R dropout(Layer.Dropout layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R groupNorm(Layer.GroupNorm layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R layerNorm(Layer.LayerNorm layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R embedding(Layer.Embedding layer);

  /**
   * @param layer to be visited
   * @return the answer for it
   */
  R residual(Layer.Residual layer);
}
