package dev.discreet.core.engine.cpu.internal.layers;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.cpu.internal.kernels.PackedMatrix;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Node;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.parallel.ThreadTeam;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.SamplingKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * A step's random directions, from which norms are estimated; shared by all workers.
 *
 * <p>⟨g, v⟩ is the sum over layers of ⟨δ, J v⟩, J v being how a layer's output moves when its own
 * parameters move by v: half the products of a pass of forward mode, none through the layers after
 * it, and on the very δ from which the sum is made. So its rounding errors have bounds, which are
 * added to it: an estimate is never below ‖Vg‖/√r for the g that enters the sum and the directions
 * before they were rounded.
 */
public final class RandomDirections {
  /**
   * The rounding of the directions moves a projection by at most half a step times √d‖g‖; as much
   * again is more than what sums in double precision lose, as long as there are at most 2²⁸ terms.
   */
  private static final double ROUNDING = SamplingKey.DIRECTION_STEP;

  private static final long MOST_NUMBERS = 1L << 28;

  /** A dense layer's part of one direction, and the longest of its columns. */
  private record Dense(PackedMatrix panels, double longest) {}

  private final int lanes;
  private final float[][] directions;
  private final List<Slice> still;
  private final List<Node> dense;
  private final List<HashMap<String, Dense>> packed;
  private final double perNorm;

  public RandomDirections(
      Layout layout, UnitRule unitRule, ClippingRule.Estimated estimated, int lanes) {
    this.lanes = lanes;
    int projections = estimated.projections();
    long numbers = (long) projections * layout.parameters();
    Check.that(
        numbers <= MOST_NUMBERS,
        "projections times parameters",
        "at most " + MOST_NUMBERS,
        numbers);
    this.directions = new float[projections][layout.parameters()];
    this.still =
        layout.slices().stream()
            .filter(slice -> unitRule.group()[layout.slices().indexOf(slice)] < 0)
            .toList();
    this.dense =
        layout.allNodes().stream()
            .filter(node -> ParameterForm.of(node) == ParameterForm.DENSE)
            .toList();
    this.packed = Stream.generate(HashMap<String, Dense>::new).limit(projections).toList();
    this.perNorm = ROUNDING * Math.sqrt(layout.parameters());
  }

  public int count() {
    return directions.length;
  }

  /** Draws the directions of a release. */
  public void load(StepRequest request, ThreadTeam team) {
    for (int j = 0; j < directions.length; j++) {
      request.key().direction(request.release(), j, directions[j]);
    }
    team.run(
        part -> {
          for (int j = part; j < directions.length; j += team.size()) {
            for (Slice slice : still) {
              Arrays.fill(directions[j], slice.offset(), slice.end(), 0);
            }
            for (Node node : dense) {
              packed
                  .get(j)
                  .put(node.name(), pack(node, directions[j], packed.get(j).get(node.name())));
            }
          }
        });
  }

  private Dense pack(Node node, float[] direction, Dense before) {
    int inputs = node.input().size();
    int outputs = node.output().size();
    PackedMatrix panels =
        before == null ? new PackedMatrix(inputs, outputs, lanes) : before.panels();
    panels.load(direction, node.slices().get(0).offset(), outputs, 1, 0, 1);
    double[] squares = new double[outputs];
    for (Slice slice : node.slices()) {
      for (int i = slice.offset(); i < slice.end(); i++) {
        squares[(i - slice.offset()) % outputs] += (double) direction[i] * direction[i];
      }
    }
    if (node.slices().size() > 1) {
      panels.loadBias(direction, node.slices().get(1).offset());
    }
    return new Dense(panels, Math.sqrt(Arrays.stream(squares).max().orElseThrow()));
  }

  PackedMatrix panels(int direction, Node node) {
    return packed.get(direction).get(node.name()).panels();
  }

  /** The norm of the longest column of a dense layer's part of a direction, bias included. */
  double longest(int direction, Node node) {
    return packed.get(direction).get(node.name()).longest();
  }

  /** What the rounding of a direction can do to the projection of a gradient. */
  public double error(double norm) {
    return perNorm * norm;
  }

  /** Σ a[from + i]·v[at + i] in double precision, the direction's v. */
  double product(int direction, int at, float[] a, int from, int length) {
    float[] v = directions[direction];
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < length; i += 4) {
      s0 += (double) a[from + i] * v[at + i];
      s1 += (double) a[from + i + 1] * v[at + i + 1];
      s2 += (double) a[from + i + 2] * v[at + i + 2];
      s3 += (double) a[from + i + 3] * v[at + i + 3];
    }
    for (; i < length; i++) {
      s0 += (double) a[from + i] * v[at + i];
    }
    return s0 + s1 + (s2 + s3);
  }
}
