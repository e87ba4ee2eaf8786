package dev.discreet.accounting.math;

import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;

/** Where something begins or ceases to hold, for conditions that change once. */
public final class Bisection {
  private Bisection() {}

  /**
   * The least number from which on something holds, from above.
   *
   * @param low greater than 0
   * @param high above {@code low}
   * @param within how far above the least number the answer may be, relative to it
   * @return a number for which it holds; empty where it does not even hold for {@code high}
   */
  public static OptionalDouble least(
      DoublePredicate holds, double low, double high, double within) {
    if (!holds.test(high)) {
      return OptionalDouble.empty();
    }
    double fails = low;
    double fits = high;
    while (fits / fails > 1 + within) {
      double middle = Math.sqrt(fails) * Math.sqrt(fits);
      if (middle <= fails || middle >= fits) {
        break;
      }
      if (holds.test(middle)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return OptionalDouble.of(fits);
  }

  /**
   * The largest whole number up to which something holds.
   *
   * @param most where to stop looking, at most 2^61
   * @return from 0, for which it is taken to hold, to {@code most}
   */
  public static long most(LongPredicate holds, long most) {
    long fits = 0;
    long next = 1;
    while (next <= most && holds.test(next)) {
      fits = next;
      next *= 2;
    }
    long fails = Math.min(next, most + 1);
    while (fails - fits > 1) {
      long middle = fits + (fails - fits) / 2;
      if (holds.test(middle)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return fits;
  }
}
