package dev.discreet.algorithms.geometry;

/**
 * What clipping does to a gradient ∇f, after Chen, Wu and Hong 2020. The gradients' own
 * distribution is compared with a symmetric one: the average of it and its mirror image at ∇f.
 *
 * @param unclipped ‖∇f‖²: what the alignment would be without clipping
 * @param alignment E⟨∇f, clip(g)⟩; below zero, a step goes uphill on average
 * @param symmetric the same under the symmetric distribution
 * @param bound min(‖∇f‖², ¾C‖∇f‖)·P(‖ξ‖ &lt; C/4), a lower bound on {@code symmetric}; 0 for sets
 *     other than a ball, for which it is not proven
 * @param shift ‖E clip(g) − ∇f‖
 * @param label where the gradients come from
 */
public record ClippingBias(
    double unclipped,
    double alignment,
    double symmetric,
    double bound,
    double shift,
    String label) {

  /** b: what asymmetry adds to the alignment. A negative value is harm. */
  public double bias() {
    return alignment - symmetric;
  }
}
