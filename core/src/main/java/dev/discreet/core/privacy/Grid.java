package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The grid that makes a clipped sum reproducible and its sensitivity exact.
 *
 * <p>Secret bits of each unit assign it to one of the {@code chunks}. A chunk's members are added
 * in their order by single-precision fused multiply-adds, the chunk's sum is rounded to multiples
 * of 2^exponent, and chunks are added as integers. So adding or removing a unit changes one chunk
 * only.
 *
 * <p><b>Formal guarantee.</b> Let every member v of a chunk have ‖v‖ ≤ C and let each be added to
 * the running sum with one rounding per coordinate, of relative error at most u = 2⁻²⁴. With n ≤
 * {@code capacity} ≤ 2¹⁶ members the k-th running sum has norm at most kC(1+u)ᵏ ≤ 1.004·kC. So the
 * error of one chunk's sum is at most 1.004·u·C·n(n+1)/2, and that of two sums twice as much.
 * Rounding to the grid moves each coordinate of each sum by at most half of 2^exponent. Together
 * that is {@link #sensitivity}. Where coordinates are so small that single precision loses them,
 * the grid is 2³⁰ times coarser than the loss; the grid's term is a thousandth larger to cover it.
 * A replaced unit, or one displaced from another chunk, moves the sum by at most twice the
 * sensitivity.
 *
 * <p>A chunk with more members than its capacity is refused. {@link #of} chooses the capacity so
 * that this has probability below 1e-30 a chunk, whatever the ids and the sampler, as long as a lot
 * has no more units than expected or is drawn at random with that expectation.
 *
 * <p>Where units lie in several places, each place has whole {@code buckets}. A unit is in the same
 * bucket for a whole run, by secret bits that are the same in every release, and a bucket has
 * equally many chunks of its own. So a chunk is never cut, wherever the buckets lie.
 *
 * @param chunks how many chunks there are, as many in each bucket
 * @param capacity the most members of a chunk
 * @param exponent sums are rounded to multiples of 2^exponent
 * @param buckets how many buckets there are; 1 where all units are in one place
 */
public record Grid(int chunks, int capacity, int exponent, int buckets) implements Serializable {
  /**
   * Members are clipped to this share of the threshold. A norm and a factor whose relative errors
   * are together less than 2⁻¹⁶ then cannot exceed the threshold itself.
   */
  public static final double SHRINK = 1 - 0x1p-16;

  /** Engines add chunks in 16-bit halves of 32-bit numbers. */
  public static final int MOST_CHUNKS = 1 << 15;

  public Grid {
    Check.that(
        chunks >= 1 && chunks <= MOST_CHUNKS, "chunks", "in [1, " + MOST_CHUNKS + "]", chunks);
    Check.that(capacity >= 1 && capacity <= 1 << 16, "chunk capacity", "in [1, 65536]", capacity);
    Check.that(exponent >= -120 && exponent <= 100, "grid exponent", "in [-120, 100]", exponent);
    Check.that(
        buckets >= 1 && buckets <= chunks && chunks % buckets == 0,
        "buckets",
        "at least 1 and such that each has equally many of " + chunks + " chunks",
        buckets);
  }

  /** All units in one place. */
  public Grid(int chunks, int capacity, int exponent) {
    this(chunks, capacity, exponent, 1);
  }

  /**
   * The chunk of each unit of a lot.
   *
   * @param choices the units' secret bits in this release, {@link SamplingKey#choices}
   */
  public int[] chunks(SamplingKey key, Units units, int[] lot, long[] choices) {
    int each = chunks / buckets;
    int[] found = buckets == 1 ? new int[lot.length] : key.buckets(units, lot, buckets);
    for (int i = 0; i < found.length; i++) {
      found[i] = found[i] * each + (int) ((choices[i] >>> 32) * each >>> 32);
    }
    return found;
  }

  /**
   * How far adding or removing one unit moves the rounded sum, over {@code dimensions} coordinates.
   *
   * @param threshold the bound C on one member
   * @param carried the largest norm that a member has while it is added: C, or more where a term
   *     that cancels part of it is added separately
   */
  public double sensitivity(double threshold, double carried, int dimensions) {
    double n = capacity;
    double chain = 0x1p-24 * 1.005 * carried * (n + 1) * (n + 2);
    double rounding = Math.scalb(Math.sqrt(dimensions), exponent) * (1 + 0x1p-10);
    return threshold + chain + rounding;
  }

  /**
   * @param expectedLot expected number of units in a lot
   * @param perChunk how many members a chunk should have on average
   * @param largest the greatest length that a member may have in the run: its largest threshold,
   *     times the rule's {@link ClippingRule#most}
   */
  public static Grid of(double expectedLot, double perChunk, double largest) {
    return of(expectedLot, perChunk, largest, 1);
  }

  /**
   * The same for units that lie in several places.
   *
   * @param buckets at most {@link #MOST_CHUNKS}
   */
  public static Grid of(double expectedLot, double perChunk, double largest, int buckets) {
    Check.that(
        largest > 0 && Double.isFinite(largest), "threshold", "finite and greater than 0", largest);
    Check.positive(perChunk, "members of a chunk");
    Check.that(
        buckets >= 1 && buckets <= MOST_CHUNKS, "buckets", "in [1, " + MOST_CHUNKS + "]", buckets);
    double inBucket = Math.ceil(expectedLot / perChunk / buckets);
    int chunks = buckets * (int) Math.max(1, Math.min(MOST_CHUNKS / buckets, inBucket));
    double mean = expectedLot / chunks + 1;
    // Chernoff: P(X ≥ m + t) ≤ exp(−t²/(2(m + t/3))) < 1e-30 for this t, for every mean. X is a sum
    // of independent choices of a chunk over a lot. The lot itself is fixed, drawn independently,
    // or drawn without replacement, which deviates less (Hoeffding 1963).
    double tail = 23.1 + Math.sqrt(23.1 * 23.1 + 2 * 69.2 * mean);
    double capacity = Math.ceil(mean + tail);
    return new Grid(chunks, (int) capacity, exponent(largest, (int) capacity), buckets);
  }

  /**
   * Whether lots of this average size keep every chunk within its capacity, except with probability
   * below 1e-12, by the same bound as {@link #of}. Lots of the declared number always do.
   */
  public boolean holds(double lot) {
    double mean = lot / chunks + 1;
    double room = capacity - mean;
    return room > 0 && room * room / (2 * (mean + room / 3)) > 27.7;
  }

  /** A chunk's sum is below capacity·C and must fit 31 bits. */
  private static int exponent(double largest, int capacity) {
    return Math.getExponent(largest) + 1 + (32 - Integer.numberOfLeadingZeros(capacity)) - 30;
  }

  /**
   * This grid for a step whose thresholds are all below the run's largest. It is finer, so that
   * rounding remains as small a share of the sensitivity. Thresholds are public or were released,
   * and so is what follows from them.
   */
  public Grid finer(ClippingRule clipping, double[] thresholds) {
    double largest = clipping.most() * Arrays.stream(thresholds).max().orElseThrow();
    return new Grid(chunks, capacity, Math.min(exponent, exponent(largest, capacity)), buckets);
  }
}
