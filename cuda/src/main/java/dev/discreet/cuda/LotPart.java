package dev.discreet.cuda;

import java.util.Arrays;

/**
 * A part of a lot that goes through the device at once: members, which are units that add
 * something, their usable examples one after another, and where chunks end among the members. A
 * chunk that a part cuts has its running sum in one of two buffers of the device.
 */
final class LotPart {
  /** For each example its place among the rows, its unit's secret bits, and which it is of it. */
  int[] row;

  long[] choice;
  int[] ordinal;
  int examples;

  /** For each member its first example here, how many it has here, and where it is written out. */
  int[] first;

  int[] count;
  int[] slot;

  /**
   * For each member what its summed gradient is multiplied by, and whether an example is missing.
   */
  float[] divide;

  int[] partly;
  int[] unit;
  long[] memberChoice;
  int members;
  int slots;

  int[] chunkEnd;
  int chunks;

  /**
   * The buffer with the sum of the first chunk so far, and that for the last one's; −1 for none.
   */
  int openIn = -1;

  int openOut = -1;

  /** Whether members' gradients start from zero here, and whether they are whole after it. */
  boolean begins = true;

  boolean ends = true;

  LotPart() {
    row = new int[64];
    choice = new long[64];
    ordinal = new int[64];
    first = new int[64];
    count = new int[64];
    slot = new int[64];
    divide = new float[64];
    partly = new int[64];
    unit = new int[64];
    memberChoice = new long[64];
    chunkEnd = new int[64];
  }

  void example(int place, long bits, int number) {
    if (examples == row.length) {
      row = Arrays.copyOf(row, 2 * examples);
      choice = Arrays.copyOf(choice, 2 * examples);
      ordinal = Arrays.copyOf(ordinal, 2 * examples);
    }
    row[examples] = place;
    choice[examples] = bits;
    ordinal[examples++] = number;
  }

  /** A member whose examples follow. */
  void member(int of, long bits, int size, boolean written, float share, boolean isPartly) {
    if (members == first.length) {
      first = Arrays.copyOf(first, 2 * members);
      count = Arrays.copyOf(count, 2 * members);
      slot = Arrays.copyOf(slot, 2 * members);
      divide = Arrays.copyOf(divide, 2 * members);
      partly = Arrays.copyOf(partly, 2 * members);
      unit = Arrays.copyOf(unit, 2 * members);
      memberChoice = Arrays.copyOf(memberChoice, 2 * members);
    }
    first[members] = examples;
    count[members] = size;
    slot[members] = written ? slots++ : -1;
    divide[members] = share;
    partly[members] = isPartly ? 1 : 0;
    memberChoice[members] = bits;
    unit[members++] = of;
  }

  void endChunk() {
    if (chunks == chunkEnd.length) {
      chunkEnd = Arrays.copyOf(chunkEnd, 2 * chunks);
    }
    chunkEnd[chunks++] = members;
  }
}
