package dev.discreet.core.model;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a model says of one row. It depends on that row, and no ledger counts it.
 *
 * <pre>{@code
 * Prediction prediction = Model.load(Path.of("runs", "people")).predict(41, 1);
 * System.out.println(prediction.label());
 * }</pre>
 *
 * @param label the name of the class, or the number as text
 * @param value the number in its own unit, or the index of the class
 * @param probabilities of the classes by name; empty for a number
 */
@PublicApi
public record Prediction(String label, double value, Map<String, Double> probabilities) {
  /** Copies the probabilities. */
  public Prediction {
    probabilities = Collections.unmodifiableMap(new LinkedHashMap<>(probabilities));
  }

  static Prediction ofNumber(double value) {
    return new Prediction(Digits.shortest(value), value, Map.of());
  }

  /** The label, with its probability where it is a class. */
  @Override
  public String toString() {
    return probabilities.isEmpty()
        ? label
        : label + " (" + Digits.shortest((float) (double) probabilities.get(label)) + ")";
  }
}
