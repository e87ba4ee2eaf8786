package dev.discreet.recipe.coefficients;

import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.algorithms.regression.RegressionLoss;
import dev.discreet.core.evaluate.Scoring;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Layer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The coefficients of a model without hidden layers, in the words and units of its table. They are
 * the model itself, and so cost nothing; how far noise moved them, its steps do not tell.
 */
public final class LinearCoefficients {
  private LinearCoefficients() {}

  /**
   * In a table for a number or for two classes, and of more classes in one for each but the first,
   * against it.
   *
   * @return none for a model with hidden layers, one whose rows are no table, and one of classes
   *     whose outputs are no probabilities that add up to 1: it has no log-odds
   */
  public static List<CoefficientTable> of(Model model) {
    List<Layer> layers = model.layout().network().layers();
    boolean table =
        model
            .use()
            .flatMap(use -> use.inputs().declared(RawInputs.Columns::columns, pixels -> List.of()))
            .filter(columns -> !columns.isEmpty())
            .isPresent();
    int last = layers.size() - 1;
    boolean alone = layers.subList(0, last).stream().allMatch(Layer.Flatten.class::isInstance);
    if (!table || !alone || !(layers.get(last) instanceof Layer.Dense dense)) {
      return List.of();
    }
    InputTerms terms =
        InputTerms.of(model.use().orElseThrow().inputs(), model.layout().input().size());
    return model
        .task()
        .match(
            classes -> ofClasses(model, dense, terms, classes.names()),
            number -> List.of(table(line(model, dense, 0), terms, number)));
  }

  private static List<CoefficientTable> ofClasses(
      Model model, Layer.Dense dense, InputTerms terms, List<String> names) {
    if (!Scoring.saysProbabilities(model.layout().network().loss(), dense.outputs())) {
      return List.of();
    }
    if (dense.outputs() == 1) {
      return List.of(table(line(model, dense, 0), terms, new Task.Classes(names)));
    }
    List<CoefficientTable> all = new ArrayList<>();
    double[] first = line(model, dense, 0);
    for (int k = 1; k < names.size(); k++) {
      double[] other = line(model, dense, k);
      double[] against =
          IntStream.range(0, first.length).mapToDouble(i -> other[i] - first[i]).toArray();
      Task pair = new Task.Classes(List.of(names.get(0), names.get(k)));
      CoefficientTable of = table(against, terms, pair);
      all.add(
          names.size() == 2
              ? of
              : new CoefficientTable(
                  of.rows(), of.unit() + " against " + names.get(0), of.drowned()));
    }
    return all;
  }

  /** The weights of one output, and then its bias. */
  private static double[] line(Model model, Layer.Dense dense, int output) {
    int inputs = model.layout().input().size();
    float[] parameters = model.parameters();
    double[] line = new double[inputs + 1];
    for (int i = 0; i < inputs + (dense.bias() ? 1 : 0); i++) {
      line[i] = parameters[i * dense.outputs() + output];
    }
    return line;
  }

  private static CoefficientTable table(double[] line, InputTerms terms, Task task) {
    int inputs = line.length - 1;
    LinearModel linear =
        new LinearModel(
            Arrays.copyOf(line, inputs),
            line[inputs],
            task.match(classes -> RegressionLoss.LOGISTIC, number -> RegressionLoss.SQUARED));
    return CoefficientTable.of(linear, terms, Optional.empty(), true, task);
  }
}
