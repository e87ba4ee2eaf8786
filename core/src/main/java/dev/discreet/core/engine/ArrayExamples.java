package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Shape;
import java.io.Serializable;

/** Examples in memory. The arrays are not copied. */
record ArrayExamples(Shape input, float[] inputs, int targets, float[] values)
    implements Examples, Serializable {
  ArrayExamples {
    Check.that(targets >= 1, "targets", "at least 1", targets);
    Check.that(
        inputs.length % input.size() == 0
            && inputs.length / input.size() == values.length / targets
            && values.length % targets == 0,
        "inputs and targets",
        "whole examples, as many of the one as of the other",
        inputs.length + " and " + values.length + " numbers");
  }

  @Override
  public int size() {
    return values.length / targets;
  }

  @Override
  public void input(int example, float[] to, int at) {
    System.arraycopy(inputs, example * input.size(), to, at, input.size());
  }

  @Override
  public void target(int example, float[] to, int at) {
    System.arraycopy(values, example * targets, to, at, targets);
  }
}
