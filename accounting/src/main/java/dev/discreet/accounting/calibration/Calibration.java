package dev.discreet.accounting.calibration;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.math.Bisection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Turns a target (ε, δ) into a noise multiplier, a sampling rate or a number of steps. Always on
 * the safe side: the stated ε of what is returned is at most the target, and within 0.1% of it
 * where the parameter is continuous.
 *
 * <pre>{@code
 * Calibration found =
 *     Calibration.noiseMultiplier(
 *         new PldAccountant(),
 *         3,
 *         1e-5,
 *         sigma ->
 *             Ledger.of(
 *                 Neighbouring.ADD_REMOVE,
 *                 new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(sigma)),
 *                 10_000));
 * System.out.println(found.value());
 * }</pre>
 *
 * @param value the noise multiplier, sampling rate or number of steps
 * @param cost what the plan with that value costs
 */
@PublicApi
public record Calibration(double value, Cost cost) {
  private static final double WITHIN = 1e-3;
  private static final double ROUGH = 1e-2;
  private static final double LEAST_NOISE = 1e-3;
  private static final double MOST_NOISE = 1e9;
  private static final double LEAST_RATE = 1e-12;
  private static final long MOST_STEPS = 1_000_000_000_000L;

  /**
   * The least noise multiplier whose ledger fits.
   *
   * @param accountant who accounts
   * @param epsilon the ε to keep to, finite and greater than 0
   * @param delta the δ to keep to, in [0, 1)
   * @param plan the ledger with a noise multiplier
   * @return the noise multiplier and its cost
   */
  public static Calibration noiseMultiplier(
      Accountant accountant, double epsilon, double delta, DoubleFunction<Ledger> plan) {
    Found found =
        new Search(
                accountant, epsilon, delta, x -> plan.apply(1 / x), 1 / MOST_NOISE, 1 / LEAST_NOISE)
            .solve("no noise multiplier up to " + Digits.exact(MOST_NOISE) + " reaches");
    return new Calibration(1 / found.x, found.cost);
  }

  /**
   * The largest sampling rate whose ledger fits.
   *
   * @param accountant who accounts
   * @param epsilon the ε to keep to, finite and greater than 0
   * @param delta the δ to keep to, in [0, 1)
   * @param plan the ledger with a sampling rate
   * @return the sampling rate and its cost
   */
  public static Calibration samplingRate(
      Accountant accountant, double epsilon, double delta, DoubleFunction<Ledger> plan) {
    Found found =
        new Search(accountant, epsilon, delta, plan, LEAST_RATE, 1)
            .solve("no sampling rate down to " + Digits.exact(LEAST_RATE) + " reaches");
    return new Calibration(found.x, found.cost);
  }

  /**
   * The largest number of steps whose ledger fits.
   *
   * @param accountant who accounts
   * @param epsilon the ε to keep to, finite and greater than 0
   * @param delta the δ to keep to, in [0, 1)
   * @param plan the ledger with a number of steps
   * @return the number of steps and its cost
   */
  public static Calibration steps(
      Accountant accountant, double epsilon, double delta, LongFunction<Ledger> plan) {
    checkTarget(epsilon, delta);
    Cost one = accountant.epsilon(plan.apply(1), delta);
    if (!(one.epsilon() <= epsilon)) {
      throw unreachable("not even one step reaches", epsilon, delta);
    }
    long fits = 1;
    Cost cost = one;
    long tooMany = 2;
    while (fits < MOST_STEPS) {
      Cost next = accountant.epsilon(plan.apply(tooMany), delta);
      if (next.epsilon() > epsilon) {
        break;
      }
      fits = tooMany;
      cost = next;
      tooMany = Math.min(2 * tooMany, MOST_STEPS);
    }
    while (tooMany - fits > 1 && fits < MOST_STEPS) {
      long middle = fits + (tooMany - fits) / 2;
      Cost next = accountant.epsilon(plan.apply(middle), delta);
      if (next.epsilon() <= epsilon) {
        fits = middle;
        cost = next;
      } else {
        tooMany = middle;
      }
    }
    return new Calibration(fits, cost);
  }

  /**
   * The least noise multiplier whose ledger fits, whatever decides that: to one part in 10,000, and
   * on the safe side.
   *
   * @param fits whether there is room for a ledger; with more noise, there is more
   * @param plan the ledger with a noise multiplier
   * @return empty where no noise is enough
   */
  public static Optional<Double> leastNoise(Predicate<Ledger> fits, DoubleFunction<Ledger> plan) {
    OptionalDouble least =
        Bisection.least(
            noise -> fits.test(plan.apply(noise)), LEAST_NOISE, MOST_NOISE, 0.1 * WITHIN);
    return least.isPresent() ? Optional.of(least.getAsDouble()) : Optional.empty();
  }

