package dev.discreet.core.evaluate;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.BoundedValue;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How right a model is on held-out units, each with the mean of what its examples add, summed: what
 * a session may release with noise. {@link HeldOutParts} says what is added up.
 *
 * <p><b>Formal guarantee.</b> Under add/remove, a unit more or less moves the score by at most 1,
 * and all sums together by at most the stated sensitivity in ℓ₂. Each unit adds whole numbers, made
 * before they are added: a score is rounded within its bounds, and every other part towards 0, so
 * the grid is inside the bound and not beside it. Those numbers are a function of the unit's own
 * examples and of the parameters, which are public: engines compute the outputs of an example to
 * the same bits whatever else they predict with it (their tests hold them to that); and whatever
 * goes wrong with an example, a label that is none, a row that cannot be read, an output that is
 * not a number, makes its own part 0 and touches no other, and no exception tells.
 *
 * @param sensitivity in ℓ₂, of all sums together
 * @param refused examples that scored 0 because they are none; outside the guarantee
 */
record HeldOutSum(long[] integers, double sensitivity, long refused) implements BoundedValue {
  private static final int BATCH = 1000;

  /** A unit's whole score on the grid. */
  private static final long ONE = 1 << 16;

  /** The largest noise multiplier that the session makes on this grid. */
  static final double MOST_NOISE = 0x1p19;

  @Override
  public int exponent() {
    return -16;
  }

  @Override
  public int[] groupEnds() {
    return new int[] {integers.length};
  }

  @Override
  public double[] sensitivities() {
    return new double[] {sensitivity};
  }

  /** Over all units, computed where the rows are. */
  static HeldOutSum of(
      PrivateData rows, Engine engine, Layout layout, float[] parameters, boolean figures) {
    HeldOutParts parts = HeldOutParts.of(layout, rows.targets(), figures);
    long[] all =
        rows.sum(
            (examples, units) -> {
              try (PublicGradients gradients = engine.open(layout, examples)) {
                HeldOutSum part = of(gradients, layout, parameters, examples, units, figures);
                long[] sums = Arrays.copyOf(part.integers, part.integers.length + 1);
                sums[part.integers.length] = part.refused;
                return sums;
              }
            });
    return new HeldOutSum(Arrays.copyOf(all, parts.size()), parts.sensitivity(), all[parts.size()]);
  }

  /**
   * @param gradients over the same examples
   */
  static HeldOutSum of(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      Units units,
      boolean figures) {
    HeldOutParts parts = HeldOutParts.of(layout, examples.targets(), figures);
    HeldOutExamples adds = new HeldOutExamples(parts, examples.size());
    for (int from = 0; from < examples.size(); from += BATCH) {
      int to = Math.min(examples.size(), from + BATCH);
      scoreAll(gradients, layout, parameters, examples, from, to, adds);
    }
    return new HeldOutSum(adds.sums(units, ONE), parts.sensitivity(), adds.refused());
  }

  /** What cannot be predicted is parted from the others, which get the same bits without it. */
  private static void scoreAll(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      int from,
      int to,
      HeldOutExamples adds) {
    try {
      int[] batch = IntStream.range(from, to).toArray();
      score(gradients, layout, parameters, examples, batch, adds);
    } catch (RuntimeException e) {
      if (to - from == 1) {
        adds.refuse(from);
        return;
      }
      int middle = (from + to) >>> 1;
      scoreAll(gradients, layout, parameters, examples, from, middle, adds);
      scoreAll(gradients, layout, parameters, examples, middle, to, adds);
    }
  }

  private static void score(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      int[] batch,
      HeldOutExamples adds) {
    int outputs = layout.outputs();
    float[] predicted = gradients.predict(parameters, batch);
    ExampleReader reader = new ExampleReader(layout, examples);
    float[] input = new float[layout.input().size()];
    double[] output = new double[outputs];
    for (int i = 0; i < batch.length; i++) {
      int at = i * outputs;
      Arrays.setAll(output, j -> predicted[at + j]);
      // An input that is no number need not show in the output.
      if (reader.read(batch[i], input, 0)) {
        adds.add(batch[i], output, reader.target());
      } else {
        adds.refuse(batch[i]);
      }
    }
  }
}
