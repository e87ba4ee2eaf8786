package dev.discreet.spark;

import dev.discreet.spark.PackedRows.Fingerprint;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a partition, or several, give for a step: integers, which may be added in any order. They
 * travel in as few bytes as the largest of them needs.
 */
public final class StepSum implements Externalizable {
  private long[] integers = new long[0];
  private long refused;
  private long arithmetic;
  private final SortedMap<Integer, Fingerprint> places = new TreeMap<>();
  private String failure = "";

  /** Nothing yet. */
  public StepSum() {}

  /**
   * @param refused units that counted as zero; for the operator
   * @param arithmetic the {@link Arithmetic} of the machine
   * @param rows those that were summed
   */
  StepSum(long[] integers, long refused, long arithmetic, PackedRows rows) {
    this.integers = integers;
    this.refused = refused;
    this.arithmetic = arithmetic;
    this.places.put(rows.place(), rows.fingerprint());
  }

  /** A step that must not be released, and why. */
  static StepSum failed(String why) {
    StepSum sum = new StepSum();
    sum.failure = why;
    return sum;
  }

  /** Adds the other to this one. */
  StepSum add(StepSum other) {
    if (integers.length == 0) {
      integers = other.integers;
      arithmetic = other.arithmetic;
    } else if (other.integers.length > 0) {
      for (int i = 0; i < integers.length; i++) {
        integers[i] += other.integers[i];
      }
      if (arithmetic != other.arithmetic) {
        failure = Arithmetic.REFUSAL;
      }
    }
    refused += other.refused;
    failure = failure.isEmpty() ? other.failure : failure;
    other.places.forEach(
        (place, fingerprint) -> {
          if (places.put(place, fingerprint) != null) {
            failure = "a partition was summed twice; the step was refused";
          }
        });
    return this;
  }

  /** Empty where no partition gave any. */
  long[] integers() {
    return integers;
  }

  long refused() {
    return refused;
  }

  /** The {@link Arithmetic} of all machines that summed. */
  long arithmetic() {
    return arithmetic;
  }

  /** What rows each partition had. */
  SortedMap<Integer, Fingerprint> places() {
    return places;
  }

  /** Empty where all went well. */
  String failure() {
    return failure;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    long all = 0;
    for (long each : integers) {
      all |= each < 0 ? ~each : each;
    }
    int width = (64 - Long.numberOfLeadingZeros(all)) / 8 + 1;
    out.writeLong(refused);
    out.writeLong(arithmetic);
    out.writeInt(places.size());
    for (Map.Entry<Integer, Fingerprint> each : places.entrySet()) {
      out.writeInt(each.getKey());
      out.writeLong(each.getValue().first());
      out.writeLong(each.getValue().second());
    }
    out.writeUTF(failure);
    out.writeInt(integers.length);
    out.writeByte(width);
    byte[] part = new byte[8192 * width];
    for (int from = 0; from < integers.length; from += 8192) {
      int to = Math.min(integers.length, from + 8192);
      int at = 0;
      for (int i = from; i < to; i++) {
        long rest = integers[i];
        for (int b = 0; b < width; b++, rest >>= 8) {
          part[at++] = (byte) rest;
        }
      }
      out.write(part, 0, at);
    }
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    refused = in.readLong();
    arithmetic = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      places.put(in.readInt(), new Fingerprint(in.readLong(), in.readLong()));
    }
    failure = in.readUTF();
    integers = new long[in.readInt()];
    int width = in.readByte();
    byte[] part = new byte[8192 * width];
    for (int from = 0; from < integers.length; from += 8192) {
      int to = Math.min(integers.length, from + 8192);
      in.readFully(part, 0, (to - from) * width);
      int at = 0;
      for (int i = from; i < to; i++) {
        long value = 0;
        for (int b = 0; b < width; b++) {
          value |= (part[at++] & 255L) << 8 * b;
        }
        int unused = 64 - 8 * width;
        integers[i] = value << unused >> unused;
      }
    }
  }

  @Override
  public String toString() {
    return "StepSum[" + integers.length + " integers]";
  }
}
