package dev.discreet.core.engine;

import dev.discreet.core.privacy.BoundedValue;
import dev.discreet.core.privacy.Grid;
import java.util.Arrays;

/**
 * The sum of the lot's clipped gradients on the grid. It is private until noise is on it, and holds
 * nothing about the lot's size.
 *
 * <p>Its coordinates are those that the source told before ({@link GradientSource#coordinates}).
 * The arrays belong to the source, which uses them again in the next step.
 *
 * <p>Where the rule counts, one more integer follows for each clipping group, a group of its own:
 * twice the centred count, Σ over the lot's units of 2·(1[‖g‖ ≤ C] − ½). Each unit adds −1, 0 or 1,
 * so one unit more or less moves it by one grid step, and its sensitivity is exactly that. (A unit
 * that is replaced or displaced moves it by two, just as it moves a clipped sum by 2C.)
 */
public record ClippedSum(long[] integers, int exponent, int[] groupEnds, double[] sensitivities)
    implements BoundedValue {

  /**
   * The sum that every source answers with.
   *
   * @param integers of the coordinates, then of the rule's counts
   * @param carried for each group, the largest norm that a member has while it is added
   */
  public static ClippedSum of(
      long[] integers,
      Coordinates coordinates,
      UnitRule rule,
      Grid grid,
      double[] thresholds,
      double[] carried) {
    int groups = rule.groups();
    int[] ends = Arrays.copyOf(coordinates.groupEnds(), groups + rule.counts());
    double[] sensitivities = new double[ends.length];
    for (int g = 0; g < ends.length; g++) {
      if (g < groups) {
        sensitivities[g] =
            rule.clipping().sensitivity(grid, thresholds[g], carried[g], coordinates.dimensions(g));
      } else {
        ends[g] = ends[g - 1] + 1;
        sensitivities[g] = Math.scalb(1.0, grid.exponent());
      }
    }
    return new ClippedSum(integers, grid.exponent(), ends, sensitivities);
  }
}
