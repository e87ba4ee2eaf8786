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
   * Answers for {@link Layer.Dense}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R dense(Layer.Dense layer);

  /**
   * Answers for {@link Layer.Conv}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R conv(Layer.Conv layer);

  /**
   * Answers for {@link Layer.MaxPool}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R maxPool(Layer.MaxPool layer);

  /**
   * Answers for {@link Layer.AveragePool}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R averagePool(Layer.AveragePool layer);

  /**
   * Answers for {@link Layer.GlobalAveragePool}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R globalAveragePool(Layer.GlobalAveragePool layer);

  /**
   * Answers for {@link Activation}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R activation(Activation layer);

  /**
   * Answers for {@link Layer.Flatten}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R flatten(Layer.Flatten layer);

  /**
   * Answers for {@link Layer.Dropout}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R dropout(Layer.Dropout layer);

  /**
   * Answers for {@link Layer.GroupNorm}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R groupNorm(Layer.GroupNorm layer);

  /**
   * Answers for {@link Layer.LayerNorm}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R layerNorm(Layer.LayerNorm layer);

  /**
   * Answers for {@link Layer.Shift}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R shift(Layer.Shift layer);

  /**
   * Answers for {@link Layer.Embedding}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R embedding(Layer.Embedding layer);

  /**
   * Answers for {@link Layer.Residual}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R residual(Layer.Residual layer);

  /**
   * Answers for {@link Scattering}.
   *
   * @param layer the layer that is visited
   * @return the answer
   */
  R scattering(Scattering layer);
}
