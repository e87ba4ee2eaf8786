package dev.discreet.algorithms.pca;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;

/**
 * Directions that were released, and may be shown and saved.
 *
 * <pre>{@code
 * Projection projection = PrivatePca.fit(session, data, 60, 4.0);
 * Examples projected = projection.apply(examples);
 * }</pre>
 *
 * @param directions one in each row, of length 1 and at right angles to the others
 * @param eigenvalues of the noisy second moment, largest first; with much noise some are below 0
 */
@PublicApi
public record Projection(double[][] directions, double[] eigenvalues) {
  /** Refuses directions that do not fit the eigenvalues, and copies both. */
  public Projection {
    Check.that(
        directions.length >= 1 && directions.length == eigenvalues.length,
        "directions",
        "as many as eigenvalues, and at least 1",
        directions.length);
    directions = Arrays.stream(directions).map(double[]::clone).toArray(double[][]::new);
    eigenvalues = eigenvalues.clone();
    for (double[] direction : directions) {
      Check.that(
          direction.length == directions[0].length && direction.length >= 1,
          "length of a direction",
          "" + directions[0].length,
          direction.length);
    }
  }

  /**
   * How many directions there are: k.
   *
   * @return k
   */
  public int size() {
    return directions.length;
  }

  /**
   * A view of examples whose inputs are their k products with the directions.
   *
   * @param examples of the shape that the directions were fitted to
   * @return examples that are vectors of length k
   */
  public Examples apply(Examples examples) {
    Check.that(
        examples.input().size() == directions[0].length,
        "columns of examples",
        "as many as the directions have, " + directions[0].length,
        examples.input().size());
    return new Projected(examples, this);
  }

  /** The products of one input with the directions. */
  void write(float[] x, float[] to, int at) {
    for (int k = 0; k < directions.length; k++) {
      double[] direction = directions[k];
      double sum = 0;
      for (int i = 0; i < x.length; i++) {
        sum += direction[i] * x[i];
      }
      to[at + k] = (float) sum;
    }
  }

  private record Projected(Examples examples, Projection projection) implements Examples {
    @Override
    public int size() {
      return examples.size();
    }

    @Override
    public Shape input() {
      return Shape.vector(projection.size());
    }

    @Override
    public int targets() {
      return examples.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      float[] x = new float[examples.input().size()];
      examples.input(example, x, 0);
      projection.write(x, to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      examples.target(example, to, at);
    }
  }
}
