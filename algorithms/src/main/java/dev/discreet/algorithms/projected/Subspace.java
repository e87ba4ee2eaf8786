package dev.discreet.algorithms.projected;

/**
 * The space of the top eigenvectors of the second moment of gradients, computed without the d×d
 * matrix. {@link GramSubspace} is exact and costs m²·d, {@link PowerSubspace} iterates and costs
 * m·k·d a round. Tests compare the two.
 */
public sealed interface Subspace permits GramSubspace, PowerSubspace {
  /** How many directions there are: k, or the rank of the gradients where that is smaller. */
  int dimension();

  GradientSpectrum spectrum();

  /** Replaces a vector by its projection. */
  void project(float[] vector);

  /**
   * The exact subspace for up to 512 gradients; for more, ten rounds of block power iteration.
   *
   * @param gradients public gradients, one a row; one that is not finite counts as zero
   * @param k how many directions, at most m and d
   */
  static Subspace of(float[][] gradients, int k) {
    return gradients.length <= 512
        ? GramSubspace.of(gradients, k)
        : PowerSubspace.of(gradients, k, 10, 0);
  }
}
