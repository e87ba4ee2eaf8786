package dev.discreet.core.privacy.draws;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The random bits of one (release, block) pair: AES in counter mode. Place p of the stream is the
 * encryption of (release, block, p), with 64, 32 and 32 bits. Not for several threads.
 */
public final class KeyStream implements Dice {
  private final SecretKeySpec key;
  private final Cipher cipher;
  private final ByteBuffer counter = ByteBuffer.allocate(16);
  // Separate arrays, because a cipher that works in place makes a copy each time.
  private final byte[] zeros;
  private final byte[] bytes;
  private final ByteBuffer view;
  private final long[] spare = new long[32];
  private int spareNext;

  /**
   * @param most how many numbers one {@link #draw} takes at most
   */
  public KeyStream(SecretKeySpec key, int most) {
    this.key = key;
    this.zeros = new byte[8 * Math.max(most, spare.length)];
    this.bytes = new byte[zeros.length];
    this.view = ByteBuffer.wrap(bytes);
    this.cipher = counterMode();
  }

  public KeyStream start(long release, int block) {
    counter.putLong(0, release).putInt(8, block);
    start(cipher, 0);
    spareNext = spare.length;
    return this;
  }

  private static Cipher counterMode() {
    try {
      return Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES in counter mode", e);
    }
  }

  private void start(Cipher cipher, int place) {
    counter.putInt(12, place);
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter.array()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES refused its key", e);
    }
  }

  /** The two 64-bit numbers at a place of the stream, wherever the stream stands. */
  public long[] at(int place) {
    Cipher own = counterMode();
    start(own, place);
    ByteBuffer pair = ByteBuffer.wrap(own.update(new byte[16]));
    return new long[] {pair.getLong(), pair.getLong()};
  }

  /** The next {@code count} 64-bit numbers of the stream. */
  public void draw(long[] to, int count) {
    try {
      cipher.update(zeros, 0, 8 * count, bytes, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES refused to go on", e);
    }
    view.asLongBuffer().get(to, 0, count);
  }

  /** The next 64-bit number of the stream. */
  public long next() {
    if (spareNext == spare.length) {
      draw(spare, spare.length);
      spareNext = 0;
    }
    return spare[spareNext++];
  }

  /** Exactly even: numbers that are too large are drawn again. */
  @Override
  public long below(long bound) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(bound - 1);
    if (bits == 0) {
      return 0;
    }
    long drawn;
    do {
      drawn = next() >>> (Long.SIZE - bits);
    } while (drawn >= bound);
    return drawn;
  }
}
