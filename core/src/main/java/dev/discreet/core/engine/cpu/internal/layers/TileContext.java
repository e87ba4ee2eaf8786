package dev.discreet.core.engine.cpu.internal.layers;

/**
 * What a tile's run knows beside its numbers; what dropout's masks depend on.
 *
 * @param choices the secret bits of each example's unit in this release; null for public examples
 * @param ordinals which of its unit's examples each one is
 */
public record TileContext(long[] choices, int[] ordinals) {
  /** The whole network: predictions, losses and public gradients. */
  public static final TileContext WHOLE = new TileContext(null, null);

  /** Whether these are private units': dropout is on. */
  boolean isPrivate() {
    return choices != null;
  }
}
