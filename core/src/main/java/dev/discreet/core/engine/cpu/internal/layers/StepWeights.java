package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.parallel.ThreadTeam;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The parameters of the current step in every form that a kernel reads; shared by all workers. */
public final class StepWeights {
  private final Map<String, LayerWeights> weights = new HashMap<>();
  // By the offsets of slices.
  private final Map<Integer, Double> squares = new HashMap<>();
  private final List<Slice> slices;
  private float[] parameters;

  public StepWeights(Layout layout, int lanes) {
    slices = layout.slices();
    add(layout.nodes(), lanes, false);
  }

  /** The first layer with parameters needs no gradient by its input; those after it do. */
  private boolean add(List<Node> nodes, int lanes, boolean needed) {
    boolean wanted = needed;
    for (Node node : nodes) {
      LayerWeights own = ParameterForm.of(node).weights(node, lanes, wanted);
      if (own != null) {
        weights.put(node.name(), own);
      }
      boolean before = wanted;
      wanted |= add(node.body(), lanes, before);
      if (node.projection() != null) {
        wanted |= add(List.of(node.projection()), lanes, before);
      }
      wanted |= !node.slices().isEmpty();
    }
    return wanted;
  }

  public LayerWeights of(Node node) {
    return weights.get(node.name());
  }

  float[] parameters() {
    return parameters;
  }

  /**
   * @param decays whether norms of the parameters will be asked for
   */
  public void load(float[] theta, boolean decays, ThreadTeam team) {
    parameters = theta;
    team.run(part -> weights.values().forEach(each -> each.load(theta, part, team.size())));
    if (decays) {
      slices.forEach(slice -> squares.put(slice.offset(), squareOf(theta, slice)));
    }
  }

  /** Weights that are used as they are, not standardised. */
  void loadUsed(float[] used, ThreadTeam team) {
    parameters = used;
    team.run(part -> weights.values().forEach(each -> each.loadUsed(used, part, team.size())));
  }

  /** ‖θ‖² over a slice. */
  public double square(Slice slice) {
    return squares.get(slice.offset());
  }

  private static double squareOf(float[] theta, Slice slice) {
    double sum = 0;
    for (int i = slice.offset(); i < slice.end(); i++) {
      sum += (double) theta[i] * theta[i];
    }
    return sum;
  }
}
