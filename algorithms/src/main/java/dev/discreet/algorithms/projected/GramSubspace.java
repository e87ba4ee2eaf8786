package dev.discreet.algorithms.projected;

import dev.discreet.algorithms.matrix.SymmetricEigen;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A subspace computed from the m×m matrix of the gradients' inner products, which has the
 * eigenvalues of the d×d one. With G·Gᵀ = U·Λ·Uᵀ the directions are Λ^−½·Uᵀ·G. They are never
 * written out: P = Gᵀ·(U·Λ⁻¹·Uᵀ)·G costs 2·m·d multiplications a vector.
 */
final class GramSubspace implements Subspace {
  private final float[][] gradients;
  private final double[][] weights;
  private final GradientSpectrum spectrum;

  private GramSubspace(float[][] gradients, double[][] weights, GradientSpectrum spectrum) {
    this.gradients = gradients;
    this.weights = weights;
    this.spectrum = spectrum;
  }

  /** Like {@link Subspace#of}. The gradients are kept and must not be changed. */
  public static GramSubspace of(float[][] gradients, int k) {
    int m = gradients.length;
    RowProducts.check(k, m, m == 0 ? 0 : gradients[0].length);
    float[][] rows = RowProducts.finite(gradients);
    double[][] gram = RowProducts.gram(rows);
    double trace = IntStream.range(0, m).mapToDouble(i -> gram[i][i]).sum();
    SymmetricEigen eigen = SymmetricEigen.of(gram);
    double[] values = eigen.values();
    double least = RowProducts.ZERO * Math.max(0, values[0]);
    int rank = (int) Arrays.stream(values).filter(value -> value > least).count();
    double[][] weights = new double[Math.min(k, rank)][];
    Arrays.setAll(
        weights,
        j ->
            Arrays.stream(eigen.vectors()[j]).map(value -> value / Math.sqrt(values[j])).toArray());
    double[] moments = Arrays.stream(values).limit(rank).map(value -> value / m).toArray();
    return new GramSubspace(rows, weights, new GradientSpectrum(moments, trace / m));
  }

  @Override
  public int dimension() {
    return weights.length;
  }

  @Override
  public GradientSpectrum spectrum() {
    return spectrum;
  }

  @Override
  public void project(float[] vector) {
    double[] products = RowProducts.times(gradients, vector);
    double[] back = new double[gradients.length];
    for (double[] direction : weights) {
      double length = 0;
      for (int i = 0; i < back.length; i++) {
        length += direction[i] * products[i];
      }
      for (int i = 0; i < back.length; i++) {
        back[i] += length * direction[i];
      }
    }
    double[] sum = RowProducts.combine(back, gradients, vector.length);
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) sum[i];
    }
  }
}
