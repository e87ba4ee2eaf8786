package dev.discreet.core.engine.cpu;

/**
 * What a tile's run knows beside its numbers; what dropout's masks depend on.
 *
 * @param choices the secret bits of each example's unit in this release; null for public examples
 * @param ordinals which of its unit's examples each one is
 */
record Pass(long[] choices, int[] ordinals) {
  /** The whole network: predictions, losses and public gradients. */
  static final Pass WHOLE = new Pass(null, null);

  /** Whether these are private units': dropout is on. */
  boolean isPrivate() {
    return choices != null;
  }
}
