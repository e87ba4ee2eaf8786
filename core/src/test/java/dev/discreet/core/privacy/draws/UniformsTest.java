package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.function.IntToLongFunction;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class UniformsTest {
  private static final SecretKeySpec KEY =
      new SecretKeySpec(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}, "AES");

  /** Made again by the definition, from AES. */
  private static long word(long release, int round, int stream, int number) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, KEY);
    ByteBuffer block =
        ByteBuffer.allocate(16).putLong(release).putInt((round << 16) + stream).putInt(number / 2);
    return ByteBuffer.wrap(cipher.doFinal(block.array())).getLong(8 * (number % 2));
  }

  @Test
  void everyNumberIsThatOfItsOwnBlock() throws Exception {
    for (long release : new long[] {0, 7, 1L << 40, -3}) {
      Uniforms uniforms = new Uniforms(KEY, release);
      int[] streams = {5, 0, 32_767, 8};
      long[] words = new long[3 * 6];
      uniforms.draw(streams, 1, 4, 10, 6, words);
      for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 6; i++) {
          assertEquals(word(release, 0, streams[s + 1], 10 + i), words[6 * s + i]);
        }
      }
      for (int number : new int[] {0, 1, 12, 13, Integer.MAX_VALUE}) {
        for (int round : new int[] {1, 2, 32_767}) {
          assertEquals(
              word(release, round, 8, number), uniforms.digits(8, number).applyAsLong(round));
        }
      }
      assertThrows(
          IllegalStateException.class, () -> uniforms.digits(8, 0).applyAsLong(1 << 15), "no more");
    }
  }

  /** The words of one number are as many as those of another; those that are too many are not. */
  @Test
  void belowIsExactlyEven() {
    IntToLongFunction next = round -> -1;
    for (int bound : new int[] {1, 2, 3, 5, 1000, 1 << 20, 1 << 30, Integer.MAX_VALUE}) {
      BigInteger b = BigInteger.valueOf(bound);
      BigInteger all = BigInteger.ONE.shiftLeft(64);
      BigInteger tooMany = all.mod(b);
      for (int one : new int[] {0, 1, bound / 2, bound - 2, bound - 1}) {
        if (one < 0 || one >= bound) {
          continue;
        }
        // The words with w·b in [one·2⁶⁴ + tooMany, (one + 1)·2⁶⁴).
        BigInteger[] from =
            all.multiply(BigInteger.valueOf(one)).add(tooMany).divideAndRemainder(b);
        BigInteger first = from[1].signum() == 0 ? from[0] : from[0].add(BigInteger.ONE);
        BigInteger end = all.multiply(BigInteger.valueOf(one + 1L)).subtract(BigInteger.ONE);
        BigInteger last = end.divide(b);
        assertEquals(all.divide(b), last.subtract(first).add(BigInteger.ONE), "as many as others");
        IntToLongFunction none =
            round -> {
              throw new AssertionError("one of the words of " + one);
            };
        assertEquals(one, Uniforms.below(bound, first.longValue(), none));
        assertEquals(one, Uniforms.below(bound, last.longValue(), none));
        if (tooMany.signum() > 0 && first.signum() > 0) {
          int before = Uniforms.below(bound, first.subtract(BigInteger.ONE).longValue(), next);
          assertTrue(before == one - 1 || before == bound - 1, bound + ": " + before);
        }
      }
    }
    int[] rounds = {0};
    int drawn =
        Uniforms.below(
            3,
            0,
            round -> {
              rounds[0] = round;
              return round < 4 ? 0 : -1;
            });
    assertEquals(2, drawn);
    assertEquals(4, rounds[0]);
  }
}
