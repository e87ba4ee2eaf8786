package dev.discreet.cli;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Usage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that describe a {@link Plan}. A verb decides which of them may be missing. */
final class PlanOptions {
  static final String NEIGHBOURING = "--neighbouring";

  /** All options but the relation, which a single release has too. */
  static final List<String> STEPS =
      List.of(
          "--noise-multiplier", "--sampling-rate", "--steps", "--sampler", "--lot-size", "--units");

  private static final List<String> FIXED = List.of("--lot-size L", "--units N");

  @Option(
      names = "--noise-multiplier",
      paramLabel = "S",
      converter = Quantity.NoiseMultiplier.class,
      description =
          "Standard deviation of the Gaussian noise on a step's sum, divided by the most that one"
              + " unit can contribute to that sum (the clipping threshold).")
  private Double noiseMultiplier;

  @Option(
      names = "--sampling-rate",
      paramLabel = "Q",
      converter = Quantity.SamplingRate.class,
      description = "Probability that a unit is in a lot; also as a fraction, 256/60000.")
  private Double samplingRate;

  @Option(
      names = "--steps",
      paramLabel = "T",
      converter = Quantity.Steps.class,
      description = "Number of steps; 1e4 means 10000.")
  private Long steps;

  @Option(
      names = "--sampler",
      paramLabel = "NAME",
      defaultValue = "poisson",
      description =
          "poisson, fixed (fixed size without replacement: --lot-size and --units in place of"
              + " --sampling-rate) or none. Default: ${DEFAULT-VALUE}.")
  private Sampling.Kind sampler;

  @Option(
      names = "--lot-size",
      paramLabel = "L",
      converter = Quantity.LotSize.class,
      description = "Units in a lot, for --sampler fixed.")
  private Long lotSize;

  @Option(
      names = "--units",
      paramLabel = "N",
      converter = Quantity.Units.class,
      description = "Units in all, for --sampler fixed.")
  private Long units;

  @Option(
      names = NEIGHBOURING,
      paramLabel = "NAME",
      defaultValue = "add/remove",
      description =
          "Which data sets are neighbours: add/remove, replace-one or zero-out."
              + " Default: ${DEFAULT-VALUE}.")
  private Neighbouring neighbouring;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  Neighbouring neighbouring() {
    return neighbouring;
  }

  /** The public number of units; 0 where it is not known. */
  long units() {
    return units == null ? 0 : units;
  }

  /** What a whole plan still needs. */
  List<String> missing() {
    Map<String, Object> needed = new LinkedHashMap<>();
    needed.put("--noise-multiplier S", noiseMultiplier);
    if (sampler == Sampling.Kind.POISSON) {
      needed.put("--sampling-rate Q", samplingRate);
    } else if (sampler == Sampling.Kind.FIXED) {
      needed.put(FIXED.get(0), lotSize);
      needed.put(FIXED.get(1), units);
    }
    needed.put("--steps T", steps);
    return needed.keySet().stream().filter(option -> needed.get(option) == null).toList();
  }

  /** The plan, with nothing missing. */
  Plan plan() {
    return planOr(0, null, 0);
  }

  /** The plan, with the given values where an option is missing. */
  Plan planOr(double noiseMultiplier, Sampling sampling, long steps) {
    Sampling given = sampling();
    return new Plan(
        this.noiseMultiplier == null ? noiseMultiplier : this.noiseMultiplier,
        given == null ? sampling : given,
        this.steps == null ? steps : this.steps,
        neighbouring);
  }

  boolean lacksNoiseMultiplier() {
    return noiseMultiplier == null;
  }

  boolean lacksSampling() {
    return sampling() == null;
  }

  boolean lacksSteps() {
    return steps == null;
  }

  /** Null where the sampling rate is missing. */
  private Sampling sampling() {
    return switch (sampler) {
      case POISSON -> {
        Usage.refuse(verb, "is for --sampler fixed", "--lot-size", "--units");
        yield samplingRate == null ? null : new Sampling.Poisson(samplingRate);
      }
      case FIXED -> {
        Usage.refuse(verb, "is not for --sampler fixed", "--sampling-rate");
        Usage.needed(missing().stream().filter(FIXED::contains).toList());
        yield new Sampling.Fixed(lotSize, units);
      }
      case NONE -> {
        Usage.refuse(verb, "is not for --sampler none", "--sampling-rate", "--lot-size", "--units");
        yield new Sampling.None();
      }
    };
  }
}
