package dev.discreet.algorithms.projected;

import java.util.Arrays;

/**
 * The spectrum of the second moment (1/m)·Σ gᵢgᵢᵀ of public gradients: how much of them a few
 * directions hold.
 *
 * @param eigenvalues the largest ones, in falling order; all that are not zero where m is small
 * @param trace the sum of all eigenvalues, which is the mean squared norm of the gradients
 */
public record GradientSpectrum(double[] eigenvalues, double trace) {

  /**
   * The share of the gradients' mean squared norm that lies in the first k directions, in [0, 1].
   */
  public double share(int k) {
    double sum = Arrays.stream(eigenvalues).limit(k).sum();
    return trace > 0 ? Math.min(1, sum / trace) : 0;
  }
}
