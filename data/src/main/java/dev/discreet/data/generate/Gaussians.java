package dev.discreet.data.generate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Standard normal classes around centres on a circle in the first two dimensions; further
 * dimensions are the same for all. Inputs are not scaled.
 *
 * @param separation between neighbouring centres, in deviations. Two classes at separation s are
 *     told apart at best with probability Φ(s/2)
 */
public record Gaussians(int classes, int dimensions, double separation) implements Generator {
  /** Two classes in the plane, of which the best classifier gets Φ(1.5) = 93.3% right. */
  public static final Gaussians USUAL = new Gaussians(2, 2, 3);

  public Gaussians {
    Check.that(classes >= 2, "classes", "at least 2", classes);
    Check.that(dimensions >= 2, "dimensions", "at least 2", dimensions);
    Check.that(
        separation >= 0 && Double.isFinite(separation),
        "separation",
        "finite and at least 0",
        separation);
  }

  @Override
  public GeneratedSet describe(String name) {
    return new GeneratedSet(
        name,
        "standard normal classes, neighbouring centres "
            + Digits.shortest(separation)
            + " deviations apart",
        10_000,
        2_000,
        Shape.vector(dimensions),
        new Task.Classes(IntStream.range(0, classes).mapToObj(Integer::toString).toList()),
        IntStream.rangeClosed(1, dimensions).mapToObj(this::column).toList(),
        List.of(),
        List.of());
  }

  private String column(int i) {
    double bound = Math.ceil(SplitMix.FARTHEST + (i <= 2 ? radius() : 0));
    return "x" + i + "=" + GeneratedSet.bounds(-bound, bound);
  }

  /** The radius of the circle on which neighbouring centres are that far apart. */
  private double radius() {
    return separation / (2 * StrictMath.sin(Math.PI / classes));
  }

  @Override
  public Examples rows(long seed, int stream, int n) {
    double radius = radius();
    double[] cos = new double[classes];
    double[] sin = new double[classes];
    for (int c = 0; c < classes; c++) {
      cos[c] = radius * StrictMath.cos(2 * Math.PI * c / classes);
      sin[c] = radius * StrictMath.sin(2 * Math.PI * c / classes);
    }
    float[] inputs = new float[Math.multiplyExact(n, dimensions)];
    float[] targets = new float[n];
    for (int i = 0; i < n; i++) {
      SplitMix random = SplitMix.of(seed, stream, i);
      int c = random.below(classes);
      targets[i] = c;
      for (int j = 0; j < dimensions; j++) {
        double centre = j == 0 ? cos[c] : j == 1 ? sin[c] : 0;
        inputs[i * dimensions + j] = (float) (centre + random.gaussian());
      }
    }
    return Examples.of(Shape.vector(dimensions), inputs, 1, targets);
  }
}
