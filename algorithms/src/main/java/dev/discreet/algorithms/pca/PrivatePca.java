package dev.discreet.algorithms.pca;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PublicApi;
import dev.discreet.algorithms.matrix.CoarseSums;
import dev.discreet.algorithms.matrix.ProductSums;
import dev.discreet.algorithms.matrix.RowReader;
import dev.discreet.algorithms.matrix.SymmetricEigen;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import java.util.Arrays;

/**
 * Principal directions by a noisy second moment (Abadi et al. 2016, section 4; Dwork et al. 2014,
 * "Analyze Gauss"). Every row is scaled to length 1, Gaussian noise is added to Σ x·xᵀ once, and
 * the eigenvectors of its largest eigenvalues are the directions.
 *
 * <p><b>Sensitivity.</b> For a unit with ‖x‖ ≤ 1, x·xᵀ has Frobenius norm ‖x‖² ≤ 1. The upper
 * triangle is released, with a factor √2 on every element off the diagonal. Its Euclidean norm is
 * that same Frobenius norm. So one unit moves it by at most 1 under add/remove, as if the whole
 * matrix were counted, and an element off the diagonal has half the variance that plain noise on
 * the triangle would give. Rows are rounded towards zero, √2 is rounded down, and {@link
 * CoarseSums} adds the effect of rounding the sums. A unit with several examples adds the mean of
 * their products. A row that is zero, is not finite or cannot be read adds nothing.
 *
 * <p>The moment is taken about zero. Directions about the mean would need the mean, which is
 * private and would be another release; there is no such option.
 *
 * <pre>{@code
 * Projection projection = PrivatePca.fit(session, data, 60, 4.0);
 * }</pre>
 */
@PublicApi
public final class PrivatePca {
  /** More than doubles can lose in a norm and a quotient. */
  private static final double SHRINK = 1 - 0x1p-40;

  private PrivatePca() {}

  /**
   * One release with Gaussian noise, on the session's ledger.
   *
   * @param session what is charged
   * @param data the rows, and which are whose
   * @param k directions
   * @param noiseMultiplier deviation of the noise, in lengths of a row
   * @return the directions
   */
  public static Projection fit(
      PrivacySession session, PrivateData data, int k, double noiseMultiplier) {
    int d = data.input().size();
    Check.that(
        d <= ProductSums.MOST_COLUMNS,
        "columns of examples",
        "at most " + ProductSums.MOST_COLUMNS,
        d);
    Check.that(k >= 1 && k <= d, "directions", "in [1, " + d + "]", k);
    CoarseSums sums =
        new CoarseSums(
            Norm.L2,
            new int[] {ProductSums.size(d)},
            new double[] {1},
            new double[] {noiseMultiplier});
    NoisyValue noisy =
        session.release(
            new Mechanism.Gaussian(noiseMultiplier),
            id -> {
              long[] exact =
                  data.sum((examples, units) -> ProductSums.of(units, d, rows(examples)));
              for (int j = 0; j < d; j++) {
                for (int i = j; i < d; i++) {
                  sums.put(
                      exact[ProductSums.row(d, j) + i],
                      i == j ? CoarseSums.PLAIN : CoarseSums.ROOT_TWO);
                }
              }
              return sums;
            });
    return directions(noisy, d, k);
  }

  /** Post-processing: free. */
  private static Projection directions(NoisyValue noisy, int d, int k) {
    double[][] moment = new double[d][d];
    double half = (double) CoarseSums.PLAIN / CoarseSums.ROOT_TWO;
    for (int j = 0; j < d; j++) {
      for (int i = j; i < d; i++) {
        double value = noisy.value(ProductSums.row(d, j) + i);
        moment[j][i] = i == j ? value : value * half;
        moment[i][j] = moment[j][i];
      }
    }
    SymmetricEigen eigen = SymmetricEigen.of(moment);
    return new Projection(Arrays.copyOf(eigen.vectors(), k), Arrays.copyOf(eigen.values(), k));
  }

  /** Rows of length at most 1. */
  static RowReader rows(Examples examples) {
    int d = examples.input().size();
    return (example, to) -> {
      float[] x = new float[d];
      try {
        examples.input(example, x, 0);
      } catch (RuntimeException e) {
        return;
      }
      double squares = 0;
      for (float value : x) {
        squares += (double) value * value;
      }
      if (squares > 0 && squares < Double.POSITIVE_INFINITY) {
        double scale = RowReader.ONE * SHRINK / Math.sqrt(squares);
        for (int i = 0; i < d; i++) {
          to[i] = (int) (x[i] * scale);
        }
      }
    };
  }
}
