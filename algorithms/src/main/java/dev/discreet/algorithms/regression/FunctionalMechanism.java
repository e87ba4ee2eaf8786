package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.algorithms.matrix.CoarseSums;
import dev.discreet.algorithms.matrix.SymmetricEigen;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Units;
import java.util.List;

/**
 * Regression by the functional mechanism (Zhang, Zhang, Xiao, Yang and Winslett 2012): the loss is
 * a polynomial of the weights, its coefficients get noise, and the noisy polynomial is minimised.
 * Rows are read once; there is no iteration and no lot.
 *
 * <p><b>Sensitivity.</b> Let p be the number of weights including the intercept. A unit has z in
 * [−1, 1]ᵖ and t in [−1, 1]. (Scaling moves declared bounds there, whether they are symmetric or
 * not; z₀ = 1 with an intercept.) Σ(θ·z − t)² = θᵀ(Σz·zᵀ)θ − 2(Σt·z)·θ + Σt². The constant does not
 * move the minimum and is released only if asked for ({@code spread}). Only the upper triangle of
 * the symmetric Σz·zᵀ is released, p(p+1)/2 numbers. So a unit adds (z_j·z_k)_{j≤k} and (t·z_j).
 * Each of them is at most 1 in absolute value, and all equal 1 at once where all |z_j| = |t| = 1.
 * So under add/remove the sensitivities are exactly
 *
 * <pre>
 *   quadratic   Δ₁ = p(p+1)/2 in ℓ₁,   √(p(p+1)/2) in ℓ₂
 *   linear      Δ₂ = p        in ℓ₁,   √p          in ℓ₂
 * </pre>
 *
 * With Σt² among the linear ones, p + 1 takes the place of p there.
 *
 * <p>Under replace-one a neighbour moves them by at most twice that, which is how the ledger reads
 * a multiplier. Seed 004 has 2(d+1)² and 4(d+1) for features in [−1, 1] and p = d+1 weights. It
 * counts both coefficients of a symmetric pair and uses −2t·z for t·z; without this double counting
 * its figures are ours. A unit with several examples adds the mean of their coefficients, which is
 * within the same bounds. {@link CoarseSums} adds the effect of rounding.
 *
 * <p>For an unscaled feature in [low, high], max(|low|, |high|) would replace the 1, and both ends
 * count: the square of a feature in [0, 100] moves by up to 10,000. (A known library took the lower
 * end twice, and released such squares with no noise at all.)
 *
 * <p><b>The best split.</b> Let E and e be the noise of the two parts. They change the gradient at
 * θ by Eθ − e. With Laplace scales Δ₁/ε₁ and Δ₂/ε₂ its expected square is, for each coordinate,
 * 2(‖θ‖²·Δ₁²/ε₁² + Δ₂²/ε₂²). It is least for ε₁ : ε₂ = (‖θ‖Δ₁)^⅔ : Δ₂^⅔ under ε₁ + ε₂ = ε. With
 * Gaussian noise of deviations σ₁, σ₂ it is ‖θ‖²σ₁² + σ₂². It is least for σ₁² : σ₂² = Δ₁/‖θ‖ : Δ₂
 * at a given Δ₁²/σ₁² + Δ₂²/σ₂². ‖θ‖ is not known beforehand. We take 1: with features and target in
 * [−1, 1] that is the scale of weights that predict.
 *
 * <p><b>What is done with the noisy polynomial</b> is free. As in section 6 of the paper, a ridge
 * of 4 times the deviation of the noise on a quadratic coefficient is first added to the diagonal.
 * Then directions are trimmed: the weights have no part in them. The paper trims eigenvalues that
 * are not positive after the ridge. An eigenvalue just above 0 then makes huge weights, and with
 * little data there often is one. Here we trim those that were not positive before the ridge.
 *
 * <p>Logistic regression has the same coefficients: see {@link RegressionLoss#LOGISTIC}.
 *
 * <pre>{@code
 * RegressionResult result =
 *     FunctionalMechanism.linear(bounds, 0.8).fit(session, examples, Units.each(1_000), "patient");
 * }</pre>
 *
 * @param bounds the declared bounds of features and target
 * @param loss what is minimised
 * @param intercept whether the model has one; its weight is one of the p
 * @param budget what the fit may cost, and how it is split
 * @param spread whether Σt² is released too, as one more linear coefficient: it says how far rows
 *     lie from the model, which intervals of a squared loss need. A logistic loss never releases it
 */
