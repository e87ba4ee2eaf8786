package dev.discreet.core.train;

import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.BoundedValue;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How right a model is on held-out units, each with the mean score of its examples, summed: what a
 * session may release with noise.
 *
 * <p><b>Formal guarantee.</b> Under add/remove, a unit more or less moves the sum by at most 1,
 * exactly. Each unit adds one whole number in [0, 2¹⁶], rounded before it is added, so the grid is
 * inside the bound and not beside it. That number is a function of the unit's own examples and of
 * the parameters, which are public: engines compute the outputs of an example to the same bits
 * whatever else they predict with it (their tests hold them to that); and whatever goes wrong with
 * an example, a label that is none, a row that cannot be read, an output that is not a number,
 * makes its own score 0 and touches no other, and no exception tells.
 *
 * @param refused examples that scored 0 because they are none; outside the guarantee
 */
record HeldOutSum(long[] integers, long refused) implements BoundedValue {
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
    return new int[] {1};
  }

  @Override
  public double[] sensitivities() {
    return new double[] {1};
  }

  /**
   * @param gradients over the same examples
   */
  static HeldOutSum of(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      Units units) {
    double[] scores = new double[examples.size()];
    for (int from = 0; from < scores.length; from += BATCH) {
      scoreAll(
          gradients,
          layout,
          parameters,
          examples,
          from,
          Math.min(scores.length, from + BATCH),
          scores);
    }
    long sum = 0;
    for (int unit = 0; unit < units.count(); unit++) {
      sum += score(scores, units, unit);
    }
    long refused = Arrays.stream(scores).filter(Double::isNaN).count();
    return new HeldOutSum(new long[] {sum}, refused);
  }

  /** What cannot be predicted is parted from the others, which get the same bits without it. */
  private static void scoreAll(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      int from,
      int to,
      double[] scores) {
    try {
      int[] batch = IntStream.range(from, to).toArray();
      score(gradients, layout, parameters, examples, batch, scores);
    } catch (RuntimeException e) {
      if (to - from == 1) {
        scores[from] = Double.NaN;
        return;
      }
      int middle = (from + to) >>> 1;
      scoreAll(gradients, layout, parameters, examples, from, middle, scores);
      scoreAll(gradients, layout, parameters, examples, middle, to, scores);
    }
  }

  private static void score(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      int[] batch,
      double[] scores) {
    Scoring how = Scoring.of(layout, examples.targets());
    int outputs = layout.outputs();
    float[] predicted = gradients.predict(parameters, batch);
    ExampleReader reader = new ExampleReader(layout, examples);
    float[] input = new float[layout.input().size()];
    double[] output = new double[outputs];
    for (int i = 0; i < batch.length; i++) {
      int at = i * outputs;
      Arrays.setAll(output, j -> predicted[at + j]);
      // An input that is no number need not show in the output.
      boolean usable = reader.read(batch[i], input, 0);
      scores[batch[i]] = usable ? how.score(output, reader.target()) : Double.NaN;
    }
  }

  /** A whole number in [0, 2¹⁶]; 0 for a unit without examples. */
  private static long score(double[] scores, Units units, int unit) {
    int size = units.size(unit);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      double score = scores[units.example(unit, i)];
      sum += Double.isNaN(score) ? 0 : score;
    }
    return size == 0 ? 0 : Math.round(ONE * Scoring.within(sum / size));
  }
}
