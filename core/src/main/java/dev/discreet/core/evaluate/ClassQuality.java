package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the outputs for rows say beyond the class that was taken.
 *
 * <pre>{@code
 * if (result.evaluation().orElseThrow() instanceof Evaluation.Classification classes) {
 *   classes.quality().ifPresent(quality -> System.out.println(quality.auc()));
 * }
 * }</pre>
 *
 * @param auc of the second class against the first, or the mean of each against the rest; NaN where
 *     a class has no rows, or there are too many rows and classes to compare
 * @param aucError its standard error, by DeLong
 * @param logLoss the mean of −log of the probability of what is true; NaN without probabilities
 * @param logLossError its standard error
 * @param calibration without bins where there are no probabilities
 */
@PublicApi
public record ClassQuality(
    double auc,
    double aucError,
    double logLoss,
    double logLossError,
    CalibrationCurve calibration) {

  void put(Map<String, Object> fields) {
    fields.put("testAuc", JsonFields.number(auc));
    fields.put("testAucError", JsonFields.number(aucError));
    fields.put("testLogLoss", JsonFields.number(logLoss));
    fields.put("testLogLossError", JsonFields.number(logLossError));
    fields.put("calibrationRows", each(CalibrationCurve.Bin::rows));
    fields.put("calibrationSaid", each(CalibrationCurve.Bin::said));
    fields.put("calibrationWas", each(CalibrationCurve.Bin::was));
  }

  private List<Double> each(Function<CalibrationCurve.Bin, Double> of) {
    return calibration.bins().stream().map(of).toList();
  }

  /** Empty where a file of an older version does not have it. */
  static Optional<ClassQuality> read(JsonFields fields) {
    if (!fields.map().containsKey("testAuc")) {
      return Optional.empty();
    }
    double[] rows = fields.numbers("calibrationRows");
    double[] said = fields.numbers("calibrationSaid");
    double[] was = fields.numbers("calibrationWas");
    boolean fits = said.length == rows.length && was.length == rows.length;
    Check.that(fits, "calibration of " + fields.owner(), "three lists of one length", rows.length);
    List<CalibrationCurve.Bin> bins = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      bins.add(new CalibrationCurve.Bin(rows[i], said[i], was[i]));
    }
    return Optional.of(
        new ClassQuality(
            fields.real("testAuc"),
            fields.real("testAucError"),
            fields.real("testLogLoss"),
            fields.real("testLogLossError"),
            new CalibrationCurve(bins)));
  }
}
