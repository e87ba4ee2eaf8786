package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.privacy.NoisyValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was released beside a held-out score, in units: counts with noise, which may be negative.
 *
 * <pre>{@code
 * NoisyScore score = result.heldOut().orElseThrow();
 * Metrics.of(score, LabelUnit.SCALED).forEach(metric -> System.out.println(metric.text()));
 * }</pre>
 *
 * @param confusion how many units of class i (row) were taken for class j (column); empty of
 *     numbers and of very many classes
 * @param confusionNoise the standard deviation of the noise on each
 * @param bins for each bin of probability how often it came true, how often not, and the sum of how
 *     far it lies from the bin's middle, in half widths of a bin; empty without probabilities
 * @param binNoise the standard deviation of the noise on each of the two counts
 * @param saidNoise that of the noise on the sums
 * @param meanAbsoluteError of a number, scaled to [0, 1]; NaN of classes
 * @param meanAbsoluteErrorNoise the standard deviation of its noise
 */
@PublicApi
public record NoisyFigures(
    List<List<Double>> confusion,
    double confusionNoise,
    List<List<Double>> bins,
    double binNoise,
    double saidNoise,
    double meanAbsoluteError,
    double meanAbsoluteErrorNoise) {
  private static final String KEY = "heldOutFigures";

  /** Copies the rows. */
  public NoisyFigures {
    confusion = confusion.stream().map(List::copyOf).toList();
    bins = bins.stream().map(List::copyOf).toList();
  }

  static NoisyFigures of(HeldOutParts parts, NoisyValue sums, double deviation, long units) {
    List<List<Double>> confusion = new ArrayList<>();
    for (int i = 0; i < parts.classes() && parts.hasConfusion(); i++) {
      List<Double> row = new ArrayList<>();
      for (int j = 0; j < parts.classes(); j++) {
        int at = parts.confusionAt() + i * parts.classes() + j;
        row.add(sums.value(at) / HeldOutParts.CONFUSION);
      }
      confusion.add(row);
    }
    List<List<Double>> bins = new ArrayList<>();
    for (int bin = 0; bin < CalibrationCurve.BINS && parts.hasBins(); bin++) {
      bins.add(
          List.of(
              sums.value(parts.binsAt() + 2 * bin) / HeldOutParts.BINS,
              sums.value(parts.binsAt() + 2 * bin + 1) / HeldOutParts.BINS,
              sums.value(parts.saidAt() + bin) / HeldOutParts.SAID));
    }
    return new NoisyFigures(
        confusion,
        deviation / HeldOutParts.CONFUSION,
        bins,
        deviation / HeldOutParts.BINS,
        deviation / HeldOutParts.SAID,
        parts.hasAbsolute()
            ? Scoring.within(1 - sums.value(parts.absoluteAt()) / HeldOutParts.ABSOLUTE / units)
            : Double.NaN,
        deviation / HeldOutParts.ABSOLUTE / units);
  }

  /**
   * How far probabilities can be believed, as far as the noise tells.
   *
   * @return the curve, whose bins know their noise; without bins where there are no probabilities
   */
  public CalibrationCurve calibration() {
    List<CalibrationCurve.Bin> curve = new ArrayList<>();
    for (int i = 0; i < bins.size(); i++) {
      List<Double> bin = bins.get(i);
      double middle = CalibrationCurve.middle(i);
      double rows = bin.get(0) + bin.get(1);
      double half = 0.5 / CalibrationCurve.BINS;
      // Of rows · (said − was), which is linear in what was released.
      double noise =
          Math.sqrt(
              binNoise * binNoise * (middle * middle + (1 - middle) * (1 - middle))
                  + half * half * saidNoise * saidNoise);
      curve.add(
          new CalibrationCurve.Bin(
              rows, middle + half * bin.get(2) / rows, bin.get(0) / rows, noise));
    }
    return new CalibrationCurve(curve);
  }

  void put(Map<String, Object> fields) {
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("confusion", confusion);
    own.put("confusionNoise", confusionNoise);
    own.put("bins", bins);
    own.put("binNoise", binNoise);
    own.put("saidNoise", saidNoise);
    own.put("meanAbsoluteError", JsonFields.number(meanAbsoluteError));
    own.put("meanAbsoluteErrorNoise", meanAbsoluteErrorNoise);
    fields.put(KEY, own);
  }

  static Optional<NoisyFigures> read(JsonFields fields) {
    if (!fields.map().containsKey(KEY)) {
      return Optional.empty();
    }
    JsonFields own = JsonFields.of(KEY + " of " + fields.owner(), fields.get(KEY));
    return Optional.of(
        new NoisyFigures(
            rows(own, "confusion", own.list("confusion").size()),
            own.number("confusionNoise"),
            rows(own, "bins", 3),
            own.number("binNoise"),
            own.number("saidNoise"),
            own.real("meanAbsoluteError"),
            own.number("meanAbsoluteErrorNoise")));
  }

  private static List<List<Double>> rows(JsonFields own, String name, int columns) {
    List<List<Double>> rows = new ArrayList<>();
    for (Object row : own.list(name)) {
      double[] numbers =
          JsonFields.of(own.owner(), Collections.singletonMap(name, row)).numbers(name);
      Check.that(numbers.length == columns, name + " of " + own.owner(), columns + " in each", row);
      rows.add(Arrays.stream(numbers).boxed().toList());
    }
    return rows;
  }
}
