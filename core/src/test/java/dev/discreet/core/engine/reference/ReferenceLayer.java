package dev.discreet.core.engine.reference;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.LayerVisitor;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Scattering;

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
    return node.layer().accept(new Of(node));
  }

  /** The reference of each kind of layer. */
  record Of(Node node) implements LayerVisitor<ReferenceLayer> {
    @Override
    public ReferenceLayer dense(Layer.Dense layer) {
      return new DenseLayer(node);
    }

    @Override
    public ReferenceLayer conv(Layer.Conv layer) {
      return new ConvLayer(node);
    }

    @Override
    public ReferenceLayer maxPool(Layer.MaxPool layer) {
      return new MaxPoolLayer(node, layer.window());
    }

    @Override
    public ReferenceLayer averagePool(Layer.AveragePool layer) {
      return new AveragePoolLayer(node, layer.window());
    }

    @Override
    public ReferenceLayer globalAveragePool(Layer.GlobalAveragePool layer) {
      return new GlobalAveragePoolLayer(node);
    }

    @Override
    public ReferenceLayer activation(Activation layer) {
      return ActivationLayer.of(layer);
    }

    @Override
    public ReferenceLayer flatten(Layer.Flatten layer) {
      return new FlattenLayer();
    }

    @Override
    public ReferenceLayer dropout(Layer.Dropout layer) {
      return new DropoutLayer(node);
    }

    @Override
    public ReferenceLayer groupNorm(Layer.GroupNorm layer) {
      return NormLayer.group(node, layer.groups());
    }

    @Override
    public ReferenceLayer layerNorm(Layer.LayerNorm layer) {
      return NormLayer.position(node);
    }

    @Override
    public ReferenceLayer shift(Layer.Shift layer) {
      return new ShiftLayer(node);
    }

    @Override
    public ReferenceLayer embedding(Layer.Embedding layer) {
      return new EmbeddingLayer(node);
    }

    @Override
    public ReferenceLayer scattering(Scattering layer) {
      return new ScatteringLayer(node, layer);
    }

    @Override
    public ReferenceLayer residual(Layer.Residual layer) {
      return new ResidualLayer(node);
    }
  }
}
