package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout.Node;

/** One layer on one example. Nothing is remembered between forward and backward. */
interface ReferenceLayer {

  double[] forward(Point at, double[] x);

  /**
   * @param x what went in
   * @param dy the derivative of the loss by what came out
   * @param gradient has the derivative by the layer's parameters added to it, at their places
   * @return the derivative by what went in
   */
  double[] backward(Point at, double[] x, double[] dy, double[] gradient);

  /**
   * Forward mode: how what comes out moves.
   *
   * @param x what went in
   * @param v how the parameters move, in their places
   * @param dx how what went in moves
   */
  double[] tangent(Point at, double[] x, double[] v, double[] dx);

  static ReferenceLayer of(Node node) {
    Layer layer = node.layer();
    if (layer instanceof Layer.Dense) {
      return new DenseLayer(node);
    } else if (layer instanceof Layer.Conv) {
      return new ConvLayer(node);
    } else if (layer instanceof Layer.MaxPool pool) {
      return new MaxPoolLayer(node, pool.window());
    } else if (layer instanceof Layer.AveragePool pool) {
      return new AveragePoolLayer(node, pool.window());
    } else if (layer instanceof Layer.GlobalAveragePool) {
      return new GlobalAveragePoolLayer(node);
    } else if (layer instanceof Layer.Activation activation) {
      return new ActivationLayer(activation);
    } else if (layer instanceof Layer.Flatten) {
      return new FlattenLayer();
    } else if (layer instanceof Layer.Dropout) {
      return new DropoutLayer(node);
    } else if (layer instanceof Layer.GroupNorm norm) {
      return NormLayer.group(node, norm.groups());
    } else if (layer instanceof Layer.LayerNorm) {
      return NormLayer.position(node);
    } else if (layer instanceof Layer.Embedding) {
      return new EmbeddingLayer(node);
    } else if (layer instanceof Layer.Residual) {
      return new ResidualLayer(node);
    }
    throw new IllegalStateException("no reference for " + layer);
  }
}
