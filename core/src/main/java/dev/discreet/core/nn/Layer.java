package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.nn.Parameter.Role;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * One layer's description. It knows its shapes and parameters; engines know how to run it.
 *
 * <pre>{@code
 * Network network = Network.builder().add(new Layer.Dense(10, false)).build();
 * }</pre>
 */
@PublicApi
public sealed interface Layer extends Serializable
    permits Activation,
        Layer.Dense,
        Layer.Conv,
        Layer.MaxPool,
        Layer.AveragePool,
        Layer.GlobalAveragePool,
        Layer.Flatten,
        Layer.Dropout,
        Layer.GroupNorm,
        Layer.LayerNorm,
        Layer.Shift,
        Layer.Embedding,
        Layer.Residual,
        Scattering {

  /**
   * What is added to a variance before its root is taken, by norms and by standardised weights: as
   * in PyTorch.
   */
  double EPSILON = 1e-5;

  /**
   * The shape that comes out. A shape that cannot go in is refused by name.
   *
   * @param input the shape that goes in
   * @return the shape that comes out
   */
  Shape output(Shape input);

  /**
   * Its own parameters on that input, weight before bias. Those of nested layers are not here.
   *
   * @param input the shape that goes in
   * @return the parameters in the order in which they lie in the flat vector
   */
  List<Parameter> parameters(Shape input);

  /**
   * Calls the visitor's method for this kind of layer.
   *
   * @param visitor what is to be done with each kind
   * @param <R> what the visitor answers
   * @return the visitor's answer
   */
  <R> R accept(LayerVisitor<R> visitor);

  /**
   * Every output sees every input; whatever comes in is read as one vector.
   *
   * @param outputs how many values come out
   * @param bias whether a number of its own is added to each of them
   */
  record Dense(int outputs, boolean bias) implements Layer {
    /** Refuses a layer without outputs. */
    public Dense {
      Check.that(outputs >= 1, "outputs of dense", "at least 1", outputs);
    }

    @Override
    public Shape output(Shape input) {
      return Shape.vector(outputs);
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return weightAndBias(List.of(input.size(), outputs), input.size(), outputs, bias);
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.dense(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * A convolution. With {@code groups} g, output channel block i of g sees input channel block i
   * only. A standardised one uses, in place of the weights themselves, a gain for each output
   * channel, 1 at the start, times weights of mean 0 and length 1: gain·(w − mean)/√(Σ(w − mean)² +
   * ε). Length 1 is variance 1 divided by √fan-in.
   *
   * @param outputs how many channels come out
   * @param window what one output sees, and how far apart the outputs are
   * @param groups into how many blocks the channels are cut; 1 for none
   * @param bias whether a number of its own is added to each channel
   * @param standardised whether the weights are standardised before they are used
   */
  record Conv(int outputs, Window window, int groups, boolean bias, boolean standardised)
      implements Layer {
    /** Refuses a layer without outputs, and groups that do not divide them. */
    public Conv {
      Check.that(outputs >= 1, "outputs of conv", "at least 1", outputs);
      Check.that(
          groups >= 1 && outputs % groups == 0,
          "groups of conv",
          "a divisor of " + outputs,
          groups);
    }

    @Override
    public Shape output(Shape input) {
      Check.that(
          input.channels() % groups == 0,
          "input channels of " + this,
          "a multiple of groups " + groups,
          input);
      return window.over(input, outputs, this);
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      int channels = input.channels() / groups;
      List<Parameter> list =
          weightAndBias(
              List.of(window.height(), window.width(), channels, outputs),
              window.size() * channels,
              window.size() * outputs / groups,
              bias);
      if (standardised) {
        list.add(new Parameter("gain", Role.SCALE, List.of(outputs), outputs, outputs));
      }
      return list;
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.conv(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * The largest of each window; the rim never wins.
   *
   * @param window what one output sees, and how far apart the outputs are
   */
  record MaxPool(Window window) implements Layer {
    @Override
    public Shape output(Shape input) {
      return window.over(input, input.channels(), this);
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return List.of();
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.maxPool(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * The mean of each window, the zeros of the rim counted.
   *
   * @param window what one output sees, and how far apart the outputs are
   */
  record AveragePool(Window window) implements Layer {
    @Override
    public Shape output(Shape input) {
      return window.over(input, input.channels(), this);
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return List.of();
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.averagePool(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /** The mean over all positions. */
  record GlobalAveragePool() implements Layer {
    @Override
    public Shape output(Shape input) {
      return Shape.vector(input.channels());
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return List.of();
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.globalAveragePool(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /** Reads an image as one vector. Memory stays as it is: channels last. */
  record Flatten() implements Layer {
    @Override
    public Shape output(Shape input) {
      return Shape.vector(input.size());
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return List.of();
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.flatten(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * In training, sets each value to 0 with probability {@code rate} and scales the others up.
   *
   * @param rate the probability that a value is dropped
   */
  record Dropout(double rate) implements Layer {
    /** Refuses a rate outside of [0, 1). */
    public Dropout {
      Check.that(rate >= 0 && rate < 1, "rate of dropout", "in [0, 1)", rate);
    }

    @Override
    public Shape output(Shape input) {
      return input;
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return List.of();
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.dropout(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * Each example's channels in {@code groups} blocks, each to mean 0 and variance 1, then affine.
   *
   * @param groups how many blocks there are; they must divide the channels
   */
  record GroupNorm(int groups) implements Layer {
    /** Refuses a norm without groups. */
    public GroupNorm {
      Check.that(groups >= 1, "groups of groupnorm", "at least 1", groups);
    }

    @Override
    public Shape output(Shape input) {
      Check.that(
          input.channels() % groups == 0,
          "input channels of " + this,
          "a multiple of groups " + groups,
          input);
      return input;
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return affine(List.of(input.channels()));
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.groupNorm(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * The channels of each position to mean 0 and variance 1, then affine per channel: what a
   * transformer calls layer norm, and on a vector the only one there is.
   */
  record LayerNorm() implements Layer {
    @Override
    public Shape output(Shape input) {
      return input;
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return affine(List.of(input.channels()));
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.layerNorm(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * Adds to each value of the input a number of its own, which is 0 at first: what brings features
   * to mean 0 once their mean is known.
   */
  record Shift() implements Layer {
    @Override
    public Shape output(Shape input) {
      return input;
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      int size = input.size();
      return List.of(new Parameter("bias", Role.SHIFT, List.of(size), size, size));
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.shift(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * Each value of the input, a whole number in [0, vocabulary), becomes a row of a table.
   *
   * @param vocabulary how many rows the table has
   * @param size how many numbers a row has
   */
  record Embedding(int vocabulary, int size) implements Layer {
    /** Refuses an empty table. */
    public Embedding {
      Check.that(vocabulary >= 1, "vocabulary of embedding", "at least 1", vocabulary);
      Check.that(size >= 1, "size of embedding", "at least 1", size);
    }

    @Override
    public Shape output(Shape input) {
      return new Shape(1, input.size(), size);
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return List.of(new Parameter("weight", Role.WEIGHT, List.of(vocabulary, size), 1, size));
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.embedding(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * body(x) + x; or, projected, body(x) + P(x) with a 1×1 convolution P of the stride that makes
   * the shapes meet.
   *
   * @param body the layers beside the shortcut
   * @param projected whether the shortcut goes through a 1×1 convolution
   */
  record Residual(List<Layer> body, boolean projected) implements Layer {
    /** How many residual blocks may stand inside one another: what walks them calls itself. */
    static final int DEEPEST = 64;

    /** Refuses an empty body and blocks that are nested too deep. */
    public Residual {
      Check.that(!body.isEmpty(), "body of residual", "at least one layer", "none");
      body = List.copyOf(body);
      checkDepth(1 + depth(body));
    }

    static void checkDepth(int depth) {
      Check.that(depth <= DEEPEST, "residual blocks", "nested at most " + DEEPEST + " deep", depth);
    }

    private static int depth(List<Layer> layers) {
      int depth = 0;
      for (Layer layer : layers) {
        if (layer instanceof Residual inner) {
          depth = Math.max(depth, 1 + depth(inner.body));
        }
      }
      return depth;
    }

    @Override
    public Shape output(Shape input) {
      Shape shape = input;
      for (Layer layer : body) {
        shape = layer.output(shape);
      }
      if (projected) {
        Shape beside = projection(input, shape).output(input);
        checkOutput(beside.equals(shape), "reachable by a stride from ", input, "", shape);
      } else {
        checkOutput(
            shape.equals(input), "its input's ", input, " (or projected, to change it)", shape);
      }
      return shape;
    }

    /** The text of a whole block is made for an error only. */
    private void checkOutput(boolean fits, String before, Shape input, String after, Shape output) {
      if (!fits) {
        Check.that(false, "output of " + this, before + input + after, output);
      }
    }

    /** The 1×1 convolution of the shortcut. */
    Conv projection(Shape input, Shape output) {
      int strideY = (input.height() + output.height() - 1) / output.height();
      int strideX = (input.width() + output.width() - 1) / output.width();
      return new Conv(output.channels(), new Window(1, 1, strideY, strideX, 0, 0), 1, true, false);
    }

    @Override
    public List<Parameter> parameters(Shape input) {
      return List.of();
    }

    @Override
    public <R> R accept(LayerVisitor<R> visitor) {
      return visitor.residual(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  private static List<Parameter> weightAndBias(
      List<Integer> dimensions, int fanIn, int fanOut, boolean bias) {
    List<Parameter> list = new ArrayList<>();
    list.add(new Parameter("weight", Role.WEIGHT, dimensions, fanIn, fanOut));
    if (bias) {
      int outputs = dimensions.get(dimensions.size() - 1);
      list.add(new Parameter("bias", Role.BIAS, List.of(outputs), fanIn, fanOut));
    }
    return list;
  }

  private static List<Parameter> affine(List<Integer> dimensions) {
    int size = dimensions.get(0);
    return List.of(
        new Parameter("weight", Role.SCALE, dimensions, size, size),
        new Parameter("bias", Role.SHIFT, dimensions, size, size));
  }
}
