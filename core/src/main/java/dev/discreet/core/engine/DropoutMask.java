package dev.discreet.core.engine;

import dev.discreet.core.nn.Layer.Dropout;
import dev.discreet.core.nn.Layout;

/**
 * Which values of a dropout layer one example keeps in one release.
 *
 * <p>It is a function of the unit's secret choices, so every engine draws the same mask however it
 * divides the work, and a unit's mask never depends on the other units. The choices must be secret
 * ({@link dev.discreet.core.privacy.SamplingKey#choices} says why); how they are stretched over a
 * layer need not be, so a fast hash serves. Masks are drawn for gradients that have a release,
 * those of a {@link GradientSource}; predictions, losses and {@link PublicGradients} see the whole
 * network.
 */
public record DropoutMask(long key, double rate) {
  static final long STEP = 0x9e3779b97f4a7c15L;

  /**
   * @param choice the unit's secret bits in this release
   * @param example which of the unit's examples, from 0
   * @param node the dropout layer in its place
   */
  public static DropoutMask of(long choice, int example, Layout.Node node) {
    long key = mix((choice ^ example) + STEP);
    key = mix((key ^ node.name().hashCode()) + STEP);
    return new DropoutMask(key, ((Dropout) node.layer()).rate());
  }

  /** Whether the value at this index of the layer, channels last, is kept. */
  public boolean keeps(int element) {
    return (mix(key + (element + 1) * STEP) >>> 11) * 0x1p-53 >= rate;
  }

  /** What kept values are multiplied by, so that the expectation stays. */
  public double scale() {
    return 1 / (1 - rate);
  }

  /** The output function of SplitMix64 (Steele, Lea and Flood 2014). */
  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
