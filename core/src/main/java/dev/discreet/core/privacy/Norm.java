package dev.discreet.core.privacy;

import dev.discreet.accounting.PublicApi;

/**
 * How the distance between two neighbours' values is measured.
 *
 * <pre>{@code
 * Norm norm = new Protection.Laplace(1).norm(); // L1
 * }</pre>
 */
@PublicApi
public enum Norm {
  /** Sum of absolute values: what Laplace noise is scaled to. */
  L1,
  /** Euclidean: what Gaussian noise is scaled to. */
  L2
}
