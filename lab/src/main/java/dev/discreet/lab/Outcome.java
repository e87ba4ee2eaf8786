package dev.discreet.lab;

import dev.discreet.accounting.Check;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a trial measured: numbers by name, one or, for a curve, many. */
public record Outcome(Map<String, List<Double>> measures) {
  /** What pages call images that are not the official ones, and the mark of a trial on them. */
  static final String COPIES = "JPEG copies";

  public Outcome {
    Map<String, List<Double>> copy = new LinkedHashMap<>();
    measures.forEach((name, values) -> copy.put(name, List.copyOf(values)));
    measures = Collections.unmodifiableMap(copy);
  }

  public static Outcome of(String name, double value) {
    return new Outcome(Map.of(name, List.of(value)));
  }

  /** This with one more number. */
  public Outcome with(String name, double value) {
    return with(name, List.of(value));
  }

  /** This with one more curve. */
  public Outcome with(String name, List<Double> values) {
    Map<String, List<Double>> all = new LinkedHashMap<>(measures);
    all.put(name, values);
    return new Outcome(all);
  }

  /** The number of that name; of a curve its last, and NaN of one without points. */
  public double value(String name) {
    List<Double> values = curve(name);
    if (values.isEmpty()) {
      return Double.NaN;
    }
    return values.get(values.size() - 1);
  }

  public List<Double> curve(String name) {
    Check.that(measures.containsKey(name), "measure", "one of " + measures.keySet(), name);
    return measures.get(name);
  }
}
