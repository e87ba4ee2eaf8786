package dev.discreet.data.generate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * y = w·x + ε with x standard normal and ε ~ N(0, 0.1²): the data of the two linear regressions
 * that compare weight decay before and after clipping. Inputs are not scaled.
 *
 * @param weights the true w
 * @param bound so large that no |y| exceeds it, whatever the seed
 */
public record Linear(List<Double> weights, double bound) implements Generator {
  /** w = 10. */
  public static final Linear ONE = new Linear(List.of(10.0), 100);

  /** w = (10, 5). */
  public static final Linear TWO = new Linear(List.of(10.0, 5.0), 150);

  static final double NOISE = 0.1;

  public Linear {
    weights = List.copyOf(weights);
    Check.that(!weights.isEmpty(), "weights", "at least 1", weights.size());
    double most = weights.stream().mapToDouble(Math::abs).sum() + NOISE;
    Check.that(
        bound >= most * SplitMix.FARTHEST && Double.isFinite(bound),
        "bound",
        "finite and at least " + Digits.shortest(most * SplitMix.FARTHEST),
        bound);
  }

  @Override
  public GeneratedSet describe(String name) {
    return new GeneratedSet(
        name,
        "y = w.x + noise with w = "
            + Digits.numbersIn(weights)
            + ", x standard normal, noise of deviation "
            + NOISE,
        800,
        200,
        Shape.vector(weights.size()),
        new Task.Number("y", -bound, bound),
        IntStream.rangeClosed(1, weights.size())
            .mapToObj(i -> "x" + i + "=" + GeneratedSet.bounds(-9, 9))
            .toList(),
        List.of(),
        List.of());
  }

  /** Targets are (y + bound)/(2·bound), as a {@link Task.Number} has them. */
  @Override
  public Examples rows(long seed, int stream, int n) {
    return rows(seed, stream, n, bound, 2 * bound);
  }

  /** The same rows with y itself as target. */
  public Examples unscaled(long seed, int stream, int n) {
    return rows(seed, stream, n, 0, 1);
  }

  private Examples rows(long seed, int stream, int n, double shift, double scale) {
    int d = weights.size();
    float[] inputs = new float[n * d];
    float[] targets = new float[n];
    for (int i = 0; i < n; i++) {
      SplitMix random = SplitMix.of(seed, stream, i);
      double y = 0;
      for (int j = 0; j < d; j++) {
        double x = random.gaussian();
        inputs[i * d + j] = (float) x;
        y += weights.get(j) * x;
      }
      y += NOISE * random.gaussian();
      targets[i] = (float) ((y + shift) / scale);
    }
    return Examples.of(Shape.vector(d), inputs, 1, targets);
  }
}
