package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the one-line text form: layers apart by spaces, their numbers in parentheses, options by
 * name, and last the loss if it is not softmax. Every error names its position, counted from 1.
 */
final class NetworkParser {
  static final List<String> LAYERS =
      List.of(
          "avgpool",
          "conv",
          "dense",
          "dropout",
          "elu",
          "embedding",
          "flatten",
          "gelu",
          "globalavgpool",
          "groupnorm",
          "layernorm",
          "leakyrelu",
          "maxpool",
          "projected",
          "relu",
          "residual",
          "sigmoid",
          "tanh",
          "temperedsigmoid");
  private static final List<String> LOSSES = List.of("softmax", "logistic", "squared", "huber");

  private final String text;
  private int at;
  private int depth;

  NetworkParser(String text) {
    this.text = text;
  }

  Network network() {
    List<Layer> layers = layers();
    Check.that(!layers.isEmpty(), "network", "at least one layer", "\"" + text + "\"");
    Loss loss = atEnd() ? new Loss.SoftmaxCrossEntropy() : loss();
    require(atEnd(), "after the loss there", "nothing", rest());
    return new Network(layers, loss);
  }

  /** Layers up to the end, a closing parenthesis or the loss. */
  private List<Layer> layers() {
    List<Layer> layers = new ArrayList<>();
    while (!atEnd() && text.charAt(at) != ')' && !text.startsWith("loss", at)) {
      layers.add(layer());
    }
    return layers;
  }

  private Layer layer() {
    int start = at;
    String name = word();
    require(
        !name.startsWith("batchnorm"),
        start,
        "layer",
        "groupnorm(groups) or layernorm in place of batch normalisation, whose statistics mix the"
            + " units of a lot, so that no clipping bounds what one unit changes",
        name);
    require(LAYERS.contains(name), start, "layer", "one of " + LAYERS, found(start));
    try {
      return name.equals("residual") || name.equals("projected")
          ? residual(name)
          : layer(new TextCall(this, name, start));
    } catch (Misread e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new Misread("position " + (start + 1) + ": " + e.getMessage());
    }
  }

  private Layer residual(String name) {
    skip('(', "the layers of " + name + " in parentheses");
    Layer.Residual.checkDepth(++depth);
    List<Layer> body = layers();
    depth--;
    skip(')', "a layer or ) after the layers of " + name);
    return new Layer.Residual(body, name.equals("projected"));
  }

  private static Layer layer(TextCall call) {
    Layer layer =
        switch (call.name()) {
          case "conv" ->
              new Layer.Conv(
                  call.whole("outputs"),
                  window(call, false),
                  call.option("groups", 1),
                  call.option("bias", true),
                  call.option("standardised", false));
          case "dense" -> new Layer.Dense(call.whole("outputs"), call.option("bias", true));
          case "maxpool" -> new Layer.MaxPool(window(call, true));
          case "avgpool" -> new Layer.AveragePool(window(call, true));
          case "globalavgpool" -> new Layer.GlobalAveragePool();
          case "relu" -> new Layer.Relu();
          case "leakyrelu" -> new Layer.LeakyRelu(call.number("slope", 0.01));
          case "elu" -> new Layer.Elu(call.number("alpha", 1));
          case "gelu" -> new Layer.Gelu();
          case "tanh" -> new Layer.Tanh();
          case "sigmoid" -> new Layer.Sigmoid();
          case "temperedsigmoid" ->
              new Layer.TemperedSigmoid(
                  call.number("scale"), call.number("temperature"), call.number("offset"));
          case "flatten" -> new Layer.Flatten();
          case "dropout" -> new Layer.Dropout(call.number("rate"));
          case "groupnorm" -> new Layer.GroupNorm(call.whole("groups"));
          case "layernorm" -> new Layer.LayerNorm();
          case "embedding" -> new Layer.Embedding(call.whole("vocabulary"), call.whole("size"));
          default -> throw new IllegalStateException("no reader for " + call.name());
        };
    call.finish();
    return layer;
  }

  /** A window; by default a pooling moves by its own size, a convolution by 1. */
  private static Window window(TextCall call, boolean pool) {
    int[] size = call.pair("window");
    int[] stride = call.option("stride", pool ? size : new int[] {1, 1});
    int[] pad = call.option("pad", new int[] {0, 0});
    return new Window(size[0], size[1], stride[0], stride[1], pad[0], pad[1]);
  }

  private Loss loss() {
    int start = at;
    boolean named = word().equals("loss");
    require(named, start, "after the layers there", "loss=… or nothing", found(start));
    skip('=', "= after loss");
    start = position();
    String name = word();
    require(LOSSES.contains(name), start, "loss", "one of " + LOSSES, found(start));
    TextCall call = new TextCall(this, name, start);
    try {
      Loss loss =
          switch (name) {
            case "softmax" -> new Loss.SoftmaxCrossEntropy();
            case "logistic" -> new Loss.Logistic();
            case "squared" -> new Loss.SquaredError();
            default -> new Loss.Huber(call.number("threshold", 1));
          };
      call.finish();
      return loss;
    } catch (Misread e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new Misread("position " + (start + 1) + ": " + e.getMessage());
    }
  }

  // ---- characters

  /** An error that already names its position. */
  static final class Misread extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    Misread(String message) {
      super(message);
    }
  }

  static void require(boolean condition, int start, String name, String range, String found) {
    if (!condition) {
      throw new Misread(
          "position "
              + (start + 1)
              + ": "
              + name
              + " must be "
              + range
              + ". Provided value: "
              + found);
    }
  }

  private void require(boolean condition, String name, String range, String found) {
    require(condition, at, name, range, found);
  }

  int position() {
    spaces();
    return at;
  }

  boolean atEnd() {
    spaces();
    return at >= text.length();
  }

  /** Whether the next character is this one; if so, goes past it. */
  boolean takes(char c) {
    spaces();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  void skip(char c, String what) {
    require(takes(c), "the next", what, rest());
  }

  /** Everything up to a space or one of the four marks. */
  String word() {
    spaces();
    int start = at;
    while (at < text.length()
        && "(),=".indexOf(text.charAt(at)) < 0
        && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private void spaces() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  String rest() {
    spaces();
    return at >= text.length() ? "the end" : "\"" + text.substring(at) + "\"";
  }

  private String found(int start) {
    return start >= text.length() ? "the end" : start == at ? rest() : text.substring(start, at);
  }
}
