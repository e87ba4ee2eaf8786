package dev.discreet.core.privacy;

/** How the distance between two neighbours' values is measured. */
public enum Norm {
  /** Sum of absolute values: what Laplace noise is scaled to. */
  L1,
  /** Euclidean: what Gaussian noise is scaled to. */
  L2
}
