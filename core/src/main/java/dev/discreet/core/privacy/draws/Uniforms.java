package dev.discreet.core.privacy.draws;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.function.IntToLongFunction;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * The uniform numbers of one release: number i of stream s has infinitely many binary digits, and
 * its 64 digits of round r are half of AES(key, (release, r·2¹⁶ + s, i/2)), with 64, 32 and 32
 * bits; the last bit of i chooses the half. So no two numbers and no two rounds share a digit, and
 * how many digits one number needs never shifts another. Not for several threads.
 */
public final class Uniforms {
  /** How many streams there may be. */
  public static final int STREAMS = 1 << 16;

  private static final int MOST_ROUNDS = 1 << 15;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final long release;
  private final Cipher cipher;
  // Two arrays, because a cipher that works in place makes a copy each time.
  private byte[] input = new byte[0];
  private byte[] output = input;

  public Uniforms(SecretKeySpec key, long release) {
    this.release = release;
    try {
      this.cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  /**
   * The first 64 digits of numbers of several streams, by one call of the cipher.
   *
   * @param streams which ones: streams[from] to streams[to − 1]
   * @param first of the numbers, even
   * @param count how many numbers of each stream, even
   * @param words receives those of one stream after those of another, in the order of the numbers
   */
  public void draw(int[] streams, int from, int to, int first, int count, long[] words) {
    int blocks = (to - from) * (count / 2);
    if (input.length < 16 * blocks) {
      input = new byte[16 * blocks];
      output = new byte[16 * blocks];
    }
    int block = 0;
    for (int s = from; s < to; s++) {
      for (int i = 0; i < count; i += 2) {
        address(block++, streams[s], first + i);
      }
    }
    encrypt(blocks);
    for (int i = 0; i < 2 * blocks; i++) {
      words[i] = (long) LONGS.get(output, 8 * i);
    }
  }

  /** Further digits of one number: 64 for each round from 1. */
  public IntToLongFunction digits(int stream, int number) {
    return round -> {
      if (round >= MOST_ROUNDS) {
        throw new IllegalStateException("a number has no more digits than " + 64 * MOST_ROUNDS);
      }
      address(0, round * STREAMS + stream, number);
      encrypt(1);
      return (long) LONGS.get(output, 8 * (number & 1));
    };
  }

  private void address(int block, int stream, int number) {
    LONGS.set(input, 16 * block, release);
    LONGS.set(input, 16 * block + 8, (long) stream << 32 | number >>> 1);
  }

  private void encrypt(int blocks) {
    try {
      cipher.update(input, 0, 16 * blocks, output, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES refused to go on", e);
    }
  }

  /**
   * One of the numbers from 0 to {@code bound} − 1, all exactly as likely (Lemire 2019): the first
   * digits choose evenly but for a few, which are passed over for those of the next round.
   */
  public static int below(int bound, long word, IntToLongFunction more) {
    long drawn = word;
    int round = 1;
    // Of 2⁶⁴ words, 2⁶⁴ mod bound are too many; that is less than the bound.
    while (Long.compareUnsigned(drawn * bound, bound) < 0
        && Long.compareUnsigned(drawn * bound, Long.remainderUnsigned(-bound, bound)) < 0) {
      drawn = more.applyAsLong(round++);
    }
    long upper = (drawn >>> 32) * bound;
    long lower = (drawn & 0xffff_ffffL) * bound;
    return (int) (upper + (lower >>> 32) >>> 32);
  }
}
