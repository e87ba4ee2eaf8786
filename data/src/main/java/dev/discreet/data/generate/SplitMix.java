package dev.discreet.data.generate;

/**
 * The SplitMix64 generator: every row of a set begins one of its own, so that no row depends on
 * which thread made it or on how many rows came before. Anyone can foresee it; it makes examples,
 * never noise that protects someone.
 */
final class SplitMix {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;
  private double spare = Double.NaN;

  private SplitMix(long state) {
    this.state = state;
  }

  /**
   * The generator of one row.
   *
   * @param stream keeps parts of a set apart, such as rows to train on and rows to test on
   */
  static SplitMix of(long seed, int stream, int row) {
    return new SplitMix(mix(mix(mix(seed + GOLDEN) + stream * GOLDEN) + row * GOLDEN));
  }

  private static long mix(long bits) {
    bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
    return bits ^ bits >>> 31;
  }

  long bits() {
    return mix(state += GOLDEN);
  }

  /** In [0, 1). */
  double uniform() {
    return (bits() >>> 11) * 0x1p-53;
  }

  double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }

  /** In [0, n), for an n so small that the remainder's bias is nothing. */
  int below(int n) {
    return (int) ((bits() >>> 1) % n);
  }

  boolean chance(double probability) {
    return uniform() < probability;
  }

  /**
   * Standard normal, by Box and Muller. Never beyond {@link #FARTHEST}: a uniform number here is at
   * least 2⁻⁵³ away from the end that has the logarithm.
   */
  double gaussian() {
    if (!Double.isNaN(spare)) {
      double value = spare;
      spare = Double.NaN;
      return value;
    }
    double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform()));
    double angle = 2 * Math.PI * uniform();
    spare = radius * StrictMath.sin(angle);
    return radius * StrictMath.cos(angle);
  }

  /** √(2·53·ln 2), rounded up. */
  static final double FARTHEST = 8.5721;
}
