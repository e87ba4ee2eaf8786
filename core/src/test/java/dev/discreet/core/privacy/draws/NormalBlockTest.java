package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class NormalBlockTest {
  private static final SecretKeySpec KEY =
      new SecretKeySpec(
          "sixteen bytes :-".getBytes(java.nio.charset.StandardCharsets.UTF_8), "AES");

  /** A word of the documented stream, from one AES block and nothing else. */
  private static long word(long release, int block, int place, int half)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, KEY);
    ByteBuffer counter = ByteBuffer.allocate(16).putLong(release).putInt(block).putInt(place);
    return ByteBuffer.wrap(cipher.doFinal(counter.array())).getLong(8 * half);
  }

  /** From key, release, block and place alone. */
  private static long alone(double deviation, long release, int block, int place)
      throws GeneralSecurityException {
    int pair = place / 16 * 8 + place % 8;
    int first = pair / 8 * 16 + pair % 8;
    long[] two = new long[2];
    ExactBoxMuller.pair(
        deviation,
        word(release, block, first / 2, first % 2),
        word(release, block, (first + 8) / 2, first % 2),
        round -> {
          try {
            int further = 2048 * round + pair;
            return new long[] {word(release, block, further, 0), word(release, block, further, 1)};
          } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
          }
        },
        two);
    return two[place % 16 / 8];
  }

  @Test
  void aNumberCanBeMadeAgainAlone() throws GeneralSecurityException {
    long[] all = new long[NormalBlock.SIZE];
    NormalBlock block = new NormalBlock(KEY);
    block.start(77, 5, NormalBlock.SIZE);
    block.add(0x1p36, 0, NormalBlock.SIZE, all, 0);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 500; i++) {
      int place = random.nextInt(NormalBlock.SIZE);
      assertEquals(alone(0x1p36, 77, 5, place), all[place]);
    }
  }

  @Test
  void furtherDigitsAreThoseOfTheStream() throws GeneralSecurityException {
    KeyStream stream = new KeyStream(KEY, 16).start(3, 9);
    long next = stream.next();
    assertEquals(word(3, 9, 0, 0), next);
    assertArrayEquals(new long[] {word(3, 9, 70_000, 0), word(3, 9, 70_000, 1)}, stream.at(70_000));
    assertEquals(word(3, 9, 0, 1), stream.next());
    for (int i = 0; i < 100; i++) {
      assertEquals(word(3, 9, 1 + i / 2, i % 2), stream.next());
    }
  }

  /** Wherever a part of the block begins and ends, and however much of it is wanted. */
  @Test
  void partsAreThoseOfTheWhole() {
    int size = 200;
    long[] whole = new long[size];
    NormalBlock block = new NormalBlock(KEY);
    block.start(1, 2, NormalBlock.SIZE);
    block.add(1e6, 0, size, whole, 0);
    block.start(1, 2, size);
    for (int from = 0; from <= 35; from++) {
      for (int to = from; to <= size; to += 1 + to / 40 * 7) {
        long[] part = new long[to - from + 1];
        block.add(1e6, from, to, part, 1);
        for (int i = from; i < to; i++) {
          assertEquals(whole[i], part[1 + i - from]);
        }
      }
    }
  }
}
