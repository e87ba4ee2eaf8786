package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;

/**
 * How a clipped sum is made reproducible and its sensitivity exact.
 *
 * <p>Units fall into {@code chunks} by id. A chunk's members are added in order of their ids by
 * single-precision fused multiply-adds, the chunk's sum is rounded to multiples of 2^exponent, and
 * chunks are added as integers. So a unit more or less changes one chunk only.
 *
 * <p><b>Formal guarantee.</b> Let every member v of a chunk have ‖v‖ ≤ C(1 − 2⁻¹⁶) and let each be
 * added to the running sum with one rounding per coordinate (relative error at most 2⁻²⁴). With n ≤
 * {@code capacity} members the running sum's norm is at most nC, so one chunk's sum is off by at
 * most 2⁻²⁴·C·n(n+1)/2, and two neighbouring sums differ by at most {@link #sensitivity}. A chunk
 * with more members than its capacity is refused; {@link #of} chooses the capacity so that Poisson
 * sampling does that with probability below 1e-30 a chunk.
 */
public record Grid(int chunks, int capacity, int exponent) {
  /** Members are clipped to this share of the threshold; scaling then cannot pass it. */
  public static final double SHRINK = 1 - 0x1p-16;

  public Grid {
    Check.that(chunks >= 1, "chunks", "at least 1", chunks);
    Check.that(capacity >= 1 && capacity <= 1 << 16, "chunk capacity", "in [1, 65536]", capacity);
    Check.that(exponent >= -120 && exponent <= 100, "grid exponent", "in [-120, 100]", exponent);
  }

  /** The chunk of a unit. */
  public int chunk(long id) {
    return (int) Long.remainderUnsigned(id, chunks);
  }

  /**
   * How far a unit more or less moves the rounded sum, over {@code dimensions} coordinates.
   *
   * @param threshold the bound C on one member
   * @param carried the largest norm that a member has while it is added: C, or more where a term
   *     that cancels part of it is added apart
   */
  public double sensitivity(double threshold, double carried, int dimensions) {
    double n = capacity;
    double chain = 0x1p-24 * 1.001 * carried * (n + 1) * (n + 2);
    double rounding = Math.scalb(Math.sqrt(dimensions), exponent) * (1 + 1e-12);
    return threshold * SHRINK * (1 + 0x1p-20) + chain + rounding;
  }

  /**
   * @param expectedLot expected number of units in a lot of {@code units}
   * @param independent whether units are drawn independently; else lots have exactly that size
   * @param perChunk how many members a chunk should have on average
   * @param largest the largest threshold of the run
   */
  public static Grid of(
      long units, double expectedLot, boolean independent, double perChunk, double largest) {
    Check.positive(largest, "threshold");
    long chunks = Math.max(1, Math.min(1 << 20, (long) Math.ceil(expectedLot / perChunk)));
    double mean = Math.max(expectedLot, 1) / chunks;
    // Chernoff: P(X ≥ m + t) ≤ exp(−t²/(2(m + t/3))) < 1e-30 for this t, whatever the mean.
    double tail = 23.1 + Math.sqrt(23.1 * 23.1 + 2 * 69.2 * mean);
    double whole = Math.ceil((double) units / chunks);
    double capacity = Math.min(whole, independent ? Math.ceil(mean + tail) : whole);
    // A chunk's sum is below capacity·C and must fit 31 bits.
    int exponent =
        Math.getExponent(largest) + 1 + (32 - Integer.numberOfLeadingZeros((int) capacity)) - 30;
    return new Grid((int) chunks, (int) Math.max(1, capacity), exponent);
  }
}
