package dev.discreet.cli;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Mechanism;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/** How the lot of a step is drawn. */
sealed interface Sampling {

  /** The samplers by name. */
  enum Kind {
    POISSON,
    FIXED,
    NONE;

    /** The name on the command line and in JSON. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(String label) {
      for (Kind kind : values()) {
        if (kind.label().equals(label)) {
          return kind;
        }
      }
      throw new IllegalArgumentException(
          "sampler must be one of poisson, fixed, none. Provided value: " + label);
    }
  }

  Kind kind();

  /** The share of the units that a lot is expected to have. */
  double rate();

  Mechanism on(Mechanism mechanism);

  /** In words, with every digit, so that the plan can be repeated. */
  default String words() {
    return words(Digits::exact);
  }

  String words(DoubleFunction<String> digits);

  /** What else JSON says about the sampling. */
  default Map<String, Object> fields() {
    return Map.of();
  }

  /** Each unit independently with probability {@code rate}. */
  record Poisson(double rate) implements Sampling {
    @Override
    public Kind kind() {
      return Kind.POISSON;
    }

    @Override
    public Mechanism on(Mechanism mechanism) {
      return new Mechanism.PoissonSampled(rate, mechanism);
    }

    @Override
    public String words(DoubleFunction<String> digits) {
      return "Poisson sampling at rate " + digits.apply(rate);
    }
  }

  /** Exactly {@code lotSize} of {@code units}, without replacement. */
  record Fixed(long lotSize, long units) implements Sampling {
    @Override
    public Kind kind() {
      return Kind.FIXED;
    }

    @Override
    public double rate() {
      return (double) lotSize / units;
    }

    @Override
    public Mechanism on(Mechanism mechanism) {
      return new Mechanism.FixedSizeSampled(lotSize, units, mechanism);
    }

    @Override
    public String words(DoubleFunction<String> digits) {
      return lotSize + " of " + units + " units without replacement";
    }

    @Override
    public Map<String, Object> fields() {
      return new TreeMap<>(Map.of("lotSize", lotSize, "units", units));
    }
  }

  /** Every step sees all units. */
  record None() implements Sampling {
    @Override
    public Kind kind() {
      return Kind.NONE;
    }

    @Override
    public double rate() {
      return 1;
    }

    @Override
    public Mechanism on(Mechanism mechanism) {
      return mechanism;
    }

    @Override
    public String words(DoubleFunction<String> digits) {
      return "no sampling";
    }
  }
}
