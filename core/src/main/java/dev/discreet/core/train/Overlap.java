package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Refuses public examples that are private ones too: what is learnt from them is not paid for. It
 * looks at private rows, so that a run ends here is the operator's to know: nothing is released.
 */
public final class Overlap {
  private Overlap() {}

  /**
   * By a hash of inputs and target, and then value by value; by inputs alone where the targets are
   * written otherwise.
   */
  public static void refuse(Examples publicExamples, Examples privateExamples) {
    boolean alike = publicExamples.targets() == privateExamples.targets();
    refuse(publicExamples, privateExamples, alike ? publicExamples.targets() : 0);
  }

  /** By inputs alone: for sets of which different things are to be predicted. */
  public static void refuseInputs(Examples publicExamples, Examples privateExamples) {
    refuse(publicExamples, privateExamples, 0);
  }

  private static void refuse(Examples publicExamples, Examples privateExamples, int targets) {
    Check.that(
        publicExamples.input().equals(privateExamples.input()),
        "input of public examples",
        "that of the private ones, to be compared: " + privateExamples.input(),
        publicExamples.input());
    Map<Long, Integer> known = new HashMap<>();
    for (int i = 0; i < publicExamples.size(); i++) {
      known.putIfAbsent(hash(row(publicExamples, i, targets)), i);
    }
    for (int i = 0; i < privateExamples.size(); i++) {
      int[] row;
      try {
        row = row(privateExamples, i, targets);
      } catch (RuntimeException e) {
        // A row that cannot be read is no example.
        continue;
      }
      Integer found = known.get(hash(row));
      Check.that(
          found == null || !Arrays.equals(row, row(publicExamples, found, targets)),
          "public examples",
          "none of the private ones (where other people's rows look the same:"
              + " --public-rows-are-other-people, in Java Trainer.publicRowsAreOtherPeople)",
          "public example "
              + found
              + ", which has the inputs "
              + (targets > 0 ? "and the target " : "")
              + "of a private one");
    }
  }

  private static int[] row(Examples examples, int example, int targets) {
    int inputs = examples.input().size();
    float[] values = new float[inputs + targets];
    examples.input(example, values, 0);
    if (targets > 0) {
      examples.target(example, values, inputs);
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
