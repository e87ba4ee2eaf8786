package dev.discreet.accounting.math;

import java.util.function.DoubleUnaryOperator;

/** Minima of functions of one variable by golden section. */
public final class Minimum {
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private Minimum() {}

  /**
   * The least value over shares in (0, 1), searched evenly in the share's log-odds; a minimum is
   * flat, so that finding it to 1e-6 gives its value to 1e-12.
   */
  public static double overShare(DoubleUnaryOperator f) {
    return value(odds -> f.applyAsDouble(1 / (1 + Math.exp(-odds))), -30, 30, 40);
  }

  public static double value(DoubleUnaryOperator f, double low, double high, int evaluations) {
    return value(f, low, high, evaluations, evaluations, 0);
  }

  /**
   * The same, but ends early: after {@code some} evaluations, as soon as two neighbouring values
   * differ by at most {@code share} of the least.
   */
  public static double value(
      DoubleUnaryOperator f, double low, double high, int some, int evaluations, double share) {
    double from = low;
    double to = high;
    double a = to - GOLDEN * (to - from);
    double b = from + GOLDEN * (to - from);
    double fa = f.applyAsDouble(a);
    double fb = f.applyAsDouble(b);
    double best = Math.min(fa, fb);
    for (int i = 2; i < evaluations; i++) {
      if (i >= some && Math.abs(fa - fb) <= share * best) {
        return best;
      }
      if (fa <= fb) {
        to = b;
        b = a;
        fb = fa;
        a = to - GOLDEN * (to - from);
        fa = f.applyAsDouble(a);
        best = Math.min(best, fa);
      } else {
        from = a;
        a = b;
        fa = fb;
        b = from + GOLDEN * (to - from);
        fb = f.applyAsDouble(b);
        best = Math.min(best, fb);
      }
    }
    return best;
  }
}
