package dev.discreet.cuda;

import dev.discreet.core.privacy.ClippingRule;

/**
 * A clipping rule as {@code clip} of step.cu knows it.
 *
 * @param kind its place among FLAT, AUTOMATIC, NORMALISED and GLOBAL
 * @param number what the rule has beside the threshold; 0 for nothing
 */
record FactorRule(int kind, double number) {
  /** Refuses a rule that is none of these. */
  static FactorRule of(ClippingRule clipping) {
    if (clipping instanceof ClippingRule.Flat) {
      return new FactorRule(0, 0);
    }
    if (clipping instanceof ClippingRule.Automatic automatic) {
      return new FactorRule(1, automatic.gamma());
    }
    if (clipping instanceof ClippingRule.Normalised) {
      return new FactorRule(2, 0);
    }
    if (clipping instanceof ClippingRule.Global global) {
      return new FactorRule(3, global.cutoff());
    }
    throw new IllegalArgumentException(
        "clipping of the engine "
            + CudaEngine.NAME
            + " must be flat, automatic, normalised or global, by exact norms; the engine cpu has"
            + " the others. Provided value: "
            + clipping);
  }
}
