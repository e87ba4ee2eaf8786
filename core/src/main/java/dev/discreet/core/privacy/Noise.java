package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.draws.BoxMuller;
import dev.discreet.core.privacy.draws.ExactDraws;
import dev.discreet.core.privacy.draws.KeyStream;
import dev.discreet.core.privacy.draws.Scores;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import javax.crypto.spec.SecretKeySpec;

/**
 * Noise on integers: s becomes s + round(N), with Gaussian or Laplace N. Also the choice of the
 * exponential mechanism. {@link PrivacySession} is the only caller.
 *
 * <p><b>Formal guarantee.</b> s + round(N) = round(s + N) for an integer s. So the result is a
 * function of s + N and costs what the Gaussian or Laplace mechanism costs, for every deviation.
 * Sums wrap at 2⁶³, which is a function of the result too; an exception there would reveal
 * something about s.
 *
 * <p>For Laplace noise and choices that is all: {@link ExactDraws} has exactly these probabilities.
 * (The discrete Laplace law on integers, a near relative, would be wrong. It is ε-private too, but
 * its worst loss has a probability above ½, so several releases together cost more than the
 * ledger's entry says.)
 *
 * <p>For Gaussian noise the following is taken as exact, and the accounting does not charge for it.
 * N comes in pairs, a radius of 52 or 105 bits and an angle of 54 ({@link BoxMuller}), in double
 * precision. Neighbouring radii lie at most 2⁻⁴⁵ deviations apart where one of a hundred pairs
 * falls, and less than 2⁻⁴⁸ elsewhere. This includes the centre and the tail, which reaches 12
 * deviations. Neighbouring angles lie less than 2⁻⁴⁷ deviations apart. Let the deviation be 2ᵏ grid
 * steps; for clipped sums k is about 23. Then at least 2⁴⁵⁻ᵏ circles of constant radius meet a
 * square of the grid, with 2⁴⁷⁻ᵏ points on each. By counting, one circle or point more or less is
 * how uneven the probabilities of neighbouring integer pairs can be: up to 2ᵏ⁻⁴⁵ where circles run
 * along the grid, as they do for a share 2ᵏ⁻⁴⁵ of the squares, and up to 2ᵏ⁻⁴⁷ elsewhere. That
 * grows with the deviation, while the accounted loss of privacy falls. So beyond {@link #EVEN} grid
 * steps a second, smaller noise is added. It is free, and it averages the first noise over millions
 * of squares.
 *
 * <p>Bits come from AES in counter mode. Coordinates are taken in blocks of {@link #BLOCK}. Each
 * block has its own counters (release, block, …), so the noise of a release does not depend on
 * threads.
 */
final class Noise {
  static final int BLOCK = 4096;
  static final double LARGEST = 0x1p36;

  /**
   * Noise above this gets a second noise of deviation {@link #SECOND}: a ten-thousandth more in
   * all.
   */
  static final double EVEN = 0x1p30;

  static final double SECOND = 0x1p24;

  private final SecretKeySpec key;
  // Ciphers are slow to make, and two threads cannot share one.
  private final ConcurrentLinkedQueue<Normals> idle = new ConcurrentLinkedQueue<>();

  Noise(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  /**
   * Adds noise in place. A (key, release) pair must never be used twice.
   *
   * @param ends where each group of coordinates ends
   * @param deviations standard deviation of each group's noise in grid steps
   */
  void add(long release, long[] integers, int[] ends, double[] deviations) {
    for (double deviation : deviations) {
      Check.that(
          deviation > 0 && deviation <= LARGEST,
          "noise in grid steps",
          "greater than 0 and at most 2^36",
          deviation);
    }
    int blocks = (integers.length + BLOCK - 1) / BLOCK;
    IntStream.range(0, blocks)
        .parallel()
        .forEach(block -> addBlock(release, block, integers, ends, deviations));
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

  /** A candidate with probability proportional to exp(ε·score/(2Δ)). */
  int choose(long release, Scores scores, double epsilon) {
    return exact(release).choose(scores, epsilon);
  }

  private ExactDraws exact(long release) {
    return new ExactDraws(new KeyStream(key, 0).start(release, 0));
  }

  private void addBlock(long release, int block, long[] integers, int[] ends, double[] deviations) {
    Normals taken = idle.poll();
    Normals normals = taken == null ? new Normals(key) : taken;
    normals.start(release, block);
    int end = (int) Math.min(integers.length, (block + 1L) * BLOCK);
    int group = 0;
    for (int i = block * BLOCK; i < end; ) {
      while (ends[group] <= i) {
        group++;
      }
      int stop = Math.min(end, ends[group]);
      normals.add(deviations[group], integers, i, stop);
      if (deviations[group] > EVEN) {
        normals.add(SECOND, integers, i, stop);
      }
      i = stop;
    }
    idle.add(normals);
  }

  /** Normals from the key stream of one block. */
  private static final class Normals {
    private static final int GROUP = BoxMuller.GROUP;

    private final KeyStream stream;
    private final long[] bits = new long[BLOCK];
    private final long[] last = new long[GROUP];
    private final BoxMuller normals = BoxMuller.fastest();

    Normals(SecretKeySpec key) {
      this.stream = new KeyStream(key, BLOCK);
    }

    void start(long release, int block) {
      stream.start(release, block);
    }

    void add(double deviation, long[] integers, int from, int to) {
      int groups = (to - from) / GROUP;
      stream.draw(bits, groups * GROUP);
      normals.add(deviation, bits, groups, integers, from, stream::next);
      int rest = from + groups * GROUP;
      if (rest < to) {
        Arrays.fill(last, 0);
        stream.draw(bits, GROUP);
        normals.add(deviation, bits, 1, last, 0, stream::next);
        for (int i = rest; i < to; i++) {
          integers[i] += last[i - rest];
        }
      }
    }
  }
}
