package dev.discreet.algorithms.geometry;

import dev.discreet.accounting.Check;
import java.util.Arrays;

/**
 * A set to which gradients can be clipped. Clipping is the projection onto a ball; a projection
 * onto another set bounds gradients as well.
 *
 * <p><b>Formal guarantee.</b> {@link #project} gives the nearest point of the set, up to rounding,
 * and no point of the set is longer than {@link #radius}. This is the sensitivity to which Gaussian
 * noise would be scaled.
 */
public sealed interface ConvexSet {

  /** The nearest point of the set; a new array. */
  double[] project(double[] vector);

  /** The Euclidean norm of the set's longest points. */
  double radius();

  private static void checkSize(double size, String name) {
    Check.that(size > 0 && Double.isFinite(size), name, "finite and greater than 0", size);
  }

  private static void checkLength(double[] vector, double[] sizes) {
    Check.that(
        vector.length == sizes.length, "vector", "of " + sizes.length + " numbers", vector.length);
  }

  /** ‖v‖ ≤ C: the set to which DP-SGD clips. */
  record Ball(double radius) implements ConvexSet {
    public Ball {
      checkSize(radius, "radius");
    }

    @Override
    public double[] project(double[] vector) {
      double norm = Vectors.norm(vector);
      return Vectors.scaled(vector, norm <= radius ? 1 : radius / norm);
    }
  }

  /**
   * |vᵢ| ≤ wᵢ: clips each coordinate by itself.
   *
   * @param widths w
   */
  record Box(double... widths) implements ConvexSet {
    public Box {
      widths = widths.clone();
      Arrays.stream(widths).forEach(width -> checkSize(width, "width"));
    }

    @Override
    public double[] project(double[] vector) {
      checkLength(vector, widths);
      double[] nearest = vector.clone();
      for (int i = 0; i < nearest.length; i++) {
        nearest[i] = Math.max(-widths[i], Math.min(widths[i], nearest[i]));
      }
      return nearest;
    }

    @Override
    public double radius() {
      return Vectors.norm(widths);
    }
  }

  /**
   * Σ(vᵢ/aᵢ)² ≤ 1. The nearest point is vᵢaᵢ²/(aᵢ² + t), with the one t ≥ 0 that puts it on the
   * surface.
   *
   * @param axes a
   */
  record Ellipsoid(double... axes) implements ConvexSet {
    public Ellipsoid {
      axes = axes.clone();
      Arrays.stream(axes).forEach(axis -> checkSize(axis, "axis"));
    }

    @Override
    public double[] project(double[] vector) {
      checkLength(vector, axes);
      if (excess(vector, 0) <= 0) {
        return vector.clone();
      }
      // At t = ‖(aᵢvᵢ)‖ each term is at most its share of 1, so the root is not above.
      double low = 0;
      double high = 0;
      for (int i = 0; i < axes.length; i++) {
        high = Math.hypot(high, axes[i] * vector[i]);
      }
      double middle = high / 2;
      while (low < middle && middle < high) {
        if (excess(vector, middle) > 0) {
          low = middle;
        } else {
          high = middle;
        }
        middle = low + (high - low) / 2;
      }
      double[] nearest = new double[vector.length];
      for (int i = 0; i < nearest.length; i++) {
        nearest[i] = vector[i] / (1 + high / (axes[i] * axes[i]));
      }
      return nearest;
    }

    /** How far beyond the surface the point of t lies; it falls as t grows. */
    private double excess(double[] vector, double t) {
      double sum = 0;
      for (int i = 0; i < axes.length; i++) {
        double part = vector[i] / (axes[i] + t / axes[i]);
        sum += part * part;
      }
      return sum - 1;
    }

    @Override
    public double radius() {
      return Arrays.stream(axes).max().orElse(0);
    }
  }

  /**
   * Σ|vᵢ| ≤ C. The nearest point shortens every coordinate by the same amount, down to zero (Duchi
   * et al. 2008): large parts stay, small ones vanish.
   */
  record CrossPolytope(double radius) implements ConvexSet {
    public CrossPolytope {
      checkSize(radius, "radius");
    }

    @Override
    public double[] project(double[] vector) {
      double[] sizes = Arrays.stream(vector).map(Math::abs).sorted().toArray();
      if (Arrays.stream(sizes).sum() <= radius) {
        return vector.clone();
      }
      double sum = 0;
      double cut = 0;
      for (int kept = 1; kept <= sizes.length; kept++) {
        double size = sizes[sizes.length - kept];
        sum += size;
        if (size <= (sum - radius) / kept) {
          break;
        }
        cut = (sum - radius) / kept;
      }
      double[] nearest = new double[vector.length];
      for (int i = 0; i < nearest.length; i++) {
        nearest[i] = Math.copySign(Math.max(0, Math.abs(vector[i]) - cut), vector[i]);
      }
      return nearest;
    }
  }
}
