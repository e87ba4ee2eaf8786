package dev.discreet.algorithms.geometry;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.PublicGradients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Gradients of single examples at one point of the parameter space, and where they come from. The
 * origin decides who may see what is computed from them.
 */
public final class GradientCloud {
  private static final String PUBLIC = "public data";
  private static final String DRAWN = "drawn from a distribution";
  private static final String PRIVATE =
      "OUTSIDE THE GUARANTEE: from private rows, unprotected, for the operator's eyes only";

  private final double[][] points;
  private final double[] mean;
  private final String label;

  private GradientCloud(double[][] points, String label) {
    Check.that(points.length >= 1, "gradients", "at least 1", points.length);
    this.points = points;
    this.label = label;
    mean = new double[points[0].length];
    for (double[] point : points) {
      Check.that(point.length == mean.length, "gradients", "of one length", point.length);
      for (int i = 0; i < mean.length; i++) {
        Check.that(Double.isFinite(point[i]), "gradients", "finite", point[i]);
        mean[i] += point[i] / points.length;
      }
    }
  }

  private GradientCloud(double[][] points, double[] gradient, String label) {
    this.points = points;
    this.mean = gradient;
    this.label = label;
  }

  /** Gradients of examples that the caller declares public. */
  public static GradientCloud declaredPublic(
      PublicGradients gradients, float[] theta, int[] examples) {
    return new GradientCloud(copied(gradients.perExampleGradients(theta, examples)), PUBLIC);
  }

  /** Gradients of private examples. All results from them are outside the guarantee, and say so. */
  public static GradientCloud outsideTheGuarantee(float[][] gradients) {
    return new GradientCloud(copied(gradients), PRIVATE);
  }

  /** A true gradient with noise of a known distribution. */
  public static GradientCloud drawn(double[] gradient, GradientNoise noise, int count, long seed) {
    Check.that(count >= 1, "gradients", "at least 1", count);
    SplittableRandom random = new SplittableRandom(seed);
    double[][] points = new double[count][];
    Arrays.setAll(points, i -> Vectors.plus(gradient, 1, noise.draw(gradient.length, random)));
    return new GradientCloud(points, DRAWN);
  }

  private static double[][] copied(float[][] rows) {
    double[][] points = new double[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      float[] row = rows[i];
      points[i] = new double[row.length];
      Arrays.setAll(points[i], j -> row[j]);
    }
    return points;
  }

  /** Where the gradients come from. Show it beside whatever is computed from them. */
  public String label() {
    return label;
  }

  public int size() {
    return points.length;
  }

  /**
   * The same gradients where the true gradient ∇f is known. It replaces their mean in all
   * computations.
   */
  public GradientCloud around(double[] gradient) {
    Check.that(
        gradient.length == mean.length, "gradient", "as long as the others", gradient.length);
    return new GradientCloud(points, gradient.clone(), label);
  }

  /** The mean gradient, which is used as the true one; the true one itself, where it is known. */
  public double[] mean() {
    return mean.clone();
  }

  /**
   * How the cosines between single gradients and their mean are distributed: seed 002's histogram.
   * A gradient that is zero has no cosine and is left out.
   */
  public Histogram cosines(int bins) {
    Check.that(bins >= 1, "bins", "at least 1", bins);
    long[] counts = new long[bins];
    double length = Vectors.norm(mean);
    for (double[] point : points) {
      double norm = Vectors.norm(point);
      if (norm > 0 && length > 0) {
        double cosine = Vectors.dot(point, mean) / (norm * length);
        counts[(int) Math.max(0, Math.min(bins - 1, Math.floor((cosine + 1) / 2 * bins)))]++;
      }
    }
    return new Histogram(counts, label);
  }

  /**
   * Counts in equal bins of [−1, 1].
   *
   * @param label where the gradients come from
   */
  public record Histogram(long[] counts, String label) {
    /** The lower edge of a bin; the edge after the last bin is 1. */
    double edge(int bin) {
      return -1 + 2.0 * bin / counts.length;
    }

    @Override
    public String toString() {
      return Arrays.toString(counts) + " (" + label + ")";
    }
  }

  /**
   * Gradients seen from random sides: for each of several projections, every gradient's coordinates
   * along two random orthonormal directions. A symmetric cloud looks symmetric from every side. But
   * one side without asymmetry proves nothing, so look at several (seed 002 shows eight).
   */
  public List<double[][]> projections(int count, long seed) {
    Check.that(count >= 1, "projections", "at least 1", count);
    Check.that(mean.length >= 2, "dimensions", "at least 2", mean.length);
    SplittableRandom random = new SplittableRandom(seed);
    List<double[][]> sides = new ArrayList<>();
    for (int side = 0; side < count; side++) {
      double[] first = direction(random);
      double[] other = direction(random);
      double[] across = Vectors.plus(other, -Vectors.dot(first, other), first);
      double[] second = Vectors.scaled(across, 1 / Vectors.norm(across));
      sides.add(
          Arrays.stream(points)
              .map(point -> new double[] {Vectors.dot(first, point), Vectors.dot(second, point)})
              .toArray(double[][]::new));
    }
    return sides;
  }

