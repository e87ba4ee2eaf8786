package dev.discreet.spark;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.core.privacy.Units;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rows of one partition as an engine reads them: units sorted by id, the values of their
 * examples one after another. It has whole buckets.
 */
final class PackedRows implements Serializable {
  /** Values of a segment, about: an array cannot have more than 2^31. */
  private static final int SEGMENT = 1 << 24;

  private final Shape input;
  private final int targets;
  private final int place;

  /** The first halves of names of 128 bits; null where units have numbers. */
  private final long[] high;

  private final long[] ids;

  /** Where the examples of each unit begin; one more at the end. */
  private final int[] start;

  private final int examplesInSegment;
  private final float[][] segments;
  private final Fingerprint fingerprint;

  // Made anew on every machine.
  private transient volatile LocalData data;

  /** 128 bits of what rows are: others have others. */
  record Fingerprint(long first, long second) implements Serializable {}

  private PackedRows(int place, boolean named, Shape input, int targets, RowBlock.Place[] rows) {
    this.place = place;
    this.input = input;
    this.targets = targets;
    int values = input.size() + targets;
    this.examplesInSegment = Math.max(1, SEGMENT / values);
    int units = 0;
    int examples = 0;
    for (int i = 0; i < rows.length; i++) {
      units += i == 0 || !rows[i].isOfUnit(rows[i - 1]) ? 1 : 0;
      examples += rows[i].isExample() ? 1 : 0;
    }
    this.high = named ? new long[units] : null;
    this.ids = new long[units];
    this.start = new int[units + 1];
    this.segments = new float[(examples + examplesInSegment - 1) / examplesInSegment][];
    for (int s = 0; s < segments.length; s++) {
      segments[s] =
          new float[Math.min(examplesInSegment, examples - s * examplesInSegment) * values];
    }
    MessageDigest sha = sha256();
    int unit = -1;
    int example = 0;
    for (int i = 0; i < rows.length; i++) {
      if (i == 0 || !rows[i].isOfUnit(rows[i - 1])) {
        UnitName name = rows[i].unit();
        ids[++unit] = name.low();
        if (named) {
          high[unit] = name.high();
        }
      }
      if (rows[i].isExample()) {
        float[] segment = segments[example / examplesInSegment];
        rows[i].values(segment, example % examplesInSegment * values);
        example++;
      }
      start[unit + 1] = example;
      sha.update(rows[i].block(), rows[i].at(), rows[i].end() - rows[i].at());
    }
    ByteBuffer digest = ByteBuffer.wrap(sha.digest());
    this.fingerprint = new Fingerprint(digest.getLong(), digest.getLong());
  }

  /**
   * @param place the number of the partition
   * @param named whether units have names of 128 bits
   * @param most how many examples of a member are kept
   */
  static PackedRows of(
      int place, boolean named, Shape input, int targets, int most, List<byte[]> blocks) {
    RowBlock.Place[] rows = RowBlock.sorted(blocks, input.size() + targets, most);
    return new PackedRows(place, named, input, targets, rows);
  }

  /** No rows. */
  static PackedRows none(Shape input, int targets) {
    return of(0, false, input, targets, Integer.MAX_VALUE, List.of());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  Fingerprint fingerprint() {
    return fingerprint;
  }

  /** The number of the partition. */
  int place() {
    return place;
  }

  /** As an engine of this machine takes them. */
  LocalData data() {
    LocalData made = data;
    if (made == null) {
      int[][] members = new int[ids.length][];
      for (int unit = 0; unit < ids.length; unit++) {
        members[unit] = IntStream.range(start[unit], start[unit + 1]).toArray();
      }
      made = PrivateData.of(new Rows(), high == null ? Units.of(ids, members) : named(members));
      data = made;
    }
    return made;
  }

  private Units named(int[][] members) {
    return Units.of(
        IntStream.range(0, ids.length).mapToObj(i -> new UnitName(high[i], ids[i])).toList(),
        members);
  }

  private final class Rows implements Examples {
    @Override
    public int size() {
      return start[ids.length];
    }

    @Override
    public Shape input() {
      return input;
    }

    @Override
    public int targets() {
      return targets;
    }

    @Override
    public void input(int example, float[] to, int at) {
      copy(example, 0, input.size(), to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      copy(example, input.size(), targets, to, at);
    }

    private void copy(int example, int from, int count, float[] to, int at) {
      int place = example % examplesInSegment * (input.size() + targets) + from;
      System.arraycopy(segments[example / examplesInSegment], place, to, at, count);
    }
  }
}
