package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.NoisyValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a model does on units that were held out of private data: released once, with noise and on
 * the ledger, and so for everyone to see.
 *
 * <pre>{@code
 * NoisyScore score = result.heldOut().orElseThrow();
 * System.out.println(score.value() + " ± " + score.standardError());
 * }</pre>
 *
 * @param accuracy whether the value is the share of classes found; else it is 1 − the mean squared
 *     error after outputs and targets were moved into [0, 1]
 * @param value moved into [0, 1]; the mean over units, each with the mean of its examples
 * @param noise that of drawing so few units is not in it
 * @param units the declared, public number of held-out units, which the sum was divided by
 * @param noiseMultiplier standard deviation of the noise divided by the sensitivity of what was
 *     released
 * @param labelVariance of the labels, released with the score and with as much noise: the mean
 *     squared error of predicting their mean. NaN unless one number is predicted
 * @param figures what all other figures follow from; empty where only the score was asked for
 */
@PublicApi
public record NoisyScore(
    boolean accuracy,
    double value,
    ScoreNoise noise,
    long units,
    double noiseMultiplier,
    double labelVariance,
    Optional<NoisyFigures> figures) {

  /**
   * A score alone.
   *
   * @param accuracy whether the value is the share of classes found
   * @param value in [0, 1]
   * @param noise of the score
   * @param units the public number of held-out units
   * @param noiseMultiplier of the release
   * @param labelVariance of the labels, or NaN
   */
  public NoisyScore(
      boolean accuracy,
      double value,
      ScoreNoise noise,
      long units,
      double noiseMultiplier,
      double labelVariance) {
    this(accuracy, value, noise, units, noiseMultiplier, labelVariance, Optional.empty());
  }

  /** Refuses a score outside [0, 1]. */
  public NoisyScore {
    Check.in(value, 0, 1, "score");
  }

  /**
   * From one end to another.
   *
   * @param low the lower end, in [0, 1]
   * @param high the upper end, in [0, 1]
   */
  public record Range(double low, double high) {}

  static NoisyScore of(
      Layout layout, TestSet.Released test, NoisyValue sums, double noiseMultiplier) {
    long units = test.declaredUnits();
    int targets = test.rows().targets();
    double variance = Double.NaN;
    HeldOutParts parts = HeldOutParts.of(layout, test);
    if (parts.number()) {
      double mean = sums.value(1) / units;
      variance = Math.max(0, Math.min(0.25, sums.value(2) / units - mean * mean));
    }
    return new NoisyScore(
        Scoring.of(layout, targets) != Scoring.NUMBERS,
        Scoring.within(sums.value(0) / units),
        ScoreNoise.of(layout, test, noiseMultiplier),
        units,
        noiseMultiplier,
        variance,
        test.allFigures()
            ? Optional.of(
                NoisyFigures.of(parts, sums, noiseMultiplier * parts.sensitivity(), units))
            : Optional.empty());
  }

  /** {@return the standard deviation of the noise on the score} */
  public double standardError() {
    return noise.standardError();
  }

  /**
   * Two standard errors of noise to either side, as far as there are such scores.
   *
   * @return the range
   */
  public Range range() {
    return new Range(Scoring.within(value - noise.twice()), Scoring.within(value + noise.twice()));
  }

  /**
   * 1 − mean squared error ÷ that of predicting the mean; of an accuracy not a number.
   *
   * @return R², or not a number
   */
  public double rSquared() {
    return 1 - (1 - value) / labelVariance;
  }

  /**
   * What R² may be for all that the noise of both its parts tells; without a lower end, −∞.
   *
   * @return the range
   */
  public Range rSquaredRange() {
    // The variance is a mean of squares less a squared mean of at most ½: √2 times the noise.
    double margin = Math.sqrt(2) * noise.twice();
    double least = labelVariance - margin;
    return new Range(
        least > 0 ? 1 - (1 - range().low()) / least : Double.NEGATIVE_INFINITY,
        1 - (1 - range().high()) / (labelVariance + margin));
  }

  /**
   * Whether the noise leaves half or more of what is possible: by public numbers alone, or by how
   * little the labels vary.
   *
   * @return whether the score is of no use
   */
  public boolean saysNothing() {
    Range left = rSquaredRange();
    return noise.drowns() || Scoring.within(left.high) - Scoring.within(left.low) >= 0.5;
  }

  private static String name(boolean accuracy) {
    return accuracy ? "heldOutAccuracy" : "heldOutScore";
  }

  /**
   * As in {@code run.json}.
   *
   * @return the fields, by name
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(name(accuracy), value);
    fields.put(name(accuracy) + "Noise", standardError());
    fields.put("heldOutSaysNothing", saysNothing());
    fields.put("heldOutUnits", units);
    fields.put("heldOutNoiseMultiplier", noiseMultiplier);
    fields.put("heldOutGuess", noise.guess());
    if (!Double.isNaN(labelVariance)) {
      fields.put("heldOutLabelVariance", labelVariance);
    }
    figures.ifPresent(known -> known.put(fields));
    return fields;
  }

  /**
   * Reads what {@link #fields} wrote.
   *
   * @param fields of a file
   * @return the score
   */
  public static NoisyScore read(JsonFields fields) {
    boolean accuracy = fields.map().containsKey(name(true));
    String variance = "heldOutLabelVariance";
    return new NoisyScore(
        accuracy,
        fields.number(name(accuracy)),
        new ScoreNoise(fields.number(name(accuracy) + "Noise"), fields.number("heldOutGuess")),
        fields.whole("heldOutUnits"),
        fields.number("heldOutNoiseMultiplier"),
        fields.map().containsKey(variance) ? fields.number(variance) : Double.NaN,
        NoisyFigures.read(fields));
  }
}
