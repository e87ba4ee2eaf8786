package dev.discreet.core.engine.cpu.internal.program;

import dev.discreet.core.engine.cpu.internal.layers.ParameterOp;
import dev.discreet.core.engine.cpu.internal.layers.RandomDirections;
import dev.discreet.core.privacy.ClippingRule;
import java.util.Arrays;
import java.util.List;

/** One worker's estimates of the norms of a tile. */
final class NormEstimator {
  private final ClippingRule.Estimated rule;
  private final RandomDirections directions;
  private final List<ParameterOp> ops;
  private final double[] norms;
  private final double[] projected;
  private final double[] error;

  NormEstimator(
      ClippingRule.Estimated rule, RandomDirections directions, List<ParameterOp> ops, int tile) {
    this.rule = rule;
    this.directions = directions;
    this.ops = ops;
    this.norms = new double[tile];
    this.projected = new double[tile];
    this.error = new double[tile];
  }

  /**
   * After a tile's backward.
   *
   * @param squares for each example an upper bound of its squared norm
   */
  void estimate(int n, double[][] squares) {
    Arrays.fill(norms, 0, n, 0);
    for (int j = 0; j < directions.count(); j++) {
      for (int e = 0; e < n; e++) {
        projected[e] = 0;
        error[e] = directions.error(Math.sqrt(squares[e][0]));
      }
      for (ParameterOp op : ops) {
        op.project(n, directions, j, projected, error);
      }
      for (int e = 0; e < n; e++) {
        double p = Math.abs(projected[e]) + error[e];
        norms[e] += p * p / directions.count();
      }
    }
    for (int e = 0; e < n; e++) {
      norms[e] = Math.sqrt(norms[e]);
    }
  }

  /** The factor of an example; 0 where its estimate is not finite. */
  double factor(int example, double longest, double threshold) {
    return Double.isFinite(norms[example]) ? rule.factor(norms[example], longest, threshold) : 0;
  }
}
