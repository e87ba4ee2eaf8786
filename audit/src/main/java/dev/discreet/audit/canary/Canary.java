package dev.discreet.audit.canary;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Shape;

/**
 * A unit that is made to be noticed.
 *
 * @param inputs the values of its examples, one after another
 * @param targets the targets of its examples
 */
public record Canary(float[] inputs, float[] targets) {

  /** A unit of one example. */
  public static Canary of(float[] input, float target) {
    return new Canary(input, new float[] {target});
  }

  int examples(Shape input) {
    Check.that(
        inputs.length > 0 && inputs.length % input.size() == 0,
        "inputs of a canary",
        "whole examples of " + input.size() + " numbers",
        inputs.length);
    return inputs.length / input.size();
  }
}
