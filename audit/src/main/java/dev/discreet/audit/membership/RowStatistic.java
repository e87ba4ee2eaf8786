package dev.discreet.audit.membership;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How well a model knows a player, as one number.
 *
 * <ul>
 *   <li>Of classes: the logarithm of p/(1 − p), where p = e^−loss is the probability of the true
 *       class. Over models this is nearly normal, where p itself is crowded near 1.
 *   <li>Of a number: how far the prediction is from the truth, with its sign.
 * </ul>
 *
 * A player with several examples has their mean.
 */
final class RowStatistic {
  private static final int BATCH = 1000;

  // A loss of 0 would have no logarithm.
  private static final double LEAST_LOSS = 1e-300;

  private RowStatistic() {}

  /** Larger where the loss is smaller. */
  static double[] lossScores(Task task, float[] statistics) {
    double[] scores = new double[statistics.length];
    for (int i = 0; i < scores.length; i++) {
      double value = statistics[i];
      // The loss of classes is ln(1 + e^−statistic), which falls as the statistic rises.
      scores[i] = task.<Double>match(classes -> value, number -> -Math.abs(value));
    }
    return scores;
  }

  /**
   * @param players units of the rows, each with an example at least
   */
  static float[] of(Engine engine, Model model, LocalData rows, int[] players) {
    Units units = rows.units();
    int[] examples =
        Arrays.stream(players)
            .flatMap(unit -> IntStream.range(0, units.size(unit)).map(i -> units.example(unit, i)))
            .toArray();
    double[] each = ofExamples(engine, model, rows.examples(), examples);
    float[] statistics = new float[players.length];
    int at = 0;
    for (int i = 0; i < players.length; i++) {
      double sum = 0;
      for (int k = 0; k < units.size(players[i]); k++) {
        sum += each[at++];
      }
      float mean = (float) (sum / units.size(players[i]));
      // A model that came to nothing says nothing.
      statistics[i] = Float.isFinite(mean) ? mean : 0;
    }
    return statistics;
  }

  private static double[] ofExamples(Engine engine, Model model, Examples all, int[] examples) {
    int outputs = model.layout().outputs();
    Loss loss = model.layout().network().loss();
    boolean number = model.task() instanceof Task.Number;
    float[] parameters = model.parameters();
    float[] target = new float[all.targets()];
    double[] truth = new double[target.length];
    double[] output = new double[outputs];
    double[] statistics = new double[examples.length];
    try (PublicGradients engineOnRows = engine.open(model.layout(), all)) {
      for (int from = 0; from < examples.length; from += BATCH) {
        int to = Math.min(examples.length, from + BATCH);
        float[] raw = engineOnRows.predict(parameters, Arrays.copyOfRange(examples, from, to));
        for (int i = from; i < to; i++) {
          all.target(examples[i], target, 0);
          for (int k = 0; k < target.length; k++) {
            truth[k] = target[k];
          }
          for (int k = 0; k < outputs; k++) {
            output[k] = raw[(i - from) * outputs + k];
          }
          statistics[i] = number ? output[0] - truth[0] : confidence(loss, output, truth);
        }
      }
    }
    return statistics;
  }

  /** ln(p/(1 − p)) for p = e^−loss. */
  static double confidence(Loss loss, double[] output, double[] truth) {
    if (loss instanceof Loss.SoftmaxCrossEntropy && output.length > 1) {
      // By the loss, a probability that rounds to 1 would have no logarithm.
      int label = (int) truth[0];
      double top = Double.NEGATIVE_INFINITY;
      for (int k = 0; k < output.length; k++) {
        top = k == label ? top : Math.max(top, output[k]);
      }
      double sum = 0;
      for (int k = 0; k < output.length; k++) {
        sum += k == label ? 0 : Math.exp(output[k] - top);
      }
      return output[label] - top - Math.log(sum);
    }
    Loss unweighted = loss.with(loss.balance().weighing());
    double value = unweighted.value(output, truth, new double[output.length]);
    return -Math.log(Math.expm1(Math.max(LEAST_LOSS, value)));
  }
}
