package dev.discreet.core.evaluate;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import java.util.Map;
import java.util.Optional;

/**
 * What errors of predicted numbers say beyond their mean square.
 *
 * <pre>{@code
 * if (result.evaluation().orElseThrow() instanceof Evaluation.Regression number) {
 *   number.quality().ifPresent(quality -> System.out.println(quality.meanAbsoluteError()));
 * }
 * }</pre>
 *
 * @param meanAbsoluteError the mean over examples and outputs of |output − target|
 * @param meanAbsoluteErrorError its standard error
 * @param meanSquaredErrorError the standard error of the mean squared error
 * @param ratioError the standard error of mean squared error ÷ variance of the labels
 */
@PublicApi
public record NumberQuality(
    double meanAbsoluteError,
    double meanAbsoluteErrorError,
    double meanSquaredErrorError,
    double ratioError) {

  void put(Map<String, Object> fields) {
    fields.put("meanAbsoluteError", JsonFields.number(meanAbsoluteError));
    fields.put("meanAbsoluteErrorError", JsonFields.number(meanAbsoluteErrorError));
    fields.put("meanSquaredErrorError", JsonFields.number(meanSquaredErrorError));
    fields.put("ratioError", JsonFields.number(ratioError));
  }

  /** Empty where a file of an older version does not have it. */
  static Optional<NumberQuality> read(JsonFields fields) {
    return fields.map().containsKey("meanAbsoluteError")
        ? Optional.of(
            new NumberQuality(
                fields.real("meanAbsoluteError"),
                fields.real("meanAbsoluteErrorError"),
                fields.real("meanSquaredErrorError"),
                fields.real("ratioError")))
        : Optional.empty();
  }
}
