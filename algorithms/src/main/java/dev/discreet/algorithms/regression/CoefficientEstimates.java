package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.math.Normal;
import dev.discreet.algorithms.matrix.Cholesky;
import dev.discreet.algorithms.matrix.SymmetricEigen;
import java.util.ArrayList;
import java.util.List;

/**
 * What noisy sums say of the weights of the people whom the rows are drawn from: values without the
 * ridge that a model has, and 95% intervals for noise and sampling together.
 *
 * <p><b>Method.</b> Let A and b be the exact sums, E and e their noise, and β the weights that are
 * asked for. Then g = (b + e) − (A + E)β = Σ z·(t − z·β) + e − Eβ has the mean 0. Its covariance is
 * that of Σ z·(t − z·β), which is σ²A where the errors t − z·β have one variance σ², and that of e
 * − Eβ, which is known exactly for each β. The estimate is (A + E)⁻¹(b + e), and differs from β by
 * (A + E)⁻¹g. So a combination mᵀβ has the deviation of wᵀg with w = (A + E)⁻¹m, taken at the
 * estimate.
 *
 * <ul>
 *   <li>σ² is (Σt² − bᵀβ)/n from the noisy sums, and the upper end of a 95% interval for its noise.
 *       Of a logistic loss, errors have a variance of at most 1: t is −1 or 1.
 *   <li>Where categories make A singular, noise across its known null space is projected away. Only
 *       what the rows determine has an estimate: a difference between two categories, for one.
 *   <li>If 2√p deviations of the noise, about the norm of E, exceed the least eigenvalue of A + E,
 *       nothing is determined, and intervals are infinite.
 *   <li>Laplace noise takes the larger of the normal and its own quantile.
 * </ul>
 *
 * <pre>{@code
 * FunctionalMechanism mechanism =
 *     new FunctionalMechanism(
 *         bounds, RegressionLoss.SQUARED, true, new RegressionBudget.Pure(0.8), true);
 * RegressionResult fitted = mechanism.fit(session, examples, Units.each(1_000), "patient");
 * CoefficientEstimates estimates = fitted.sums().estimates(List.of(), 1_000);
 * CoefficientEstimates.Estimate second = estimates.of(0, new double[] {0, 1});
 * System.out.println(second.value() + ", by 95% in " + second.low() + " to " + second.high());
 * }</pre>
 */
@PublicApi
public final class CoefficientEstimates {
  private static final double TAIL = 0.025;
  private static final double NORMAL = Normal.tailQuantile(TAIL);
  // Of a Laplace variable, in deviations.
  private static final double LAPLACE = Math.max(NORMAL, -Math.log(2 * TAIL) / Math.sqrt(2));
  private static final double ONE_SIDED = Normal.tailQuantile(2 * TAIL);
  private static final double RANK = 1e-9;

  private final NoisySums sums;
  private final List<double[]> dependent;
  private final Cholesky factor;
  private final double[] theta;
  private final double variance;
  private final List<Integer> drowned;

