package dev.discreet.core.privacy;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.Calibration;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.RelationConversion;
import java.util.function.DoubleFunction;

/**
 * What a run may cost. Its noise is found for that.
 *
 * <pre>{@code
 * PrivacyFilter ceiling = new PrivacyFilter(8, 1e-6);
 * Target quarter = new Target.OfCeiling(0.25, 1e-6, ceiling, Neighbouring.ADD_REMOVE);
 * PrivacyPlan plan = PrivacyPlan.target(quarter).lotSize(600).epochs(20).clip(1.0).build();
 * }</pre>
 */
@PublicApi
public sealed interface Target {
  /** {@return the δ at which the run's ε is stated} */
  double delta();

  /**
   * The least noise multiplier with which a plan costs no more than this.
   *
   * @param accountant who accounts for an ε
   * @param plan the ledger with a noise multiplier
   * @return the noise multiplier
   */
  double noiseMultiplier(Accountant accountant, DoubleFunction<Ledger> plan);

  /**
   * The noise of one Gaussian release that costs all of it.
   *
   * @param relation what neighbouring data sets are to the release
   * @return the noise multiplier
   */
  double oneGaussian(Neighbouring relation);

  /**
   * Refuses releases that cost more.
   *
   * @param ledger the releases
   * @param cost what the ledger costs at {@link #delta}
   */
  void check(Ledger ledger, Guarantee cost);

  /**
   * This (ε, δ), as an accountant composes it.
   *
   * @param epsilon finite and greater than 0
   * @param delta in [0, 1)
   */
  record OfEpsilon(double epsilon, double delta) implements Target {
    /**
     * Refuses an ε that is not above 0, and a δ outside its range.
     *
     * @param epsilon finite and greater than 0
     * @param delta in [0, 1)
     */
    public OfEpsilon {
      Check.that(
          epsilon > 0 && Double.isFinite(epsilon), "epsilon", "finite and greater than 0", epsilon);
      Check.delta(delta);
    }

    @Override
    public double noiseMultiplier(Accountant accountant, DoubleFunction<Ledger> plan) {
      return Calibration.noiseMultiplier(accountant, epsilon, delta, plan).value();
    }

    @Override
    public double oneGaussian(Neighbouring relation) {
      return MechanismCalibration.analyticGaussian(epsilon, delta);
    }

    @Override
    public void check(Ledger ledger, Guarantee cost) {
      Check.that(
          cost.epsilon() <= epsilon,
          "epsilon of the resolved plan",
          "at most the target's, " + Digits.exact(epsilon),
          cost.epsilon());
    }

    /** As run files and checkpoints have it. */
    @Override
    public String toString() {
      return "Target[epsilon=" + Digits.exact(epsilon) + ", delta=" + Digits.exact(delta) + "]";
    }
  }

  /**
   * This share of what a population may be exposed to in all.
   *
   * @param share in (0, 1]
   * @param delta at which the run's own ε is stated
   * @param ceiling what it is a share of
   * @param relation which populations are neighbours for the ceiling
   */
  record OfCeiling(double share, double delta, PrivacyFilter ceiling, Neighbouring relation)
      implements Target {
    /**
     * Refuses a share or a δ outside its range.
     *
     * @param share in (0, 1]
     * @param delta in [0, 1)
     * @param ceiling what it is a share of
     * @param relation which populations are neighbours for the ceiling
     */
    public OfCeiling {
      Check.that(share > 0 && share <= 1, "share", "in (0, 1]", share);
      Check.delta(delta);
    }

    @Override
    public double noiseMultiplier(Accountant accountant, DoubleFunction<Ledger> plan) {
      return Calibration.leastNoise(ledger -> taken(ledger) <= share, plan)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "share must be reachable: what is released besides the steps takes more, or"
                          + " no Rényi order bounds the steps. Provided value: "
                          + Digits.exact(share)));
    }

    @Override
    public double oneGaussian(Neighbouring neighbouring) {
      return noiseMultiplier(
          null, noise -> Ledger.of(neighbouring, new Mechanism.Gaussian(noise), 1));
    }

    @Override
    public void check(Ledger ledger, Guarantee cost) {
      double taken = taken(ledger);
      Check.that(
          taken <= share,
          "share of the ceiling that the resolved plan takes",
          "at most the target's, " + Digits.exact(share),
          taken);
    }

    private double taken(Ledger ledger) {
      return ceiling.share(ceiling.cost(RelationConversion.of(ledger, relation)));
    }

    @Override
    public String toString() {
      return "Target[share="
          + Digits.exact(share)
          + " of (epsilon "
          + Digits.exact(ceiling.epsilon())
          + ", delta "
          + Digits.exact(ceiling.delta())
          + "), delta="
          + Digits.exact(delta)
          + "]";
    }
  }
}
