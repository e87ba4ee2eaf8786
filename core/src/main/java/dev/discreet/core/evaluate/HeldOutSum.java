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
 * How right a model is on held-out units, each with the mean score of its examples, summed: what a
 * session may release with noise. Where one number is predicted there are two sums more, which tell
 * how labels vary: of u, how far a label moved into [0, 1] lies from ½, and of u².
 *
 * <p><b>Formal guarantee.</b> Under add/remove, a unit more or less moves the sum by at most 1, and
 * the three sums by at most √(1 + ¼ + 1/16) in ℓ₂. Each unit adds whole numbers in [0, 2¹⁶], [−2¹⁵,
 * 2¹⁵] and [0, 2¹⁴], rounded before they are added, so the grid is inside the bound and not beside
 * it. Those numbers are a function of the unit's own examples and of the parameters, which are
 * public: engines compute the outputs of an example to the same bits whatever else they predict
 * with it (their tests hold them to that); and whatever goes wrong with an example, a label that is
 * none, a row that cannot be read, an output that is not a number, makes its own part 0 and touches
 * no other, and no exception tells.
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
    return new int[] {integers.length};
  }

  @Override
  public double[] sensitivities() {
    return new double[] {sensitivity(integers.length)};
  }

  /** How many sums there are. */
  static int parts(Layout layout, int targets) {
    boolean number = layout.outputs() == 1 && targets == 1;
    return number && Scoring.of(layout, targets) == Scoring.NUMBERS ? 3 : 1;
  }

  static double sensitivity(int parts) {
    return parts == 1 ? 1 : Math.nextUp(Math.sqrt(1 + 1 / 4.0 + 1 / 16.0));
  }

  /** Over all units, computed where the rows are. */
  static HeldOutSum of(PrivateData rows, Engine engine, Layout layout, float[] parameters) {
    long[] all =
        rows.sum(
            (examples, units) -> {
              try (PublicGradients gradients = engine.open(layout, examples)) {
                HeldOutSum part = of(gradients, layout, parameters, examples, units);
                long[] sums = Arrays.copyOf(part.integers, part.integers.length + 1);
                sums[part.integers.length] = part.refused;
                return sums;
              }
            });
    int parts = all.length - 1;
    return new HeldOutSum(Arrays.copyOf(all, parts), all[parts]);
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
    double[][] parts = new double[parts(layout, examples.targets())][examples.size()];
    for (int from = 0; from < examples.size(); from += BATCH) {
      int to = Math.min(examples.size(), from + BATCH);
      scoreAll(gradients, layout, parameters, examples, from, to, parts);
    }
    long[] sums = new long[parts.length];
    for (int unit = 0; unit < units.count(); unit++) {
      for (int part = 0; part < sums.length; part++) {
        sums[part] += mean(parts[part], parts[0], units, unit);
      }
    }
    long refused = Arrays.stream(parts[0]).filter(Double::isNaN).count();
    return new HeldOutSum(sums, refused);
  }

  /** What cannot be predicted is parted from the others, which get the same bits without it. */
  private static void scoreAll(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      int from,
      int to,
      double[][] parts) {
    try {
      int[] batch = IntStream.range(from, to).toArray();
      score(gradients, layout, parameters, examples, batch, parts);
    } catch (RuntimeException e) {
      if (to - from == 1) {
        parts[0][from] = Double.NaN;
        return;
      }
      int middle = (from + to) >>> 1;
      scoreAll(gradients, layout, parameters, examples, from, middle, parts);
      scoreAll(gradients, layout, parameters, examples, middle, to, parts);
    }
  }

  private static void score(
      PublicGradients gradients,
      Layout layout,
      float[] parameters,
      Examples examples,
      int[] batch,
      double[][] parts) {
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
      parts[0][batch[i]] = usable ? how.score(output, reader.target()) : Double.NaN;
      if (usable && parts.length == 3) {
        double middle = Scoring.within(reader.target()[0]) - 0.5;
        parts[1][batch[i]] = middle;
        parts[2][batch[i]] = middle * middle;
      }
    }
  }

  /** On the grid, over the unit's examples that have a score; 0 for a unit without examples. */
  private static long mean(double[] part, double[] scores, Units units, int unit) {
    int size = units.size(unit);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      int example = units.example(unit, i);
      sum += Double.isNaN(scores[example]) ? 0 : part[example];
    }
    return size == 0 ? 0 : Math.round(ONE * sum / size);
  }
}
