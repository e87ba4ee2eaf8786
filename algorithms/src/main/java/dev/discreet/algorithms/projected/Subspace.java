package dev.discreet.algorithms.projected;

import dev.discreet.accounting.Check;

/**
 * The space of the top eigenvectors of the second moment of gradients, without the d×d matrix:
 * {@link GramSubspace} is exact and costs m²·d, {@link PowerSubspace} iterates and costs m·k·d a
 * round. The two check each other.
 */
public sealed interface Subspace permits GramSubspace, PowerSubspace {
  /** An eigenvalue below this part of the largest is not told from zero. */
  double ZERO = 1e-10;

  /** How many directions there are: k, or the rank of the gradients where that is smaller. */
  int dimension();

  Spectrum spectrum();

  /** Puts a vector's projection in its place. */
  void project(float[] vector);

  /**
   * The exact one up to 512 gradients; beyond, ten rounds of block power iteration.
   *
   * @param gradients public ones, one a row; one that is not finite counts as zero
   * @param k how many directions, at most m and d
   */
  static Subspace of(float[][] gradients, int k) {
    return gradients.length <= 512
        ? GramSubspace.of(gradients, k)
        : PowerSubspace.of(gradients, k, 10, 0);
  }

  /** Refuses a k that no such gradients have. */
  static void check(int k, int gradients, int parameters) {
    Check.that(gradients >= 1, "public examples", "at least 1", gradients);
    Check.that(
        k >= 1 && k <= gradients,
        "k",
        "at least 1 and at most the public examples, " + gradients,
        k);
    Check.that(k <= parameters, "k", "at most the trainable parameters, " + parameters, k);
  }

  /** The gradients, those that are not finite as zeros. */
  static float[][] finite(float[][] gradients) {
    float[][] rows = gradients.clone();
    for (int i = 0; i < rows.length; i++) {
      Check.that(rows[i].length == rows[0].length, "gradients", "of one length", rows[i].length);
      if (!Double.isFinite(Rows.dot(rows[i], rows[i]))) {
        rows[i] = new float[rows[i].length];
      }
    }
    return rows;
  }
}
