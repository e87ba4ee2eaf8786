package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.nn.Parameter.Role;
import dev.discreet.core.parallel.ThreadTeam;
import java.util.Arrays;

/** A direction of the parameters as forward mode reads it; shared by all workers. */
public final class ForwardDirection {
  private final Layout layout;
  private final StepWeights along;
  private final StepWeights linear;
  private float[] values;

  public ForwardDirection(Layout layout, int lanes) {
    this.layout = layout;
    this.along = new StepWeights(layout, lanes);
    this.linear = new StepWeights(layout, lanes);
  }

  public void load(StepWeights parameters, float[] direction, ThreadTeam team) {
    values = direction;
    float[] unbiased = parameters.parameters().clone();
    float[] moved = direction.clone();
    for (Node node : layout.allNodes()) {
      for (Slice slice : node.slices()) {
        if (parameters.of(node) != null && slice.parameter().role() == Role.BIAS) {
          Arrays.fill(unbiased, slice.offset(), slice.end(), 0);
        }
      }
      if (parameters.of(node) instanceof ConvWeights conv) {
        conv.alongParameters(moved);
      }
    }
    linear.load(unbiased, false, team);
    along.loadUsed(moved, team);
  }

  /** The direction itself. */
  float[] values() {
    return values;
  }

  /** How a layer's weights move, with its biases. */
  LayerWeights along(Node node) {
    return along.of(node);
  }

  /** A layer's weights without its biases, which do not act on what moves. */
  LayerWeights linear(Node node) {
    return linear.of(node);
  }
}
