package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How well parameters predict a set of examples. It depends on those examples as they are: it may
 * be released only where they are declared public (see {@link TestSet}).
 *
 * <pre>{@code
 * Evaluation evaluation = result.evaluation().orElseThrow();
 * if (evaluation instanceof Evaluation.Classification classes) {
 *   System.out.println(classes.accuracy());
 * }
 * }</pre>
 */
@PublicApi
public sealed interface Evaluation {

  /** {@return how many examples were predicted} */
  int examples();

  /**
   * The mean loss of an example.
   *
   * @return the mean loss
   */
  double loss();

  /**
   * What there is to say of each kind. A new kind is a further parameter, so that every caller
   * fails to compile until it knows it.
   *
   * @param <T> what is said
   * @param classes for a classification
   * @param regression for a regression
   * @return what the function of this kind gives
   */
  <T> T match(Function<Classification, T> classes, Function<Regression, T> regression);

  /**
   * As {@code run.json} has it.
   *
   * @return the fields, by name
   */
  default Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("examples", examples());
    fields.put("testLoss", JsonFields.number(loss()));
    match(
        classes -> {
          fields.put("testAccuracy", classes.accuracy());
          fields.put("testLargestClass", classes.largestClass());
          fields.put("confusion", classes.confusion());
          classes.quality().ifPresent(known -> known.put(fields));
          return fields;
        },
        number -> {
          fields.put("meanSquaredError", JsonFields.number(number.meanSquaredError()));
          fields.put("labelVariance", JsonFields.number(number.variance()));
          fields.put("rSquared", JsonFields.number(number.rSquared()));
          number.quality().ifPresent(known -> known.put(fields));
          return fields;
        });
    return fields;
  }

  /**
   * Reads what {@link #fields} wrote.
   *
   * @param fields by name
   * @return the same evaluation
   */
  static Evaluation read(JsonFields fields) {
    int examples = fields.count("examples");
    double loss = fields.real("testLoss");
    return fields.map().containsKey("confusion")
        ? new Classification(examples, loss, confusion(fields), ClassQuality.read(fields))
        : new Regression(
            examples,
            loss,
            fields.real("meanSquaredError"),
            fields.real("labelVariance"),
            NumberQuality.read(fields));
  }

  /** As many rows as columns, of whole numbers. */
  private static List<List<Integer>> confusion(JsonFields fields) {
    List<?> rows = fields.list("confusion");
    List<List<Integer>> counts = new ArrayList<>();
    for (Object row : rows) {
      boolean right =
          row instanceof List<?> list
              && list.size() == rows.size()
              && list.stream().allMatch(each -> each instanceof Integer n && n >= 0);
      Check.that(right, "confusion of " + fields.owner(), "a square of whole numbers", row);
      counts.add(((List<?>) row).stream().map(Integer.class::cast).toList());
    }
    return counts;
  }

  /**
   * How well classes were found.
   *
   * @param examples how many were asked about
   * @param loss the mean over examples of the loss that was trained
   * @param confusion how many examples of class i (row) were taken for class j (column)
   * @param quality what the outputs say beyond the class that was taken; empty where only that is
   *     known
   */
  record Classification(
      int examples, double loss, List<List<Integer>> confusion, Optional<ClassQuality> quality)
      implements Evaluation {
    /** Copies the rows. */
    public Classification {
      confusion = confusion.stream().map(List::copyOf).toList();
    }

    /**
     * Of classes alone.
     *
     * @param examples how many were asked about
     * @param loss the mean over examples of the loss that was trained
     * @param confusion how many examples of class i (row) were taken for class j (column)
     */
    public Classification(int examples, double loss, List<List<Integer>> confusion) {
      this(examples, loss, confusion, Optional.empty());
    }

    @Override
    public <T> T match(Function<Classification, T> classes, Function<Regression, T> regression) {
      return classes.apply(this);
    }

    /**
     * The share of examples whose class was found.
     *
     * @return in [0, 1]
     */
    public double accuracy() {
      long right = 0;
      for (int i = 0; i < confusion.size(); i++) {
        right += confusion.get(i).get(i);
      }
      return (double) right / examples;
    }

    /**
     * The share of examples that are of the largest class: what predicting it always would find.
     *
     * @return in [0, 1]
     */
    public double largestClass() {
      int largest = 0;
      for (List<Integer> row : confusion) {
        largest = Math.max(largest, row.stream().mapToInt(Integer::intValue).sum());
      }
      return (double) largest / examples;
    }
  }

  /**
   * How well numbers were predicted.
   *
   * @param examples how many were asked about
   * @param loss the mean over examples of the loss that was trained
   * @param meanSquaredError the mean over examples and outputs of (output − target)²
   * @param variance of the targets, the mean over outputs: the mean squared error of predicting
   *     their mean
   * @param quality what the errors say beyond that; empty where only their squares are known
   */
  record Regression(
      int examples,
      double loss,
      double meanSquaredError,
      double variance,
      Optional<NumberQuality> quality)
      implements Evaluation {

    /**
     * Of mean squares alone.
     *
     * @param examples how many were asked about
     * @param loss the mean over examples of the loss that was trained
     * @param meanSquaredError the mean over examples and outputs of (output − target)²
     * @param variance of the targets, the mean over outputs
     */
    public Regression(int examples, double loss, double meanSquaredError, double variance) {
      this(examples, loss, meanSquaredError, variance, Optional.empty());
    }

    @Override
    public <T> T match(Function<Classification, T> classes, Function<Regression, T> regression) {
      return regression.apply(this);
    }

    /**
     * R²: how much less the error is than that of predicting the mean, as a share of it.
     *
     * @return at most 1
     */
    public double rSquared() {
      return 1 - meanSquaredError / variance;
    }
  }

  /**
   * Evaluates in batches. One output with the logistic loss tells two classes apart; several
   * outputs beside a class as target predict one of several; all else is regression. Which class is
   * taken is as the loss has it ({@link dev.discreet.core.nn.ClassBalance#taken}).
   *
   * @param gradients over the same examples
   * @param layout the network on its input
   * @param parameters what is evaluated
   * @param examples what to predict
   * @return a classification or a regression
   */
  static Evaluation of(
      PublicGradients gradients, Layout layout, float[] parameters, Examples examples) {
    int size = examples.size();
    Check.that(size >= 1, "examples to evaluate", "at least 1", size);
    int outputs = layout.outputs();
    Loss trainedOn = layout.network().loss();
    // How well rows are predicted has no weights: they say what to learn.
    Loss lossOf = trainedOn.with(trainedOn.balance().weighing());
    Scoring how = Scoring.of(layout, examples.targets());
    boolean binary = how == Scoring.TWO_CLASSES;
    boolean classes = how != Scoring.NUMBERS;
    ClassTally found = classes ? new ClassTally(how, lossOf, outputs, size) : null;
    NumberTally near = classes ? null : new NumberTally(outputs, size);
    float[] read = new float[examples.targets()];
    double[] target = new double[examples.targets()];
    double[] output = new double[outputs];
    double[] unused = new double[outputs];
    double loss = 0;
    // Each batch packs the weights anew, and threads share its rows.
    int most = Math.max(1000, (1 << 20) / outputs);
    for (int from = 0; from < size; from += most) {
      int[] batch = batch(from, Math.min(size, from + most));
      float[] predicted = gradients.predict(parameters, batch);
      for (int i = 0; i < batch.length; i++) {
        examples.target(batch[i], read, 0);
        for (int j = 0; j < target.length; j++) {
          target[j] = read[j];
          // As two classes beside one output, else as any number: labels, the loss refuses.
          Check.that(
              binary ? read[j] >= 0 && read[j] <= 1 : Float.isFinite(read[j]),
              "target of example " + batch[i],
              binary ? "in [0, 1]" : "finite",
              read[j]);
        }
        for (int j = 0; j < outputs; j++) {
          output[j] = predicted[i * outputs + j];
        }
        double value;
        try {
          value = lossOf.value(output, target, unused);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("example " + batch[i] + ": " + e.getMessage(), e);
        }
        loss += value;
        if (classes) {
          found.add(output, how.label(target), value);
        } else {
          near.add(output, target);
        }
      }
    }
    return classes ? found.evaluation(loss) : near.evaluation(loss);
  }

  private static int[] batch(int from, int to) {
    int[] batch = new int[to - from];
    Arrays.setAll(batch, i -> from + i);
    return batch;
  }
}