  private static void checkTarget(double epsilon, double delta) {
    Check.that(
        epsilon > 0 && Double.isFinite(epsilon),
        "epsilon",
        "finite and greater than 0",
        Digits.exact(epsilon));
    Check.delta(delta);
  }

  private static IllegalArgumentException unreachable(String what, double epsilon, double delta) {
    return new IllegalArgumentException(
        "epsilon must be reachable: "
            + what
            + " it at delta "
            + Digits.exact(delta)
            + (delta == 0 ? ", where Gaussian noise gives no finite epsilon" : "")
            + ". Provided value: "
            + Digits.exact(epsilon));
  }

  private record Found(double x, Cost cost) {
    boolean fits(double epsilon) {
      return cost.epsilon() <= epsilon;
    }
  }

  /** The largest x in [least, most] that fits, ε rising with x: 1/σ or the rate. */
  private record Search(
      Accountant accountant,
      double epsilon,
      double delta,
      DoubleFunction<Ledger> plan,
      double least,
      double most) {

    private Found at(double x) {
      return new Found(x, accountant.epsilon(plan.apply(x), delta));
    }

    private boolean near(Found found) {
      return found.fits(epsilon) && found.cost.epsilon() >= epsilon * (1 - WITHIN);
    }

    Found solve(String failure) {
      checkTarget(epsilon, delta);
      if (accountant instanceof PldAccountant) {
        Found found = fromRough();
        if (found != null) {
          return found;
        }
      }
      Found[] ends = bracket();
      if (!ends[0].fits(epsilon)) {
        throw unreachable(failure, epsilon, delta);
      }
      return refine(ends)[0];
    }

    /**
     * A wide bracket costs a tenth of a narrow one and bends the same way: the answer by it is
     * mended with its slope. Null where that does not get near.
     */
    private Found fromRough() {
      Search rough = new Search(new PldAccountant(ROUGH), epsilon, delta, plan, least, most);
      Found[] ends = rough.refine(rough.bracket());
      double slope = slope(ends[0], ends[1]);
      double x = ends[0].x;
      Found last = null;
      for (int i = 0; i < 5 && x >= least && x <= most; i++) {
        Found next = at(x);
        if (near(next) || (x == most && next.fits(epsilon))) {
          return next;
        }
        slope = last == null ? slope : slope(last, next);
        last = next;
        x *= Math.exp(-gap(next) / slope);
      }
      return null;
    }

    private double slope(Found a, Found b) {
      return (gap(b) - gap(a)) / Math.log(b.x / a.x);
    }

    /** One that fits and one that does not, or twice the end of the range. */
    private Found[] bracket() {
      Found low = at(Math.min(1, most));
      Found high = low;
      for (double factor = 4; !low.fits(epsilon) && low.x > least; factor *= 4) {
        high = low;
        low = at(Math.max(least, low.x / factor));
      }
      // In small steps, because accounting takes long where noise is small.
      while (high.fits(epsilon) && high.x < most) {
        low = high;
        high = at(Math.min(most, high.x * 4));
      }
      return new Found[] {high.fits(epsilon) ? high : low, high};
    }

    /**
     * False position with the Illinois rule: an end that stays twice counts half. The first of the
     * ends returned is near the target.
     */
    private Found[] refine(Found[] ends) {
      Found low = ends[0];
      Found high = ends[1];
      double lowGap = gap(low);
      double highGap = gap(high);
      Found last = null;
      for (int i = 0; i < 200 && low.fits(epsilon) && !near(low); i++) {
        double share =
            highGap < Double.POSITIVE_INFINITY
                ? Math.min(0.98, Math.max(0.02, lowGap / (lowGap - highGap)))
                : 0.5;
        double x = low.x * Math.pow(high.x / low.x, share);
        if (!(x > low.x && x < high.x)) {
          break;
        }
        Found next = at(x);
        if (next.fits(epsilon)) {
          highGap *= last == low ? 0.5 : 1;
          low = next;
          lowGap = gap(low);
        } else {
          lowGap *= last == high ? 0.5 : 1;
          high = next;
          highGap = gap(high);
        }
        last = next;
      }
      return new Found[] {low, high};
    }

    /**
     * How far ε is above its aim: as its logarithm for a large ε, a power of x, and in proportion
     * for a small one, which is 0 from some x on.
     */
    private double gap(Found found) {
      double aim = epsilon * (1 - 0.4 * WITHIN);
      return Math.log1p(found.cost.epsilon() / aim) - Math.log(2);
    }
  }
}
