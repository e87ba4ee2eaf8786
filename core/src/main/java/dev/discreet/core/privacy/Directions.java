package dev.discreet.core.privacy;

import dev.discreet.core.privacy.draws.BoxMuller;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Random directions from AES in counter mode by {@link BoxMuller}. Each block has a counter of its
 * own, (release, number, block, …), so the directions do not depend on threads.
 */
final class Directions {
  private static final int BLOCK = 4096;
  private static final double SCALE = 1 / SamplingKey.DIRECTION_STEP;

  private Directions() {}

  static void fill(SecretKeySpec key, long release, int number, float[] to) {
    int blocks = (to.length + BLOCK - 1) / BLOCK;
    // The counter has twelve bits for the number and twenty for the block, which is enough for 2³¹
    // floats.
    IntStream.range(0, blocks)
        .parallel()
        .forEach(block -> fillBlock(key, release, number << 20 | block, block * BLOCK, to));
  }

  private static void fillBlock(SecretKeySpec key, long release, int part, int from, float[] to) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      byte[] counter = new byte[16];
      ByteBuffer.wrap(counter).putLong(release).putInt(part);
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
      int end = Math.min(to.length, from + BLOCK);
      int groups = (end - from + BoxMuller.GROUP - 1) / BoxMuller.GROUP;
      long[] bits = new long[groups * BoxMuller.GROUP];
      ByteBuffer.wrap(cipher.update(new byte[8 * bits.length])).asLongBuffer().get(bits);
      long[] normals = new long[bits.length];
      BoxMuller.fastest().add(SCALE, bits, groups, normals, 0, () -> more(cipher));
      for (int i = from; i < end; i++) {
        to[i] = (float) (normals[i - from] * SamplingKey.DIRECTION_STEP);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES in counter mode", e);
    }
  }

  private static long more(Cipher cipher) {
    return ByteBuffer.wrap(cipher.update(new byte[16])).getLong();
  }
}
