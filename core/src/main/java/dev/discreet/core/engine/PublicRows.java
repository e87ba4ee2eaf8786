package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Public rows to look for among private ones, by a hash and then value by value. */
public final class PublicRows implements Serializable {
  private final Examples examples;
  private final int targets;
  private final Map<Long, Integer> places = new HashMap<>();

  /**
   * @param withTargets whether rows are the same only where their targets are too; else inputs are
   *     all that is compared
   */
  public PublicRows(Examples examples, boolean withTargets) {
    this.examples = examples;
    this.targets = withTargets ? examples.targets() : 0;
    for (int i = 0; i < examples.size(); i++) {
      places.putIfAbsent(hash(row(examples, i)), i);
    }
  }

  /** The index of a public row that one of the private rows equals; empty where there is none. */
  public OptionalInt findIn(Examples privateExamples) {
    Check.that(
        examples.input().equals(privateExamples.input()),
        "input of public examples",
        "that of the private ones, to be compared: " + privateExamples.input(),
        examples.input());
    for (int i = 0; i < privateExamples.size(); i++) {
      int[] row;
      try {
        row = row(privateExamples, i);
      } catch (RuntimeException e) {
        // A row that cannot be read is no example.
        continue;
      }
      Integer found = places.get(hash(row));
      if (found != null && Arrays.equals(row, row(examples, found))) {
        return OptionalInt.of(found);
      }
    }
    return OptionalInt.empty();
  }

  /** What travels has the rows themselves, wherever these are read from. */
  private Object writeReplace() {
    if (examples instanceof ArrayExamples) {
      return this;
    }
    int size = examples.size();
    int inputs = examples.input().size();
    float[] values = new float[size * inputs];
    float[] answers = new float[size * examples.targets()];
    for (int i = 0; i < size; i++) {
      examples.input(i, values, i * inputs);
      examples.target(i, answers, i * examples.targets());
    }
    return new PublicRows(
        new ArrayExamples(examples.input(), values, examples.targets(), answers), targets > 0);
  }

  private int[] row(Examples from, int example) {
    int inputs = from.input().size();
    float[] values = new float[inputs + targets];
    from.input(example, values, 0);
    if (targets > 0) {
      from.target(example, values, inputs);
    }
    int[] bits = new int[values.length];
    for (int i = 0; i < bits.length; i++) {
      // Both zeros are one number.
      bits[i] = Float.floatToIntBits(values[i] + 0f);
    }
    return bits;
  }

  /** 64 bits, well mixed: two different rows of a large set do not meet in one. */
  private static long hash(int[] bits) {
    long hash = 0x9e3779b97f4a7c15L;
    for (int each : bits) {
      hash = (hash ^ each) * 0xbf58476d1ce4e5b9L;
      hash ^= hash >>> 29;
    }
    return hash;
  }
}
