package dev.discreet.accounting;

import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongFunction;

/**
 * Turns a target (ε, δ) into a noise multiplier, a sampling rate or a number of steps. Always on
 * the safe side: the stated ε of what is returned is at most the target, and within 0.1% of it
 * where the parameter is continuous.
 *
 * @param value the noise multiplier, sampling rate or number of steps
 * @param cost what the plan with that value costs
 */
public record Calibration(double value, Cost cost) {
  private static final double WITHIN = 1e-3;
  private static final double LEAST_NOISE = 1e-3;
  private static final double MOST_NOISE = 1e9;
  private static final double LEAST_RATE = 1e-12;
  private static final long MOST_STEPS = 1_000_000_000_000L;

  /** The least noise multiplier whose ledger fits. */
  public static Calibration noiseMultiplier(
      Accountant accountant, double epsilon, double delta, DoubleFunction<Ledger> plan) {
    return solve(
        new Search(
            accountant, epsilon, delta, s -> plan.apply(1 / s), 1 / MOST_NOISE, 1 / LEAST_NOISE),
        "no noise multiplier up to " + MOST_NOISE + " reaches");
  }

  /** The largest sampling rate whose ledger fits. */
  public static Calibration samplingRate(
      Accountant accountant, double epsilon, double delta, DoubleFunction<Ledger> plan) {
    return solve(
        new Search(accountant, epsilon, delta, plan, LEAST_RATE, 1),
        "no sampling rate down to " + LEAST_RATE + " reaches");
  }

  /** The largest number of steps whose ledger fits. */
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

  private static void checkTarget(double epsilon, double delta) {
    Check.that(
        epsilon > 0 && Double.isFinite(epsilon),
        "epsilon",
        "finite and greater than 0",
        Check.text(epsilon));
    Check.delta(delta);
  }

  private static IllegalArgumentException unreachable(String what, double epsilon, double delta) {
    return new IllegalArgumentException(
        "epsilon must be reachable: "
            + what
            + " it at delta "
            + delta
            + ". Provided value: "
            + Check.text(epsilon));
  }

  /** The largest x in [least, most] that fits, ε rising with x: 1/σ or the rate. */
  private record Search(
      Accountant accountant,
      double epsilon,
      double delta,
      DoubleFunction<Ledger> plan,
      double least,
      double most) {
    Cost at(double x) {
      return accountant.epsilon(plan.apply(x), delta);
    }
  }

  private static Calibration solve(Search search, String failure) {
    checkTarget(search.epsilon, search.delta);
    double aim = Math.log(search.epsilon * (1 - 0.4 * WITHIN));
    double low = Math.min(1, search.most);
    Cost lowCost = search.at(low);
    double high = low;
    Cost highCost = lowCost;
    while (!(lowCost.epsilon() <= search.epsilon)) {
      if (low <= search.least) {
        throw unreachable(failure, search.epsilon, search.delta);
      }
      high = low;
      highCost = lowCost;
      low = Math.max(search.least, low / 4);
      lowCost = search.at(low);
    }
    while (highCost.epsilon() <= search.epsilon) {
      low = high;
      lowCost = highCost;
      if (high >= search.most) {
        return result(search, low, lowCost);
      }
      high = Math.min(search.most, high * 4);
      highCost = search.at(high);
    }
    // Secant steps on the logarithms, kept inside the bracket; ε(x) is nearly a power of x there.
    DoubleUnaryOperator safeLog = epsilon -> Math.log(Math.min(1e300, Math.max(1e-300, epsilon)));
    for (int i = 0; i < 200 && lowCost.epsilon() < search.epsilon * (1 - WITHIN); i++) {
      double a = Math.log(low);
      double b = Math.log(high);
      double fa = safeLog.applyAsDouble(lowCost.epsilon());
      double fb = safeLog.applyAsDouble(highCost.epsilon());
      double share = i % 3 == 2 ? 0.5 : Math.min(0.98, Math.max(0.02, (aim - fa) / (fb - fa)));
      double x = Math.exp(a + share * (b - a));
      if (!(x > low && x < high)) {
        break;
      }
      Cost cost = search.at(x);
      if (cost.epsilon() <= search.epsilon) {
        low = x;
        lowCost = cost;
      } else {
        high = x;
        highCost = cost;
      }
    }
    return result(search, low, lowCost);
  }

  private static Calibration result(Search search, double x, Cost cost) {
    return new Calibration(search.most > 1 ? 1 / x : x, cost);
  }
}
