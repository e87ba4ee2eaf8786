package dev.discreet.accounting.math;

import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;
import org.apache.commons.numbers.gamma.InverseErfc;

/** The standard normal distribution, precise in both tails. */
public final class Normal {
  private static final double SQRT2 = Math.sqrt(2);
  private static final double LOG_SQRT_2PI = 0.5 * Math.log(2 * Math.PI);

  private Normal() {}

  /** P(Z &gt; z). */
  public static double tail(double z) {
    return 0.5 * Erfc.value(z / SQRT2);
  }

  /** P(Z &gt; z), folded. */
  public static double folded(double z) {
    return z >= 0 ? tail(z) : -tail(-z);
  }

  /** The z that {@code tail} of the mass lies above. */
  public static double tailQuantile(double tail) {
    return SQRT2 * InverseErfc.value(2 * tail);
  }

  public static double logDensity(double z) {
    return -0.5 * z * z - LOG_SQRT_2PI;
  }

  /** Mills' ratio P(Z &gt; z) / density(z). */
  public static double mills(double z) {
    return Math.sqrt(Math.PI / 2) * Erfcx.value(z / SQRT2);
  }
}
