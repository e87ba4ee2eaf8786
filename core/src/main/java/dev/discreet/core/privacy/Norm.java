package dev.discreet.core.privacy;

/** How the distance between two neighbours' values is measured. */
public enum Norm {
  /** Sum of absolute values: what Laplace noise is scaled to. */
  L1,
  /** Euclidean: what Gaussian noise is scaled to. */
  L2;

  /** Of a vector; in double precision. */
  public double of(double[] vector) {
    double sum = 0;
    for (double x : vector) {
      sum = this == L1 ? sum + Math.abs(x) : Math.hypot(sum, x);
    }
    return sum;
  }

  /** Of {@code size} coordinates that are 1 each. */
  double ofOnes(int size) {
    return this == L1 ? size : Math.sqrt(size);
  }
}
