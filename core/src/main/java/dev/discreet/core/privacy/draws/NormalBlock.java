package dev.discreet.core.privacy.draws;

import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;

/**
 * The rounded normal numbers of one (release, block) pair. They have exactly the probabilities of
 * rounded normal numbers, given ideal bits. Each depends on key, release, block, its own place and
 * its deviation alone. Not for several threads.
 *
 * <p>Word w of the block is half of place w/2 of its {@link KeyStream}; the last bit of w chooses
 * the half. {@link BoxMuller} says which two words a number begins with. Round k of further digits
 * of pair p is place 2048·k + p.
 */
public final class NormalBlock {
  public static final int SIZE = 4096;
  private static final int GROUP = BoxMuller.GROUP;

  private final KeyStream stream;
  private final long[] words = new long[SIZE];
  private final long[] partly = new long[GROUP];
  private final BoxMuller normals;

  public NormalBlock(SecretKeySpec key) {
    this(key, BoxMuller.fastest());
  }

  NormalBlock(SecretKeySpec key, BoxMuller normals) {
    this.stream = new KeyStream(key, SIZE);
    this.normals = normals;
  }

  /**
   * Begins a block. The numbers of a (key, release, block) must never be used twice.
   *
   * @param size how many of its numbers are wanted, at most {@link #SIZE}
   */
  public void start(long release, int block, int size) {
    stream.start(release, block);
    stream.draw(words, (size + GROUP - 1) / GROUP * GROUP);
  }

  /**
   * Adds the numbers of places {@code from} to {@code to} − 1, times the deviation and then
   * rounded, to integers[at], …
   */
  public void add(double deviation, int from, int to, long[] integers, int at) {
    int first = (from + GROUP - 1) / GROUP;
    int last = to / GROUP;
    if (first > last) {
      addPart(deviation, from, to, integers, at);
      return;
    }
    addPart(deviation, from, first * GROUP, integers, at);
    int whole = at + first * GROUP - from;
    normals.add(deviation, words, first, last - first, integers, whole, this::digits);
    addPart(deviation, last * GROUP, to, integers, at + last * GROUP - from);
  }

  /** Numbers of one group, not all. */
  private void addPart(double deviation, int from, int to, long[] integers, int at) {
    if (from == to) {
      return;
    }
    Arrays.fill(partly, 0);
    normals.add(deviation, words, from / GROUP, 1, partly, 0, this::digits);
    for (int i = from; i < to; i++) {
      integers[at + i - from] += partly[i % GROUP];
    }
  }

  private long[] digits(int pair, int round) {
    return stream.at(SIZE / 2 * round + pair);
  }
}