  private double[] direction(SplittableRandom random) {
    double[] vector = new double[mean.length];
    Arrays.setAll(vector, i -> random.nextGaussian());
    return Vectors.scaled(vector, 1 / Vectors.norm(vector));
  }

  /**
   * E‖ξ − ξ′‖ / E‖ξ + ξ′‖ for two deviations ξ, ξ′ from the mean that are drawn independently from
   * this cloud. It is 1 where the cloud is its own mirror image, and below 1 elsewhere. In many
   * dimensions nearly all pairs are orthogonal and all values are close to 1: see {@link
   * #symmetryAlong}. The work grows with the square of the number of gradients.
   */
  public double symmetry() {
    return symmetry(deviations());
  }

  /** The same for the components of the deviations along a direction, such as the mean gradient. */
  public double symmetryAlong(double[] direction) {
    return symmetry(along(direction));
  }

  /**
   * The value that {@link #symmetryAlong} does not exceed in one of twenty clouds that are
   * symmetric along that direction. Such clouds have these deviations with random signs, so their
   * tails are the same. This holds only {@link #around} a known gradient: around their own mean, a
   * few deviations that are far out move all others, and too many clouds would be called
   * asymmetric.
   *
   * @param flips how many such clouds are drawn, at least 20
   */
  public double symmetryByChance(double[] direction, int flips, long seed) {
    Check.that(flips >= 20, "flips", "at least 20", flips);
    double[][] along = along(direction);
    SplittableRandom random = new SplittableRandom(seed);
    double[] scores = new double[flips];
    for (int flip = 0; flip < flips; flip++) {
      double[][] flipped = new double[along.length][];
      Arrays.setAll(flipped, i -> Vectors.scaled(along[i], random.nextBoolean() ? 1 : -1));
      scores[flip] = symmetry(flipped);
    }
    Arrays.sort(scores);
    return scores[flips / 20 - 1];
  }

  private double[][] along(double[] direction) {
    double norm = Vectors.norm(direction);
    Check.that(norm > 0, "direction", "another than zero", norm);
    double centre = Vectors.dot(mean, direction);
    return Arrays.stream(points)
        .map(point -> new double[] {(Vectors.dot(point, direction) - centre) / norm})
        .toArray(double[][]::new);
  }

  private static double symmetry(double[][] deviations) {
    double apart = 0;
    double together = 0;
    for (int i = 0; i < deviations.length; i++) {
      together += Vectors.norm(deviations[i]);
      for (int j = 0; j < i; j++) {
        apart += Vectors.distance(deviations[i], -1, deviations[j]);
        together += Vectors.distance(deviations[i], 1, deviations[j]);
      }
    }
    return together > 0 ? apart / together : 1;
  }

  private double[][] deviations() {
    return Arrays.stream(points)
        .map(point -> Vectors.plus(point, -1, mean))
        .toArray(double[][]::new);
  }

  /** What clipping to a ball does to the mean gradient. */
  public ClippingBias clippingBias(double threshold) {
    return clippingBias(new ConvexSet.Ball(threshold), mean);
  }

  /**
   * What clipping to a set does to a gradient.
   *
   * @param gradient the true gradient ∇f, where it is known
   */
  public ClippingBias clippingBias(ConvexSet set, double[] gradient) {
    Check.that(
        gradient.length == mean.length, "gradient", "as long as the others", gradient.length);
    double[] clipped = new double[mean.length];
    double reflected = 0;
    long near = 0;
    double threshold = set.radius();
    for (double[] point : points) {
      double[] deviation = Vectors.plus(point, -1, gradient);
      clipped = Vectors.plus(clipped, 1.0 / points.length, set.project(point));
      double[] mirror = Vectors.plus(gradient, -1, deviation);
      reflected += Vectors.dot(gradient, set.project(mirror)) / points.length;
      near += Vectors.norm(deviation) < threshold / 4 ? 1 : 0;
    }
    double norm = Vectors.norm(gradient);
    double alignment = Vectors.dot(gradient, clipped);
    double lower =
        set instanceof ConvexSet.Ball ? Math.min(norm * norm, 0.75 * threshold * norm) : 0;
    return new ClippingBias(
        norm * norm,
        alignment,
        (alignment + reflected) / 2,
        lower * near / points.length,
        Vectors.distance(clipped, -1, gradient),
        label);
  }
}
