package dev.discreet.data.generate;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A synthetic census: 14 attributes of a person, of which income is to be predicted from the other
 * 13. Each row comes from a {@link CensusPerson}. Inputs are moved to [0, 1] by public bounds, and
 * so is the target.
 *
 * @param classes whether to predict only if income is above {@link #THRESHOLD}
 */
public record Census(boolean classes) implements Generator {
  public static final double THRESHOLD = 50_000;

  static final double HIGHEST_INCOME = 200_000;

  /** What a row has, in its order: name and public bounds. */
  enum Attribute {
    AGE(16, 90),
    FEMALE(0, 1),
    SINGLE(0, 1),
    MARRIED(0, 1),
    EDUCATION(0, 20),
    DISABILITY(0, 1),
    NATIVE_BORN(0, 1),
    HOURS(0, 80),
    YEARS_HERE(0, 60),
    OWNS_HOME(0, 1),
    FAMILY(1, 12),
    CHILDREN(0, 8),
    CARS(0, 5);

    private final double low;
    private final double high;

    Attribute(double low, double high) {
      this.low = low;
      this.high = high;
    }

    float scaled(double value) {
      return (float) ((Math.max(low, Math.min(high, value)) - low) / (high - low));
    }

    private String column() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-')
          + "="
          + GeneratedSet.bounds(low, high);
    }
  }

  private static final List<Attribute> ATTRIBUTES = List.of(Attribute.values());

  /** Rows that one thread makes in one go. */
  private static final int BLOCK = 4096;

  @Override
  public GeneratedSet describe(String name) {
    return new GeneratedSet(
        name,
        "synthetic census, income from 13 correlated attributes of a person",
        296_000,
        74_000,
        Shape.vector(ATTRIBUTES.size()),
        classes
            ? new Task.Classes(List.of("at most 50000", "above 50000"))
            : new Task.Number("income", 0, HIGHEST_INCOME),
        ATTRIBUTES.stream().map(Attribute::column).toList(),
        List.of(),
        List.of());
  }

  @Override
  public Examples rows(long seed, int stream, int n) {
    int d = ATTRIBUTES.size();
    float[] inputs = new float[n * d];
    float[] targets = new float[n];
    IntStream.range(0, (n + BLOCK - 1) / BLOCK)
        .parallel()
        .forEach(
            block -> {
              for (int i = block * BLOCK; i < Math.min(n, (block + 1) * BLOCK); i++) {
                double income = CensusPerson.write(SplitMix.of(seed, stream, i), inputs, i * d);
                targets[i] =
                    classes
                        ? income > THRESHOLD ? 1 : 0
                        : (float) (Math.min(HIGHEST_INCOME, income) / HIGHEST_INCOME);
              }
            });
    return Examples.of(Shape.vector(d), inputs, 1, targets);
  }
}
