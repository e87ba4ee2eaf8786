package dev.discreet.core.train;

import dev.discreet.core.privacy.Noisy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a model does on units that were held out of private data: released once, with noise and on
 * the ledger, and so for everyone to see.
 *
 * @param accuracy whether the value is the share of classes found; else it is 1 − the mean squared
 *     error after outputs and targets were moved into [0, 1]
 * @param value in [0, 1]; the mean over units, each with the mean of its examples
 * @param standardError of the noise alone; that of drawing so few units is not in it
 * @param units the declared, public number of held-out units, which the sum was divided by
 */
public record NoisyScore(
    boolean accuracy, double value, double standardError, long units, double noiseMultiplier) {

  static NoisyScore of(boolean accuracy, Noisy sum, long units, double noiseMultiplier) {
    return new NoisyScore(
        accuracy,
        Scoring.within(sum.value(0) / units),
        noiseMultiplier / units,
        units,
        noiseMultiplier);
  }

  /** As in {@code run.json}. */
  Map<String, Object> fields() {
    String name = accuracy ? "heldOutAccuracy" : "heldOutScore";
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(name, value);
    fields.put(name + "Noise", standardError);
    fields.put("heldOutUnits", units);
    fields.put("heldOutNoiseMultiplier", noiseMultiplier);
    return fields;
  }

  static NoisyScore read(JsonFields fields) {
    boolean accuracy = fields.map().containsKey("heldOutAccuracy");
    String name = accuracy ? "heldOutAccuracy" : "heldOutScore";
    return new NoisyScore(
        accuracy,
        fields.number(name),
        fields.number(name + "Noise"),
        fields.whole("heldOutUnits"),
        fields.number("heldOutNoiseMultiplier"));
  }
}