@PublicApi
public record FunctionalMechanism(
    RegressionBounds bounds,
    RegressionLoss loss,
    boolean intercept,
    RegressionBudget budget,
    boolean spread) {
  private static final double RIDGE = 4;

  /** Refuses bounds that the loss cannot have. */
  public FunctionalMechanism {
    new Scaling(bounds, intercept, loss);
  }

  /**
   * Without Σt².
   *
   * @param bounds of features and target, declared
   * @param loss what is minimised
   * @param intercept whether the model has one
   * @param budget what the fit may cost
   */
  public FunctionalMechanism(
      RegressionBounds bounds, RegressionLoss loss, boolean intercept, RegressionBudget budget) {
    this(bounds, loss, intercept, budget, false);
  }

  /**
   * Squared loss with an intercept, Laplace noise and the best split.
   *
   * @param bounds of features and target, declared
   * @param epsilon the ε that a fit costs
   * @return that mechanism
   */
  public static FunctionalMechanism linear(RegressionBounds bounds, double epsilon) {
    return new FunctionalMechanism(
        bounds, RegressionLoss.SQUARED, true, new RegressionBudget.Pure(epsilon));
  }

  /**
   * Logistic loss with an intercept, Laplace noise and the best split; a target is 0 or 1.
   *
   * @param bounds of features and target, declared
   * @param epsilon the ε that a fit costs
   * @return that mechanism
   */
  public static FunctionalMechanism logistic(RegressionBounds bounds, double epsilon) {
    return new FunctionalMechanism(
        bounds, RegressionLoss.LOGISTIC, true, new RegressionBudget.Pure(epsilon));
  }

  /**
   * Fits, and states the cost at the budget's own δ.
   *
   * @param session what is charged
   * @param examples the rows
   * @param units which rows are whose
   * @param unit who is protected, as a singular noun
   * @return the model and what it cost
   */
  public RegressionResult fit(PrivacySession session, Examples examples, Units units, String unit) {
    return fit(session, PrivateData.of(examples, units), PrivacyUnit.of(unit), budget.delta());
  }

  /**
   * Fits. The session's ledger is charged with what the budget says.
   *
   * @param session what is charged
   * @param data the rows, and which are whose
   * @param unit who is protected
   * @param delta at which the result states the cost of the whole ledger: a ledger that also has
   *     Gaussian noise has no finite ε at 0
   * @return the model and what it cost
   */
  public RegressionResult fit(
      PrivacySession session, PrivateData data, PrivacyUnit unit, double delta) {
    RegressionResult.Before before = RegressionResult.check(data, session, unit);
    Check.delta(delta);
    NoisySums sums = release(session, data);
    LinearModel model = sums.scaling().model(minimum(sums));
    return RegressionResult.of(model, sums, session, unit, before, delta);
  }

  /** Of the noisy polynomial, where it has one, and with a ridge. */
  static double[] minimum(NoisySums sums) {
    return SymmetricEigen.of(sums.quadratic())
        .inverseTimes(sums.linear(), 0, RIDGE * sums.quadraticDeviation());
  }

  /** Reads the rows only when the first release asks for them, after it was charged. */
  private static final class Question {
    private final Scaling scaling;
    private final PrivateData data;
    private final boolean spread;
    private final int neighbour;
    private Coefficients known;

    Question(Scaling scaling, PrivateData data, boolean spread, int neighbour) {
      this.scaling = scaling;
      this.data = data;
      this.spread = spread;
      this.neighbour = neighbour;
    }

    int quadratic() {
      return Coefficients.quadratic(scaling.weights());
    }

    int linear() {
      return Coefficients.linear(scaling.weights(), spread);
    }

    Coefficients ask() {
      if (known == null) {
        known = Coefficients.of(scaling, data);
      }
      return known;
    }

    /** How wide Laplace noise is that costs this ε, in sensitivities under add/remove. */
    double scale(double epsilon) {
      return neighbour * RegressionBudget.WIDER * MechanismCalibration.laplace(epsilon);
    }
  }

  NoisySums release(PrivacySession session, PrivateData data) {
    Scaling scaling = new Scaling(bounds, intercept, loss);
    // Data that do not fit are refused before anything is charged.
    scaling.check(data.input(), data.targets());
    int neighbour = session.ledger().neighbouring().sensitivity();
    boolean squares = spread && loss == RegressionLoss.SQUARED;
    Question question = new Question(scaling, data, squares, neighbour);
    return budget.match(
        pure ->
            split(session, question, best(pure.epsilon(), question.quadratic(), question.linear())),
        split -> split(session, question, split),
        joint -> joint(session, question, question.scale(joint.epsilon())),
        gaussian -> gaussian(session, question, neighbour * gaussian.multiplier()));
  }

  /** ε₁ : ε₂ = Δ₁^⅔ : Δ₂^⅔. */
  static RegressionBudget.Split best(double epsilon, int quadratics, int linears) {
    double ratio = Math.pow(quadratics / (double) linears, 2.0 / 3);
    double quadratic = epsilon * ratio / (1 + ratio);
    return new RegressionBudget.Split(quadratic, epsilon - quadratic);
  }

  private static NoisySums split(
      PrivacySession session, Question question, RegressionBudget.Split split) {
    int triangle = question.quadratic();
    int line = question.linear();
    double quadratic = question.scale(split.quadratic());
    double linear = question.scale(split.linear());
    CoarseSums first = laplace(triangle, triangle, quadratic);
    CoarseSums second = laplace(line, line, linear);
    double[] noisyQuadratic =
        session
            .release(
                new Mechanism.Laplace(quadratic),
                id -> {
                  question.ask().putQuadratic(first);
                  return first;
                })
            .values();
    double[] noisyLinear =
        session
            .release(
                new Mechanism.Laplace(linear),
                id -> {
                  question.ask().putLinear(second, question.spread);
                  return second;
                })
            .values();
    return new NoisySums(
        question.scaling,
        Coefficients.matrix(question.scaling.weights(), noisyQuadratic),
        noisyLinear,
        Math.sqrt(2) * quadratic * first.sensitivities()[0],
        Math.sqrt(2) * linear * second.sensitivities()[0],
        true);
  }

  private static NoisySums joint(PrivacySession session, Question question, double scale) {
    int all = question.quadratic() + question.linear();
    CoarseSums sums = laplace(all, all, scale);
    double[] noisy = values(session, question, new Mechanism.Laplace(scale), sums);
    double deviation = Math.sqrt(2) * scale * sums.sensitivities()[0];
    return NoisySums.of(question.scaling, noisy, deviation, deviation, true);
  }

  private static CoarseSums laplace(int coordinates, double exact, double scale) {
    return new CoarseSums(
        Norm.L1, new int[] {coordinates}, new double[] {exact}, new double[] {scale});
  }

  private static NoisySums gaussian(PrivacySession session, Question question, double together) {
    int triangle = question.quadratic();
    int line = question.linear();
    double[] exact = {Math.sqrt(triangle), Math.sqrt(line)};
    // 1/m₁² : 1/m₂² = Δ₁ : Δ₂ with m = σ/Δ, and their sum is 1/together².
    double[] multipliers = {
      together * Math.sqrt((exact[0] + exact[1]) / exact[0]),
      together * Math.sqrt((exact[0] + exact[1]) / exact[1])
    };
    CoarseSums sums =
        new CoarseSums(Norm.L2, new int[] {triangle, triangle + line}, exact, multipliers);
    Mechanism mechanism = new Mechanism.JointGaussian(List.of(multipliers[0], multipliers[1]));
    double[] noisy = values(session, question, mechanism, sums);
    double[] deviations = sums.sensitivities();
    return NoisySums.of(
        question.scaling,
        noisy,
        multipliers[0] * deviations[0],
        multipliers[1] * deviations[1],
        false);
  }

  private static double[] values(
      PrivacySession session, Question question, Mechanism mechanism, CoarseSums sums) {
    return session
        .release(
            mechanism,
            id -> {
              question.ask().putQuadratic(sums);
              question.ask().putLinear(sums, question.spread);
              return sums;
            })
        .values();
  }
}
