package dev.discreet.core.nn;

import dev.discreet.accounting.Digits;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes layers, losses and networks in the one-line text form that {@link NetworkParser} reads.
 * What has its default is left out, so a network has one text only.
 */
final class NetworkText {
  private NetworkText() {}

  static String of(Network network) {
    String layers = of(network.layers());
    return network.loss() instanceof Loss.SoftmaxCrossEntropy
        ? layers
        : layers + " loss=" + network.loss();
  }

  static String of(Loss loss) {
    if (loss instanceof Loss.SoftmaxCrossEntropy) {
      return "softmax";
    } else if (loss instanceof Loss.Logistic) {
      return "logistic";
    } else if (loss instanceof Loss.SquaredError) {
      return "squared";
    } else if (loss instanceof Loss.Huber huber) {
      return "huber(" + number(huber.threshold()) + ")";
    }
    throw new IllegalStateException("no text for a " + loss.getClass().getSimpleName());
  }

  static String of(Layer layer) {
    if (layer instanceof Layer.Dense dense) {
      return "dense(" + dense.outputs() + (dense.bias() ? "" : ",bias=false") + ")";
    } else if (layer instanceof Layer.Conv conv) {
      return of(conv);
    } else if (layer instanceof Layer.MaxPool pool) {
      return pool("maxpool", pool.window());
    } else if (layer instanceof Layer.AveragePool pool) {
      return pool("avgpool", pool.window());
    } else if (layer instanceof Layer.GlobalAveragePool) {
      return "globalavgpool";
    } else if (layer instanceof Layer.Activation activation) {
      return of(activation);
    } else if (layer instanceof Layer.Flatten) {
      return "flatten";
    } else if (layer instanceof Layer.Dropout dropout) {
      return "dropout(" + number(dropout.rate()) + ")";
    } else if (layer instanceof Layer.GroupNorm norm) {
      return "groupnorm(" + norm.groups() + ")";
    } else if (layer instanceof Layer.LayerNorm) {
      return "layernorm";
    } else if (layer instanceof Layer.Embedding embedding) {
      return "embedding(" + embedding.vocabulary() + "," + embedding.size() + ")";
    } else if (layer instanceof Layer.Residual residual) {
      return (residual.projected() ? "projected(" : "residual(") + of(residual.body()) + ")";
    }
    throw new IllegalStateException("no text for a " + layer.getClass().getSimpleName());
  }

  private static String of(Layer.Activation activation) {
    if (activation instanceof Layer.Relu) {
      return "relu";
    } else if (activation instanceof Layer.LeakyRelu leaky) {
      return "leakyrelu(" + number(leaky.slope()) + ")";
    } else if (activation instanceof Layer.Elu elu) {
      return "elu(" + number(elu.alpha()) + ")";
    } else if (activation instanceof Layer.Gelu) {
      return "gelu";
    } else if (activation instanceof Layer.Tanh) {
      return "tanh";
    } else if (activation instanceof Layer.Sigmoid) {
      return "sigmoid";
    } else if (activation instanceof Layer.TemperedSigmoid tempered) {
      return "temperedsigmoid("
          + number(tempered.scale())
          + ","
          + number(tempered.temperature())
          + ","
          + number(tempered.offset())
          + ")";
    }
    throw new IllegalStateException("no text for a " + activation.getClass().getSimpleName());
  }

  private static String of(Layer.Conv conv) {
    Window window = conv.window();
    return "conv("
        + conv.outputs()
        + ","
        + pair(window.height(), window.width())
        + option("stride", window.strideY(), window.strideX(), 1, 1)
        + option("pad", window.padY(), window.padX(), 0, 0)
        + (conv.groups() == 1 ? "" : ",groups=" + conv.groups())
        + (conv.bias() ? "" : ",bias=false")
        + (conv.standardised() ? ",standardised=true" : "")
        + ")";
  }

  private static String pool(String name, Window window) {
    return name
        + "("
        + pair(window.height(), window.width())
        + option("stride", window.strideY(), window.strideX(), window.height(), window.width())
        + option("pad", window.padY(), window.padX(), 0, 0)
        + ")";
  }

  private static String of(List<Layer> layers) {
    return layers.stream().map(NetworkText::of).collect(Collectors.joining(" "));
  }

  private static String option(String name, int y, int x, int usualY, int usualX) {
    return y == usualY && x == usualX ? "" : "," + name + "=" + pair(y, x);
  }

  private static String pair(int y, int x) {
    return y == x ? Integer.toString(y) : y + "x" + x;
  }

  /** The shortest text that reads back as the same number: 1 rather than 1.0. */
  private static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    boolean negativeZero = value == 0 && 1 / value < 0;
    return whole && !negativeZero ? Long.toString((long) value) : Digits.shortest(value);
  }
}
