package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.evaluate.Scoring;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.nn.Layout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What goes into a model and what comes out of it, in the words of those who use it.
 *
 * <pre>{@code
 * RawInputs rows = new RawInputs.Columns(List.of(new InputColumn.Number("age", 0, 120)));
 * ModelUse use = new ModelUse(rows, new Task.Classes(List.of("well", "ill")));
 * Model described = Model.load(Path.of("runs", "patients")).usedAs(use);
 * }</pre>
 *
 * @param inputs how raw rows become inputs
 * @param task what the outputs mean
 */
@PublicApi
public record ModelUse(RawInputs inputs, Task task) {

  /**
   * The use of a model that nobody described: it takes inputs as they are, and its classes are
   * numbered.
   */
  static ModelUse plain(Layout layout) {
    int classes = classes(layout);
    return new ModelUse(
        new RawInputs.AsTheyAre(),
        classes == 0
            ? new Task.Number("value", 0, 1)
            : new Task.Classes(IntStream.range(0, classes).mapToObj(Integer::toString).toList()));
  }

  /** How many classes a network tells apart; 0 where its outputs are numbers. */
  private static int classes(Layout layout) {
    return switch (Scoring.of(layout, 1)) {
      case TWO_CLASSES -> 2;
      case CLASSES -> layout.outputs();
      case NUMBERS -> 0;
    };
  }

  /**
   * Refuses a network that raw rows of this kind do not fit, or that tells another number of
   * classes apart.
   *
   * @param layout the network on its input
   */
  public void check(Layout layout) {
    inputs.check(layout);
    int classes = classes(layout);
    task.match(
        named -> {
          int names = named.names().size();
          Check.that(
              names == classes,
              "classes of a model",
              "as many as its network's, " + classes,
              names);
          return true;
        },
        number -> true);
  }

  /** As {@code model.json} has it. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    task.match(
        classes -> fields.put("classes", classes.names()),
        number -> {
          fields.put("predicts", number.name());
          fields.put("low", number.low());
          return fields.put("high", number.high());
        });
    fields.putAll(inputs.fields());
    return fields;
  }

  static ModelUse read(JsonFields fields) {
    Task task =
        fields.map().containsKey("classes")
            ? new Task.Classes(
                ((List<?>) fields.list("classes")).stream().map(String::valueOf).toList())
            : new Task.Number(fields.text("predicts"), fields.number("low"), fields.number("high"));
    return new ModelUse(RawInputs.read(fields), task);
  }

  /** What the outputs of one row say. */
  Prediction prediction(double[] outputs, int taken) {
    return task.match(
        classes -> {
          Map<String, Double> probabilities = new LinkedHashMap<>();
          for (int i = 0; i < classes.names().size(); i++) {
            probabilities.put(classes.names().get(i), outputs[i]);
          }
          return new Prediction(classes.names().get(taken), taken, probabilities);
        },
        number -> Prediction.ofNumber(number.low() + outputs[0] * (number.high() - number.low())));
  }
}
