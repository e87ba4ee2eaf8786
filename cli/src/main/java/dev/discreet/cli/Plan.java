package dev.discreet.cli;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import java.util.LinkedHashMap;
import java.util.Map;

/** Steps of sampled Gaussian noise: what the options of the command line describe. */
record Plan(double noiseMultiplier, Sampling sampling, long steps, Neighbouring neighbouring) {

  Ledger ledger() {
    Mechanism noise = new Mechanism.Gaussian(noiseMultiplier);
    return Ledger.of(neighbouring, sampling.on(noise), steps);
  }

  Plan withNoiseMultiplier(double other) {
    return new Plan(other, sampling, steps, neighbouring);
  }

  Plan withSampling(Sampling other) {
    return new Plan(noiseMultiplier, other, steps, neighbouring);
  }

  Plan withSteps(long other) {
    return new Plan(noiseMultiplier, sampling, other, neighbouring);
  }

  Subject subject() {
    return new Subject(ledger(), words(), fields());
  }

  private String words() {
    return steps
        + (steps == 1 ? " step" : " steps")
        + ", noise multiplier "
        + Digits.exact(noiseMultiplier)
        + ", "
        + sampling.words();
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("noiseMultiplier", noiseMultiplier);
    fields.put("samplingRate", sampling.rate());
    fields.put("steps", steps);
    fields.put("sampler", sampling.kind().label());
    fields.putAll(sampling.fields());
    return fields;
  }
}
