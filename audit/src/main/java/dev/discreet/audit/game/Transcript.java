package dev.discreet.audit.game;

import java.util.Arrays;

/**
 * Everything that one play showed to the attacker.
 *
 * @param values the numbers that were released
 * @param shape all that came with them: ids, sizes, exponents, names, refusals. It should tell
 *     nothing, and is looked at for that reason
 */
record Transcript(double[] values, String shape) {

  Transcript {
    values = values.clone();
  }

  /** This and what was shown after it. */
  Transcript then(Transcript next) {
    double[] both = Arrays.copyOf(values, values.length + next.values.length);
    System.arraycopy(next.values, 0, both, values.length, next.values.length);
    return new Transcript(both, shape + " | " + next.shape);
  }
}
