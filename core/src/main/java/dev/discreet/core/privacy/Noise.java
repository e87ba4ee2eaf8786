package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.core.parallel.ParallelBlocks;
import dev.discreet.core.privacy.draws.ExactDraws;
import dev.discreet.core.privacy.draws.KeyOdds;
import dev.discreet.core.privacy.draws.KeyStream;
import dev.discreet.core.privacy.draws.NormalBlock;
import dev.discreet.core.privacy.draws.Scores;
import dev.discreet.core.privacy.overtime.SharedNoise;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;

/**
 * Noise on integers: s becomes s + round(N), with Gaussian or Laplace N. Also the choice of the
 * exponential mechanism, and that of undeclared keys. {@link PrivacySession} is the only caller.
 *
 * <p><b>Formal guarantee.</b> s + round(N) = round(s + N) for an integer s. So the result is a
 * function of s + N and costs what the Gaussian or Laplace mechanism costs, for every deviation.
 * Sums wrap at 2⁶³, which is a function of the result too; an exception there would reveal
 * something about s.
 *
 * <p>That is all, because every draw has exactly these probabilities, given ideal bits ({@link
 * NormalBlock}, {@link ExactDraws}; docs/trust.md has the proof). (The discrete Laplace law on
 * integers, a near relative, would be wrong. It is ε-private too, but its worst loss has a
 * probability above ½, so several releases together cost more than the ledger's entry says.)
 *
 * <p>Bits come from AES in counter mode. Gaussian noise depends on key, release, coordinate and
 * deviation alone, so that it can be made again anywhere, in any order and on any number of
 * threads.
 */
final class Noise {
  static final int BLOCK = NormalBlock.SIZE;
  static final double LARGEST = 0x1p36;

  private final SecretKeySpec key;
  // Ciphers are slow to make, and two threads cannot share one.
  private final ConcurrentLinkedQueue<NormalBlock> idle = new ConcurrentLinkedQueue<>();

