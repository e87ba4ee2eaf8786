package dev.discreet.data;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What may be told of data to anyone: what is public of a set that has a name, and of a private
 * file only what its owner declared. No row was read for it.
 *
 * <pre>{@code
 * DataDescription digits = DataSets.describe("mnist", DataOptions.none());
 * System.out.println(digits.facts());
 * }</pre>
 *
 * @param name as a report shows it
 * @param isPublic whether this is a public set
 * @param facts in the order to show them
 */
@PublicApi
public record DataDescription(String name, boolean isPublic, Map<String, String> facts) {
  /**
   * Copies the facts.
   *
   * @param name as it was asked for
   * @param isPublic whether this is a public set
   * @param facts in the order to show them
   */
  public DataDescription {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /**
   * How many rows there are of a set with a test part.
   *
   * @param train to train on
   * @param test to test on
   * @return both as words
   */
  public static String rows(int train, int test) {
    return String.format(Locale.ROOT, "%,d to train on, %,d to test on", train, test);
  }

  /**
   * What a public set is like.
   *
   * @param shape of an input
   * @param task what is to be predicted
   * @param inputs names of the inputs of a table; empty for images
   * @param scale what images are normalised by
   * @return facts in the order to show them
   */
  public static Map<String, String> facts(
      Shape shape, Task task, List<String> inputs, PixelScale scale) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("shape", shape.toString());
    if (!inputs.isEmpty()) {
      facts.put("inputs", String.join(", ", inputs));
    }
    Map.Entry<String, String> predicted =
        task.match(
            classes -> Map.entry("classes", String.join(", ", classes.names())),
            number ->
                Map.entry(
                    "predicts",
                    number.name()
                        + " in "
                        + Digits.shortest(number.low())
                        + ".."
                        + Digits.shortest(number.high())));
    facts.put(predicted.getKey(), predicted.getValue());
    facts.putAll(scale.facts());
    return facts;
  }

  /**
   * For the console.
   *
   * @return the name, and a line for each fact
   */
  public String text() {
    return name
        + facts.entrySet().stream()
            .map(fact -> "\n  " + fact.getKey() + ": " + fact.getValue())
            .collect(Collectors.joining());
  }
}
