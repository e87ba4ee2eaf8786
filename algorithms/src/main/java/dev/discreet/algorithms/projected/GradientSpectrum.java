package dev.discreet.algorithms.projected;

import java.util.Arrays;

/**
 * The spectrum of the second moment (1/m)·Σ gᵢgᵢᵀ of public gradients: how far a few directions
 * hold them all.
 *
 * @param eigenvalues the largest, largest first; all that are not zero where m is small
 * @param trace the sum of all eigenvalues, the mean squared norm of the gradients
 */
public record GradientSpectrum(double[] eigenvalues, double trace) {

  /** What part of the gradients' mean squared norm lies in the first k directions, in [0, 1]. */
  public double share(int k) {
    double sum = Arrays.stream(eigenvalues).limit(k).sum();
    return trace > 0 ? Math.min(1, sum / trace) : 0;
  }
}
