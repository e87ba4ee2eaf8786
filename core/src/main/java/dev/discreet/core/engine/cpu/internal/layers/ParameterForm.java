package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.nn.Activation;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.LayerVisitor;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Scattering;

/** How this engine holds the parameters of a kind of layer, and what it does with them. */
public enum ParameterForm {
  /** The layer has no parameters of its own. */
  NONE,
  /** A matrix, applied once. One example's gradient is never written out. */
  DENSE,
  /** Windows of weights, applied at every position. One example's gradient is written out. */
  CONVOLUTION,
  /** A factor and a summand for each channel. One example's gradient is written out. */
  SCALE_AND_SHIFT,
  /** A summand for each value. One example's gradient is written out. */
  SHIFT,
  /** Rows that tokens choose from. One example's gradient is never written out. */
  TABLE;

  private static final LayerVisitor<ParameterForm> OF =
      new LayerVisitor<>() {
        @Override
        public ParameterForm dense(Layer.Dense layer) {
          return DENSE;
        }

        @Override
        public ParameterForm conv(Layer.Conv layer) {
          return CONVOLUTION;
        }

        @Override
        public ParameterForm maxPool(Layer.MaxPool layer) {
          return NONE;
        }

        @Override
        public ParameterForm averagePool(Layer.AveragePool layer) {
          return NONE;
        }

        @Override
        public ParameterForm globalAveragePool(Layer.GlobalAveragePool layer) {
          return NONE;
        }

        @Override
        public ParameterForm activation(Activation layer) {
          return NONE;
        }

        @Override
        public ParameterForm flatten(Layer.Flatten layer) {
          return NONE;
        }

        @Override
        public ParameterForm dropout(Layer.Dropout layer) {
          return NONE;
        }

        @Override
        public ParameterForm groupNorm(Layer.GroupNorm layer) {
          return SCALE_AND_SHIFT;
        }

        @Override
        public ParameterForm layerNorm(Layer.LayerNorm layer) {
          return SCALE_AND_SHIFT;
        }

        @Override
        public ParameterForm shift(Layer.Shift layer) {
          return SHIFT;
        }

        @Override
        public ParameterForm embedding(Layer.Embedding layer) {
          return TABLE;
        }

        @Override
        public ParameterForm scattering(Scattering layer) {
          return NONE;
        }

        @Override
        public ParameterForm residual(Layer.Residual layer) {
          return NONE;
        }
      };

  public static ParameterForm of(Node node) {
    return node.layer().accept(OF);
  }

  /** Whether one example's gradient is never written out, so that decay is added apart from it. */
  public boolean isSummedDirectly() {
    return switch (this) {
      case DENSE, TABLE -> true;
      case NONE, CONVOLUTION, SCALE_AND_SHIFT, SHIFT -> false;
    };
  }

  /** Multiply-adds of one example's forward pass through a layer of this form. */
  public double products(Node node) {
    return switch (this) {
      case NONE, SHIFT -> 0;
      case CONVOLUTION -> (double) node.slices().get(0).size() * node.output().positions();
      case DENSE, SCALE_AND_SHIFT, TABLE -> node.slices().get(0).size();
    };
  }

  /** Floats of parameters that one example's way through a layer of this form touches. */
  public int touched(Node node) {
    return switch (this) {
      // A tile shares one reading of a matrix.
      case NONE, DENSE -> 0;
      case CONVOLUTION, SCALE_AND_SHIFT, SHIFT, TABLE ->
          node.slices().stream().mapToInt(slice -> slice.size()).sum();
    };
  }

  /**
   * The parameters as kernels read them; null where they are read as they lie in the vector.
   *
   * @param inputGradient whether a gradient by the layer's input will be asked for
   */
  LayerWeights weights(Node node, int lanes, boolean inputGradient) {
    return switch (this) {
      case DENSE -> new DenseWeights(node, lanes, inputGradient);
      case CONVOLUTION -> new ConvWeights(node, lanes, inputGradient);
      case NONE, SCALE_AND_SHIFT, SHIFT, TABLE -> null;
    };
  }
}
