package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.Variance;
import java.util.List;

/**
 * A linear score, in the units of the examples to which it was fitted.
 *
 * <pre>{@code
 * LinearModel model = new LinearModel(new double[] {2, -1}, 0.5, RegressionLoss.SQUARED);
 * double predicted = model.score(new float[] {1, 3});
 * }</pre>
 *
 * @param weights one for each feature, in the order of the features
 * @param intercept 0 for a model without one
 * @param loss what the weights were fitted by: it says what a score means
 */
@PublicApi
public record LinearModel(double[] weights, double intercept, RegressionLoss loss) {
  /** Copies the weights. */
  public LinearModel {
    weights = weights.clone();
  }

  /** {@return a copy of the weights, one for each feature} */
  @Override
  public double[] weights() {
    return weights.clone();
  }

  /**
   * The predicted target or, for a logistic model, the logarithm of the odds of class 1.
   *
   * @param features of one example
   * @return the score
   */
  public double score(float[] features) {
    double score = intercept;
    for (int i = 0; i < weights.length; i++) {
      score += weights[i] * features[i];
    }
    return score;
  }

  /**
   * The mean squared error or, for a logistic model, the share of examples on the wrong side.
   *
   * @param examples what to predict
   * @return at least 0
   */
  public double error(Examples examples) {
    return evaluate(examples)
        .<Double>match(classes -> 1 - classes.accuracy(), Evaluation.Regression::meanSquaredError);
  }

  /**
   * The evaluation depends on these examples, so it may be released only where they are public.
   *
   * @param examples what to predict
   * @return how well it does
   */
  public Evaluation evaluate(Examples examples) {
    Check.that(
        examples.input().size() == weights.length && examples.targets() == 1,
        "examples",
        "of " + weights.length + " features and one target",
        examples.input().size() + " and " + examples.targets());
    int size = examples.size();
    float[] features = new float[weights.length];
    float[] target = new float[1];
    Integer[][] confusion = {{0, 0}, {0, 0}};
    Variance variance = new Variance(1);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      examples.input(i, features, 0);
      examples.target(i, target, 0);
      double score = score(features);
      double miss = score - target[0];
      sum +=
          loss == RegressionLoss.SQUARED
              ? miss * miss
              : Math.max(score, 0) - score * target[0] + Math.log1p(Math.exp(-Math.abs(score)));
      confusion[target[0] > 0.5 ? 1 : 0][score > 0 ? 1 : 0]++;
      variance.add(target[0]);
    }
    return loss == RegressionLoss.SQUARED
        ? new Evaluation.Regression(size, sum / size, sum / size, variance.value())
        : new Evaluation.Classification(
            size, sum / size, List.of(List.of(confusion[0]), List.of(confusion[1])));
  }
}
