package dev.discreet.core.engine.cpu;

/**
 * What a tile's run knows beside its numbers; what dropout's masks depend on.
 *
 * @param units the id of each example's unit, and null where dropout is off
 * @param ordinals which of its unit's examples each one is
 */
record Pass(long release, long[] units, int[] ordinals) {
  /** The whole network: predictions, losses and public gradients. */
  static final Pass WHOLE = new Pass(0, null, null);

  /**
   * Whether the examples are private units': dropout is on, and a bad value spoils its unit only.
   */
  boolean isPrivate() {
    return units != null;
  }
}