  /**
   * Inputs of which exactly one is 1 and the others are 0, in every row.
   *
   * @param inputs their places
   */
  public record Choice(List<Integer> inputs) {
    /** Copies the places. */
    public Choice {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * A combination of weights.
   *
   * @param value the estimate; NaN where nothing is determined
   * @param deviation its standard error, of noise and sampling
   * @param noise the part of the noise in it
   * @param low the lower end of the 95% interval; may be −∞
   * @param high the upper end; may be ∞
   */
  public record Estimate(double value, double deviation, double noise, double low, double high) {
    /** {@return whether the sums say anything of it} */
    public boolean isDetermined() {
      return Double.isFinite(value);
    }
  }

  CoefficientEstimates(NoisySums sums, List<Choice> choices, long units) {
    this.sums = sums;
    this.dependent = dependent(sums.scaling(), choices);
    int p = sums.scaling().weights();
    double[][] matrix = projected(sums.quadratic());
    double scale = 0;
    for (double[] row : matrix) {
      scale += norm(row);
    }
    for (double[] each : dependent) {
      for (int j = 0; j < p; j++) {
        for (int k = 0; k < p; k++) {
          matrix[j][k] += scale * each[j] * each[k];
        }
      }
    }
    double[] eigenvalues = SymmetricEigen.of(matrix).values();
    double least = eigenvalues[p - 1];
    double reach = 2 * Math.sqrt(p - dependent.size()) * sums.quadraticDeviation();
    double enough = Math.max(reach, RANK * eigenvalues[0]);
    boolean determined = least > enough;
    drowned = determined ? List.of() : drowned(matrix, enough);
    factor = determined ? Cholesky.of(matrix, 0).orElse(null) : null;
    double[] linear = sums.linear();
    project(linear);
    theta = factor == null ? new double[p] : factor.solve(linear);
    double count = sums.scaling().intercept() ? sums.quadratic()[0][0] : units;
    variance =
        factor == null || sums.scaling().loss() == RegressionLoss.LOGISTIC
            ? 1
            : Math.max(0, mostResiduals(linear)) / Math.max(1, count - p);
  }

  /** By the squares of what an input adds to 0, along what the rows can determine. */
  private List<Integer> drowned(double[][] matrix, double enough) {
    Scaling scaling = sums.scaling();
    int first = scaling.intercept() ? 1 : 0;
    int features = scaling.bounds().features().size();
    List<Integer> inputs = new ArrayList<>();
    for (int i = 0; i < features; i++) {
      double[] added = new double[matrix.length];
      added[0] = first == 0 ? 0 : -scaling.scaled(i, 0);
      added[first + i] = 1;
      project(added);
      double sum = 0;
      for (int j = 0; j < added.length; j++) {
        sum += added[j] * dot(matrix[j], added);
      }
      if (sum <= enough * dot(added, added)) {
        inputs.add(i);
      }
    }
    return 2 * inputs.size() > features ? List.of() : List.copyOf(inputs);
  }

  /** Σ(t − z·θ)², and the reach of its noise above. */
  private double mostResiduals(double[] linear) {
    double squared = dot(theta, theta);
    double fourth = 0;
    for (double each : theta) {
      fourth += Math.pow(each, 4);
    }
    double ofLinear = Math.pow(sums.linearDeviation(), 2) * (1 + 4 * squared);
    double ofQuadratic = Math.pow(sums.quadraticDeviation(), 2) * (2 * squared * squared - fourth);
    return sums.squares() - dot(linear, theta) + ONE_SIDED * Math.sqrt(ofLinear + ofQuadratic);
  }

  /** {@return whether the noise leaves anything to say} */
  public boolean areDetermined() {
    return factor != null;
  }

  /**
   * Which inputs keep all others from being determined: they are so seldom, or so little, above 0
   * that the noise hides their own sums. It follows from noisy sums alone.
   *
   * @return places of inputs, such as that of a category which few rows have; empty where all is
   *     determined, where no input by itself is the reason, and where over half of them are
   */
  public List<Integer> drowned() {
    return drowned;
  }

  /**
   * A combination of intercept and weights, in the units of the examples.
   *
   * @param intercept the factor of the intercept
   * @param weights the factor of each weight
   * @return what the sums say of it
   */
  public Estimate of(double intercept, double[] weights) {
    int features = sums.scaling().bounds().features().size();
    Check.that(weights.length == features, "weights", "" + features, weights.length);
    double[] m = sums.scaling().factors(intercept, weights);
    boolean determined = factor != null;
    for (double[] each : dependent) {
      determined &= Math.abs(dot(each, m)) <= 1e-6 * norm(m);
    }
    if (!determined) {
      double all = Double.POSITIVE_INFINITY;
      return new Estimate(Double.NaN, all, all, -all, all);
    }
    double[] w = factor.solve(m);
    double crossed = 0;
    for (int k = 0; k < m.length; k++) {
      crossed += w[k] * w[k] * theta[k] * theta[k];
    }
    double across = dot(w, theta);
    double quadratic = dot(theta, theta) * dot(w, w) + across * across - crossed;
    double noise =
        Math.pow(sums.quadraticDeviation(), 2) * quadratic
            + Math.pow(sums.linearDeviation(), 2) * dot(w, w);
    double deviation = Math.sqrt(noise + variance * dot(w, m));
    LinearModel model = sums.scaling().model(theta);
    double value = intercept * model.intercept() + dot(weights, model.weights());
    double reach = (sums.isLaplace() ? LAPLACE : NORMAL) * deviation;
    return new Estimate(value, deviation, Math.sqrt(noise), value - reach, value + reach);
  }

  /**
   * An orthonormal basis of the combinations of z that are 0 in every row. An input of a choice is
   * off or on, so z moves between two values: the sum of (z − off)/(on − off) over a choice is 1.
   */
  private static List<double[]> dependent(Scaling scaling, List<Choice> choices) {
    int first = scaling.intercept() ? 1 : 0;
    List<double[]> basis = new ArrayList<>();
    double[] before = null;
    double constantBefore = 0;
    for (Choice choice : choices) {
      double[] vector = new double[scaling.weights()];
      double constant = 1;
      for (int i : choice.inputs()) {
        double off = scaling.scaled(i, 0);
        double factor = 1 / (scaling.scaled(i, 1) - off);
        vector[first + i] = factor;
        constant += factor * off;
      }
      if (!Double.isFinite(constant)) {
        continue;
      }
      if (scaling.intercept()) {
        vector[0] = -constant;
        add(basis, vector);
        continue;
      }
      if (before != null) {
        double[] difference = new double[vector.length];
        for (int k = 0; k < vector.length; k++) {
          difference[k] = constantBefore * vector[k] - constant * before[k];
        }
        add(basis, difference);
      }
      before = vector;
      constantBefore = constant;
    }
    return basis;
  }

  private static void add(List<double[]> basis, double[] vector) {
    for (double[] each : basis) {
      subtract(vector, each);
    }
    double norm = norm(vector);
    if (norm > RANK) {
      for (int k = 0; k < vector.length; k++) {
        vector[k] /= norm;
      }
      basis.add(vector);
    }
  }

  private double[][] projected(double[][] matrix) {
    int p = matrix.length;
    double[][] once = new double[p][];
    for (int j = 0; j < p; j++) {
      once[j] = matrix[j].clone();
      project(once[j]);
    }
    double[][] twice = new double[p][p];
    for (int j = 0; j < p; j++) {
      for (int k = 0; k < p; k++) {
        twice[j][k] = once[k][j];
      }
    }
    for (double[] row : twice) {
      project(row);
    }
    return twice;
  }

  private void project(double[] vector) {
    for (double[] each : dependent) {
      subtract(vector, each);
    }
  }

  /** Takes away what lies along a vector of length 1. */
  private static void subtract(double[] from, double[] along) {
    double share = dot(from, along);
    for (int k = 0; k < from.length; k++) {
      from[k] -= share * along[k];
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k];
    }
    return sum;
  }

  private static double norm(double[] a) {
    return Math.sqrt(dot(a, a));
  }
}
