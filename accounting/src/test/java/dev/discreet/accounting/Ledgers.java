package dev.discreet.accounting;

import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;

/** Ledgers that many tests share. */
public final class Ledgers {
  // Every rate in the fixtures is a whole share of this, so that lot size / units is that rate.
  private static final long UNITS = 600_000_000;

  private Ledgers() {}

  /** DP-SGD as the papers have it. */
  public static Ledger poisson(double sigma, double rate, long steps) {
    return poisson(Neighbouring.ADD_REMOVE, sigma, rate, steps);
  }

  public static Ledger poisson(Neighbouring relation, double sigma, double rate, long steps) {
    return Ledger.of(relation, new PoissonSampled(rate, new Gaussian(sigma)), steps);
  }

  public static Ledger fixedSize(Neighbouring relation, double sigma, double rate, long steps) {
    return Ledger.of(relation, fixedSize(rate, new Gaussian(sigma)), steps);
  }

  public static FixedSizeSampled fixedSize(double rate, Mechanism inner) {
    return new FixedSizeSampled(Math.round(rate * UNITS), UNITS, inner);
  }

  public static Ledger addRemove(Mechanism mechanism, long count) {
    return Ledger.of(Neighbouring.ADD_REMOVE, mechanism, count);
  }
}
