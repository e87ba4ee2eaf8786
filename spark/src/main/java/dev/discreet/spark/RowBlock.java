package dev.discreet.spark;

import dev.discreet.core.privacy.UnitName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows as bytes, one after another: what is shuffled. A row has 41 bytes and its values. */
final class RowBlock {
  private static final int HEAD = 41;

  private byte[] bytes = new byte[1024];
  private int size;

  void add(UnitRow row) {
    int length = HEAD + (row.values() == null ? 0 : 4 * row.values().length);
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
    }
    ByteBuffer to = ByteBuffer.wrap(bytes, size, length);
    to.putLong(row.unit().high()).putLong(row.unit().low());
    to.putLong(row.member().high()).putLong(row.member().low()).putLong(row.order());
    to.put((byte) (row.values() == null ? 0 : 1));
    if (row.values() != null) {
      to.asFloatBuffer().put(row.values());
    }
    size += length;
  }

  int size() {
    return size;
  }

  byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  /**
   * The rows of blocks, sorted by unit, member, order and values: nothing but the rows of a unit
   * decides how they are sorted, and which are kept.
   *
   * @param values how many values an example has
   * @param most how many examples of a member are kept, evenly spread over them
   */
  static Place[] sorted(List<byte[]> blocks, int values, int most) {
    List<Place> places = new ArrayList<>();
    for (byte[] block : blocks) {
      for (int at = 0; at < block.length; ) {
        int end = at + HEAD + (block[at + HEAD - 1] == 0 ? 0 : 4 * values);
        places.add(new Place(block, at, end));
        at = end;
      }
    }
    Place[] sorted = places.toArray(Place[]::new);
    Arrays.sort(sorted);
    return most == Integer.MAX_VALUE ? sorted : atMost(sorted, most);
  }

  private static Place[] atMost(Place[] sorted, int most) {
    List<Place> kept = new ArrayList<>();
    for (int from = 0, to; from < sorted.length; from = to) {
      to = from;
      while (to < sorted.length && sorted[to].isOfMember(sorted[from])) {
        to++;
      }
      List<Place> examples = Arrays.stream(sorted, from, to).filter(Place::isExample).toList();
      int count = Math.min(most, examples.size());
      for (int i = 0; i < count; i++) {
        kept.add(examples.get((int) ((long) i * examples.size() / count)));
      }
      if (count == 0) {
        kept.add(sorted[from]);
      }
    }
    return kept.toArray(Place[]::new);
  }

  /** Where a row stands. */
  record Place(byte[] block, int at, int end) implements Comparable<Place> {
    UnitName unit() {
      ByteBuffer name = ByteBuffer.wrap(block, at, 16);
      return new UnitName(name.getLong(), name.getLong());
    }

    boolean isOfUnit(Place other) {
      return Arrays.equals(block, at, at + 16, other.block, other.at, other.at + 16);
    }

    boolean isOfMember(Place other) {
      return Arrays.equals(block, at, at + 32, other.block, other.at, other.at + 32);
    }

    boolean isExample() {
      return end > at + HEAD;
    }

    void values(float[] to, int from) {
      ByteBuffer values = ByteBuffer.wrap(block, at + HEAD, end - at - HEAD);
      values.asFloatBuffer().get(to, from, values.remaining() / 4);
    }

    @Override
    public int compareTo(Place other) {
      // Unit and member in the order of numbers, as they stand on one machine.
      for (int i = 0; i < 32; i += 8) {
        int by = Long.compare(number(i), other.number(i));
        if (by != 0) {
          return by;
        }
      }
      return Arrays.compareUnsigned(block, at + 32, end, other.block, other.at + 32, other.end);
    }

    private long number(int from) {
      return ByteBuffer.wrap(block, at + from, 8).getLong();
    }
  }
}
