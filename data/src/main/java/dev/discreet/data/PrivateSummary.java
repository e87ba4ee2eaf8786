package dev.discreet.data;

import dev.discreet.accounting.Mechanism;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.privacy.BoundedValue;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * How many units there are of each class (of a number: in each tenth of its bounds), with noise and
 * on the ledger. A unit of several examples counts 1 in all, spread evenly over them.
 *
 * @param bins classes, or tenths of the bounds
 * @param counts noisy, so some may be below 0
 * @param deviation of the noise on each count
 */
public record PrivateSummary(List<String> bins, List<Double> counts, double deviation) {
  private static final int TENTHS = 10;
  // A unit's share of a bin is rounded down to 2^-20.
  private static final int EXPONENT = -20;

  /**
   * Copies the lists.
   *
   * @param bins classes, or tenths of the bounds
   * @param counts one for each bin
   * @param deviation of the noise on each count
   */
  public PrivateSummary {
    bins = List.copyOf(bins);
    counts = List.copyOf(counts);
  }

  /**
   * One release of a Gaussian mechanism.
   *
   * <p><b>Formal guarantee.</b> A unit adds m shares of at most 1/m to the bins, rounded down, and
   * nothing else depends on it: one unit more or less moves the counts by at most 1 in the sum of
   * absolute values, and so in the Euclidean norm.
   *
   * @param task what the labels are
   * @param part whose labels are counted
   * @param session charges the release and adds the noise
   * @param noiseMultiplier of the mechanism
   * @return the noisy counts
   */
  public static PrivateSummary release(
      Task task, DataSet.Part part, PrivacySession session, double noiseMultiplier) {
    Histogram histogram = Histogram.of(task, part);
    NoisyValue noisy = session.release(new Mechanism.Gaussian(noiseMultiplier), histogram);
    return new PrivateSummary(
        bins(task),
        Arrays.stream(noisy.values()).boxed().toList(),
        noiseMultiplier * Histogram.SENSITIVITY);
  }

  private static List<String> bins(Task task) {
    return task.match(Task.Classes::names, PrivateSummary::tenths);
  }

  private static List<String> tenths(Task.Number number) {
    double width = (number.high() - number.low()) / TENTHS;
    return IntStream.range(0, TENTHS)
        .mapToObj(
            i ->
                String.format(
                    Locale.ROOT,
                    "%s %.4g..%.4g",
                    number.name(),
                    number.low() + i * width,
                    number.low() + (i + 1) * width))
        .toList();
  }

  /** The number of the bin that a target falls into. */
  private static double bin(Task task, float target) {
    return task.<Double>match(
        classes -> (double) target, number -> Math.min(Math.floor(target * TENTHS), TENTHS - 1));
  }

  /**
   * For the console.
   *
   * @return a line for each bin
   */
  public String text() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < bins.size(); i++) {
      lines.add(
          String.format(
              Locale.ROOT, "%s: %.1f ± %.1f units", bins.get(i), counts.get(i), deviation));
    }
    return String.join("\n", lines);
  }

  /** The exact counts, in steps of 2^-20. They leave through the session only. */
  record Histogram(long[] integers) implements BoundedValue {
    static final double SENSITIVITY = 1;

    static Histogram of(Task task, DataSet.Part part) {
      long[] bins = new long[bins(task).size()];
      Units units = part.units();
      Examples examples = part.examples();
      units.check(examples.size());
      float[] target = new float[examples.targets()];
      for (int unit = 0; unit < units.count(); unit++) {
        int size = units.size(unit);
        for (int i = 0; i < size; i++) {
          examples.target(units.example(unit, i), target, 0);
          double bin = bin(task, target[0]);
          if (bin >= 0 && bin < bins.length) {
            bins[(int) bin] += (1L << -EXPONENT) / size;
          }
        }
      }
      return new Histogram(bins);
    }

    @Override
    public int exponent() {
      return EXPONENT;
    }

    @Override
    public int[] groupEnds() {
      return new int[] {integers.length};
    }

    @Override
    public double[] sensitivities() {
      return new double[] {SENSITIVITY};
    }
  }
}
