package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Gaussian noise on integers: s becomes s + round(N), and where N is large s + round(N) + U with a
 * small independent U. {@link PrivacySession} is the only caller.
 *
 * <p><b>Formal guarantee.</b> s + round(N) = round(s + N) for an integer s, so what comes out is a
 * function of s + N and of U, which knows nothing, and costs what the Gaussian mechanism costs,
 * whatever the deviation. Sums wrap at 2⁶³, which is a function of the result too; an exception
 * there would tell about s.
 *
 * <p>What that takes as exact, and the accounting does not charge for: N is a double, a standard
 * normal by the ziggurat method over 64-bit numbers, times the deviation. In each layer of the
 * ziggurat the normal's values lie up to 2⁻⁵¹ apart, so that with a deviation of 2ᵏ grid steps an
 * integer gets its probability only to within a factor 1 ± 2ᵏ⁻⁵¹, by counting, and over a million
 * coordinates and many steps that adds up. U, uniform over a 256th of the deviation or 2¹⁶ steps,
 * whichever is less, blurs those gaps: 1 ± 2⁻³⁵ for k < 16, 1 ± 2⁻⁴² up to 24, where the deviations
 * of clipped sums lie, and 1 ± 2ᵏ⁻⁶⁷ beyond. U raises the noise's deviation by less than a
 * millionth.
 *
 * <p>Bits come from AES in counter mode. Coordinates are taken in blocks of {@link #BLOCK}, each
 * with its own counters (release, block, …), so the noise of a release does not depend on threads.
 */
final class Noise {
  static final int BLOCK = 4096;
  static final double LARGEST = 0x1p40;

  private final SecretKeySpec key;
  // Ciphers are slow to make and not for two threads at once.
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
  void add(long release, long[] integers, int[] ends, double[] deviations, boolean parallel) {
    for (double deviation : deviations) {
      Check.that(
          deviation > 0 && deviation <= LARGEST,
          "noise in grid steps",
          "greater than 0 and at most 2^40",
          deviation);
    }
    int blocks = (integers.length + BLOCK - 1) / BLOCK;
    IntStream numbers = IntStream.range(0, blocks);
    (parallel && blocks > 1 ? numbers.parallel() : numbers)
        .forEach(block -> addBlock(release, block, integers, ends, deviations));
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
      i = stop;
    }
    idle.add(normals);
  }

  /** Standard normals from the key stream of one block. */
  private static final class Normals implements UniformRandomProvider {
    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final SecretKeySpec key;
    private final Cipher cipher;
    // Apart, because a cipher that works in place makes a copy each time.
    private final byte[] zeros = new byte[8 * 1024];
    private final byte[] bytes = new byte[zeros.length];
    private final ContinuousSampler sampler = ZigguratSampler.NormalizedGaussian.of(this);
    private int next;

    Normals(SecretKeySpec key) {
      this.key = key;
      try {
        this.cipher = Cipher.getInstance("AES/CTR/NoPadding");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java has no AES in counter mode", e);
      }
    }

    void start(long release, int block) {
      byte[] counter = new byte[16];
      ByteBuffer.wrap(counter).putLong(release).putInt(block);
      try {
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("AES refused its key", e);
      }
      next = bytes.length;
    }

    void add(double deviation, long[] integers, int from, int to) {
      for (int i = from; i < to; i++) {
        integers[i] += (long) Math.rint(deviation * sampler.sample());
      }
      if (deviation >= 0x1p16) {
        int spare = Math.max(0, 24 - Math.getExponent(deviation));
        // Sixteen bits each, so that one number serves four coordinates.
        for (int i = from; i < to; i += 4) {
          long bits = nextLong();
          for (int k = i; k < Math.min(i + 4, to); k++) {
            integers[k] += (short) bits >> spare;
            bits >>>= 16;
          }
        }
      }
    }

    @Override
    public long nextLong() {
      if (next == bytes.length) {
        refill();
      }
      long bits = (long) LONGS.get(bytes, next);
      next += 8;
      return bits;
    }

    private void refill() {
      try {
        cipher.update(zeros, 0, zeros.length, bytes, 0);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("AES refused to go on", e);
      }
      next = 0;
    }
  }
}
