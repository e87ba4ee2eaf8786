package dev.discreet.algorithms.query;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;

/**
 * Intervals of quotients of noisy numbers, by Fieller's way: those quotients r for which the noisy
 * numerator is as far from r times the noisy denominator as noise may bring it, by its exact law.
 * No first-order formula is involved, so they hold for small counts and much noise too.
 */
public final class Quotients {
  private static final int HALVINGS = 120;

  private Quotients() {}

  /**
   * The interval of A/(A + B), within [0, 1], where no count is below 0.
   *
   * @param upper A with noise
   * @param lower B with noise
   * @param noise the reach of the noise of a·A − b·B by a and b
   */
  public static NoiseInterval share(double upper, double lower, DoubleBinaryOperator noise) {
    // The noise of (1 − p)·A − p·B, whose exact value is 0 at the exact share.
    DoubleUnaryOperator far = p -> (1 - p) * upper - p * lower;
    DoubleUnaryOperator reach = p -> noise.applyAsDouble(1 - p, p);
    return upper + lower > 0
        ? around(far, reach, Math.max(0, Math.min(1, upper / (upper + lower))), 0, 1)
        : new NoiseInterval(0, 1);
  }

  /**
   * The interval of X/Y within ends that hold for it anyway.
   *
   * @param numerator X with noise
   * @param denominator Y with noise
   * @param reach of the noise of a·X − b·Y by a and b
   * @param value between the ends
   * @param ends finite
   */
  public static NoiseInterval ratio(
      double numerator,
      double denominator,
      DoubleBinaryOperator reach,
      double value,
      NoiseInterval ends) {
    return denominator > 0
        ? around(
            r -> numerator - r * denominator,
            r -> reach.applyAsDouble(1, Math.abs(r)),
            value,
            ends.low(),
            ends.high())
        : ends;
  }

  /**
   * What lies around a value and is not excluded. {@code far} falls in a straight line, and is 0 at
   * the value or beyond its end; {@code reach} is convex. So to either side of the value what is
   * excluded is one piece, and it is cut off only where it goes on to the end.
   */
  private static NoiseInterval around(
      DoubleUnaryOperator far, DoubleUnaryOperator reach, double value, double low, double high) {
    return new NoiseInterval(
        end(r -> far.applyAsDouble(r) > reach.applyAsDouble(r), value, low),
        end(r -> -far.applyAsDouble(r) > reach.applyAsDouble(r), value, high));
  }

  /** The last place from the value to an end that is not excluded, rounded away from the value. */
  private static double end(DoublePredicate excluded, double value, double end) {
    if (!excluded.test(end)) {
      return end;
    }
    double in = value;
    double out = end;
    for (int i = 0; i < HALVINGS && Math.abs(out - in) > 1e-13 * Math.abs(in); i++) {
      double middle = in / 2 + out / 2;
      if (excluded.test(middle)) {
        out = middle;
      } else {
        in = middle;
      }
    }
    return out;
  }
}
