package dev.discreet.core.engine.cpu;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import java.util.Arrays;

/** A direction of the parameters as forward mode reads it; shared by all workers. */
final class Direction {
  private final Layout layout;
  private final Shared along;
  private final Shared linear;
  private float[] values;

  Direction(Layout layout, int lanes) {
    this.layout = layout;
    this.along = new Shared(layout, lanes);
    this.linear = new Shared(layout, lanes);
  }

  void load(Shared parameters, float[] direction, Crew crew) {
    values = direction;
    float[] unbiased = parameters.parameters().clone();
    float[] moved = direction.clone();
    for (Node node : Nodes.all(layout)) {
      if (parameters.of(node) != null && node.slices().size() > 1) {
        Slice bias = node.slices().get(1);
        Arrays.fill(unbiased, bias.offset(), bias.end(), 0);
      }
      if (parameters.of(node) instanceof ConvWeights conv) {
        // The derivative of standardising is a symmetric matrix: the way there is the way back.
        conv.toParameters(moved, node.slices().get(0).offset());
      }
    }
    linear.load(unbiased, false, crew);
    along.loadUsed(moved, crew);
  }

  /** The direction itself. */
  float[] values() {
    return values;
  }

  /** How a layer's weights move, with its biases. */
  Weights along(Node node) {
    return along.of(node);
  }

  /** A layer's weights without its biases, which do not act on what moves. */
  Weights linear(Node node) {
    return linear.of(node);
  }
}