  Noise(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  /**
   * Writes the integers with noise to another array. A (key, release) pair must never be used
   * twice.
   *
   * @param ends where each group of coordinates ends
   * @param deviations standard deviation of each group's noise in grid steps
   * @param to as long as the integers, or the same array
   */
  void add(long release, long[] integers, int[] ends, double[] deviations, long[] to) {
    for (double deviation : deviations) {
      Check.that(
          deviation > 0 && deviation <= LARGEST,
          "noise in grid steps",
          "greater than 0 and at most 2^36",
          deviation);
    }
    try {
      ParallelBlocks.each(
          (integers.length + BLOCK - 1) / BLOCK,
          block -> {
            int start = block * BLOCK;
            System.arraycopy(integers, start, to, start, Math.min(BLOCK, integers.length - start));
            addBlock(release, block, to, ends, deviations);
          });
    } catch (RuntimeException | Error e) {
      // Some of it may be without noise.
      Arrays.fill(to, 0);
      throw e;
    }
  }

  /**
   * Adds Laplace noise in place, exactly. A (key, release) pair must never be used twice.
   *
   * @param scale of the noise, in grid steps
   */
  void addLaplace(long release, long[] integers, BigDecimal scale) {
    ExactDraws.Laplace law = ExactDraws.Laplace.of(scale);
    ExactDraws draws = exact(release);
    for (int i = 0; i < integers.length; i++) {
      integers[i] += draws.rounded(law);
    }
  }

  /** For each scores a candidate, with probability proportional to exp(ε·score/(2Δ)). */
  int[] choose(long release, Stream<Scores> scores, double epsilon) {
    ExactDraws draws = exact(release);
    return scores.sequential().mapToInt(each -> draws.choose(each, epsilon)).toArray();
  }

  /** Which keys are shown, by how many units have each. */
  boolean[] select(long release, KeyOdds odds, long[] units) {
    ExactDraws draws = exact(release);
    boolean[] shown = new boolean[units.length];
    for (int i = 0; i < shown.length; i++) {
      shown[i] = draws.shows(odds, units[i]);
    }
    return shown;
  }

  private ExactDraws exact(long release) {
    return new ExactDraws(new KeyStream(key, 0).start(release, 0));
  }

  private void addBlock(long release, int block, long[] integers, int[] ends, double[] deviations) {
    NormalBlock taken = idle.poll();
    NormalBlock normals = taken == null ? new NormalBlock(key) : taken;
    int start = block * BLOCK;
    int end = (int) Math.min(integers.length, start + (long) BLOCK);
    normals.start(release, block, end - start);
    int group = 0;
    for (int i = start; i < end; ) {
      while (ends[group] <= i) {
        group++;
      }
      int stop = Math.min(end, ends[group]);
      normals.add(deviations[group], i - start, stop - start, integers, i);
      i = stop;
    }
    idle.add(normals);
  }

  /**
   * The noise of a run whose steps share it, as {@link SharedNoise} says.
   *
   * @param steps of the run
   */
  Shared shared(SharedNoise matrix, long steps) {
    return new Shared(matrix, steps);
  }

  /**
   * The noise of a run that is going on. What it keeps would lay open what was released, so nobody
   * saves it, and a run that is cut short cannot go on.
   */
  final class Shared {
    // Their sums, times coefficients, stay below 2^62.
    private static final long MOST = 1L << 39;

    private final int[] factor;
    private final double moved;
    private final long[][] last;
    private final long steps;
    private long step;
    private long begun;
    private int exponent;
    private double[] deviations;
    private int[] ends;

    private Shared(SharedNoise matrix, long steps) {
      this.factor = matrix.coefficients().stream().mapToInt(c -> c).toArray();
      this.moved = matrix.sensitivity();
      this.last = new long[matrix.bands()][];
      this.steps = steps;
    }

    /** The step that is next; the run is over where it is not below the number of steps. */
    long next() {
      return step;
    }

    /** A step that has begun and is not added to is lost, and with it all that would follow. */
    void begin() {
      begun = step;
      step = steps;
    }

    /**
     * Adds the noise of the step that has begun.
     *
     * @param release an id that was never used
     * @param exponent the integers are multiples of 2^exponent, in each step of the same
     * @param deviations of each group in grid steps, in each step the same: the accounted
     *     multiplier times the sensitivity of one step. That of z is {@link
     *     SharedNoise#sensitivity} times it
     * @param to as long as the integers
     */
    void add(
        long release, long[] integers, int exponent, int[] ends, double[] deviations, long[] to) {
      if (this.deviations == null) {
        this.exponent = exponent;
        this.deviations = deviations.clone();
        this.ends = ends.clone();
      }
      Check.that(
          exponent == this.exponent
              && Arrays.equals(deviations, this.deviations)
              && Arrays.equals(ends, this.ends),
          "value of a step with noise over time",
          "of the same grid, groups and sensitivities as those before",
          "another");
      long now = begun;
      int slot = (int) (now % last.length);
      long[] fine = last[slot] == null ? new long[integers.length] : last[slot];
      Arrays.fill(fine, 0);
      Noise.this.add(
          release,
          fine,
          ends,
          Arrays.stream(deviations)
              .map(each -> Math.scalb(each * moved, SharedNoise.BITS))
              .toArray(),
          fine);
      last[slot] = fine;
      int before = (int) Math.min(now, last.length - 1);
      ParallelBlocks.each(
          0,
          fine.length,
          (from, end) -> {
            for (int j = 1; j <= before; j++) {
              long[] earlier = last[(int) ((now - j) % last.length)];
              long share = factor[j];
              for (int i = from; i < end; i++) {
                fine[i] -= share * earlier[i];
              }
            }
            for (int i = from; i < end; i++) {
              long y = fine[i] + (1L << SharedNoise.BITS - 1) >> SharedNoise.BITS;
              if (y > MOST || y < -MOST) {
                throw new ArithmeticException("noise over time went beyond its range");
              }
              fine[i] = y;
              to[i] = integers[i] + y;
            }
          });
      step = now + 1;
    }
  }
}
