package dev.discreet.algorithms.projected;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.matrix.SymmetricEigen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Block power iteration (randomised subspace iteration). In each round k directions and ten more
 * are multiplied by Gᵀ·G and made orthonormal. At the end they are turned into the eigenvectors of
 * G·Gᵀ restricted to them. How close they come to the true ones depends on the gap after the k-th
 * eigenvalue. But any k orthonormal directions are a valid projection.
 */
final class PowerSubspace implements Subspace {
  private static final int MORE = 10;

  private final double[][] directions;
  private final GradientSpectrum spectrum;

  private PowerSubspace(double[][] directions, GradientSpectrum spectrum) {
    this.directions = directions;
    this.spectrum = spectrum;
  }

  /**
   * Like {@link Subspace#of}.
   *
   * @param seed of the first directions, which are public
   */
  public static PowerSubspace of(float[][] gradients, int k, int rounds, long seed) {
    int m = gradients.length;
    int d = m == 0 ? 0 : gradients[0].length;
    RowProducts.check(k, m, d);
    Check.that(rounds >= 1, "rounds", "at least 1", rounds);
    float[][] rows = RowProducts.finite(gradients);
    SplittableRandom random = new SplittableRandom(seed);
    // Begins with combinations of gradients, because nothing else survives the first round.
    double[][] block = new double[Math.min(k + MORE, Math.min(m, d))][];
    for (int i = 0; i < block.length; i++) {
      double[] weights = random.doubles(m, -1, 1).toArray();
      block[i] = RowProducts.combine(weights, rows, d);
    }
    block = orthonormal(block);
    for (int round = 0; round < rounds; round++) {
      double[][] next = new double[block.length][];
      for (int i = 0; i < next.length; i++) {
        next[i] = RowProducts.combine(products(rows, block[i]), rows, d);
      }
      block = orthonormal(next);
    }
    return ritz(rows, block, k);
  }

  /** The eigenvectors of the second moment on the block's space. */
  private static PowerSubspace ritz(float[][] rows, double[][] block, int k) {
    int m = rows.length;
    int size = block.length;
    double[][] images = Arrays.stream(block).map(v -> products(rows, v)).toArray(double[][]::new);
    double[][] small = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        small[i][j] = dot(images[i], images[j]) / m;
      }
    }
    double trace = Arrays.stream(rows).mapToDouble(row -> RowProducts.dot(row, row)).sum() / m;
    if (size == 0) {
      return new PowerSubspace(block, new GradientSpectrum(new double[0], trace));
    }
    SymmetricEigen eigen = SymmetricEigen.of(small);
    double[][] turned = new double[Math.min(k, size)][rows[0].length];
    for (int i = 0; i < turned.length; i++) {
      for (int j = 0; j < size; j++) {
        add(eigen.vectors()[i][j], block[j], turned[i]);
      }
    }
    return new PowerSubspace(turned, new GradientSpectrum(eigen.values(), trace));
  }

  /** Gram–Schmidt, twice; vectors that depend on those before them are left out. */
  private static double[][] orthonormal(double[][] block) {
    double longest = 0;
    for (double[] vector : block) {
      longest = Math.max(longest, Math.sqrt(dot(vector, vector)));
    }
    List<double[]> kept = new ArrayList<>();
    for (double[] vector : block) {
      for (int turn = 0; turn < 2; turn++) {
        for (double[] before : kept) {
          add(-dot(before, vector), before, vector);
        }
      }
      double norm = Math.sqrt(dot(vector, vector));
      if (norm > RowProducts.ZERO * longest) {
        for (int i = 0; i < vector.length; i++) {
          vector[i] /= norm;
        }
        kept.add(vector);
      }
    }
    return kept.toArray(double[][]::new);
  }

  private static double[] products(float[][] rows, double[] vector) {
    double[] products = new double[rows.length];
    for (int i = 0; i < products.length; i++) {
      float[] row = rows[i];
      double sum = 0;
      for (int j = 0; j < vector.length; j++) {
        sum += row[j] * vector[j];
      }
      products[i] = sum;
    }
    return products;
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  private static void add(double factor, double[] from, double[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += factor * from[i];
    }
  }

  @Override
  public int dimension() {
    return directions.length;
  }

  @Override
  public GradientSpectrum spectrum() {
    return spectrum;
  }

  @Override
  public void project(float[] vector) {
    double[] sum = new double[vector.length];
    for (double[] direction : directions) {
      double length = 0;
      for (int i = 0; i < vector.length; i++) {
        length += direction[i] * vector[i];
      }
      add(length, direction, sum);
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) sum[i];
    }
  }
}
