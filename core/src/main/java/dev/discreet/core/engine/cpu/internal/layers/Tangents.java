package dev.discreet.core.engine.cpu.internal.layers;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * One worker's forward mode: beside each buffer of values one that says how they move. What no op
 * writes stays 0: the input does not move.
 */
public final class Tangents {
  final ForwardDirection direction;
  private final Map<float[], float[]> moving = new IdentityHashMap<>();

  public Tangents(ForwardDirection direction) {
    this.direction = direction;
  }

  /** How the values of a buffer move. An op that works in place finds one buffer for both. */
  public float[] of(float[] values) {
    return moving.computeIfAbsent(values, key -> new float[key.length]);
  }
}
