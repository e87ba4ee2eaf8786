package dev.discreet.data.generate;

import dev.discreet.accounting.Digits;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.PixelScale;
import java.util.List;

/**
 * What anyone may know of a generated set before it is made.
 *
 * @param summary what it is, on one line
 * @param train rows to train on, unless told otherwise
 * @param test rows to test on, unless told otherwise
 * @param columns of tables: the inputs in their order with public bounds, as {@code Column} texts
 *     such as {@code age=16..90}; empty for images
 * @param mean of images: what a pixel in [0, 1] was normalised by, one a channel; empty for tables
 * @param deviation beside the mean
 */
public record GeneratedSet(
    String name,
    String summary,
    int train,
    int test,
    Shape input,
    Task task,
    List<String> columns,
    List<Double> mean,
    List<Double> deviation) {

  public GeneratedSet {
    columns = List.copyOf(columns);
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
  }

  /** What its pixels were normalised by; nothing of tables. */
  public PixelScale scale() {
    return new PixelScale(mean, deviation);
  }

  /** All of it on one line. */
  public String line() {
    StringBuilder line = new StringBuilder(name).append(": ").append(summary);
    line.append("; ").append(train).append(" + ").append(test).append(" rows of ").append(input);
    line.append(
        task.<String>match(
            classes -> ", " + classes.names().size() + " classes",
            number -> ", " + number.name() + " in " + bounds(number.low(), number.high())));
    if (!mean.isEmpty()) {
      line.append(", mean ").append(Digits.numbersIn(mean.get(0)));
      line.append(" and deviation ").append(Digits.numbersIn(deviation.get(0)));
    }
    return line.toString();
  }

  /** Bounds as a {@code Column} has them. */
  static String bounds(double low, double high) {
    return number(low) + ".." + number(high);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Digits.shortest(value);
  }
}
