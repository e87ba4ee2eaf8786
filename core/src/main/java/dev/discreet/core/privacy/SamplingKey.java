package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that decides which units are in which lot. Whoever knows it knows the lots, and the
 * guarantee's amplification by sampling is gone: it is never printed, saved or released.
 */
public final class SamplingKey {
  private final SecretKeySpec key;

  private SamplingKey(byte[] bytes) {
    Check.that(bytes.length == 16, "sampling key", "16 bytes", bytes.length);
    this.key = new SecretKeySpec(bytes, "AES");
  }

  /** A fresh one from the system's cryptographic generator. */
  public static SamplingKey fresh() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return new SamplingKey(bytes);
  }

  /** A key that anyone can guess, for repeatable runs that protect no one. */
  public static SamplingKey insecure(long seed) {
    byte[] bytes = new byte[16];
    java.nio.ByteBuffer.wrap(bytes).putLong(seed).putLong(~seed);
    return new SamplingKey(bytes);
  }

  /**
   * 64 uniform bits for each of {@code count} consecutive ids from {@code first}, which must be
   * even; the same for the same (release, id) wherever and however often they are asked for.
   */
  public void bits(long release, long first, int count, long[] to) {
    Check.that(first % 2 == 0, "first id", "even", first);
    try {
      // Counter mode: block i of the key stream is the encryption of (release, first/2 + i).
      byte[] counter = new byte[16];
      java.nio.ByteBuffer.wrap(counter).putLong(release).putLong(first >>> 1);
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
      byte[] zeros = new byte[8 * 2048];
      byte[] stream = new byte[8 * 2048];
      var longs = java.nio.ByteBuffer.wrap(stream).asLongBuffer();
      for (int done = 0; done < count; done += 2048) {
        int now = Math.min(2048, count - done);
        cipher.update(zeros, 0, 8 * ((now + 1) & ~1), stream, 0);
        longs.rewind().get(to, done, now);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES in counter mode", e);
    }
  }

  @Override
  public String toString() {
    return "SamplingKey[secret]";
  }
}
