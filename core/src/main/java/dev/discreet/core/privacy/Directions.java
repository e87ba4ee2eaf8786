package dev.discreet.core.privacy;

import dev.discreet.core.privacy.draws.NormalBlock;
import java.util.stream.IntStream;
import javax.crypto.spec.SecretKeySpec;

/**
 * Random directions from AES in counter mode: normal numbers that are rounded once, and have
 * exactly the probabilities of such numbers. Each block has a stream of its own, (release, number
 * and block), so the directions do not depend on threads.
 */
final class Directions {
  private static final int BLOCK = NormalBlock.SIZE;
  private static final double SCALE = 1 / SamplingKey.DIRECTION_STEP;

  private Directions() {}

  static void fill(SecretKeySpec key, long release, int number, float[] to) {
    int blocks = (to.length + BLOCK - 1) / BLOCK;
    // The stream has twelve bits for the number and twenty for the block, which is enough for 2³¹
    // floats.
    IntStream.range(0, blocks)
        .parallel()
        .forEach(block -> fillBlock(key, release, number << 20 | block, block * BLOCK, to));
  }

  private static void fillBlock(SecretKeySpec key, long release, int part, int from, float[] to) {
    int size = Math.min(to.length - from, BLOCK);
    NormalBlock normals = new NormalBlock(key);
    normals.start(release, part, size);
    long[] integers = new long[size];
    normals.add(SCALE, 0, size, integers, 0);
    for (int i = 0; i < size; i++) {
      to[from + i] = (float) (integers[i] * SamplingKey.DIRECTION_STEP);
    }
  }
}
