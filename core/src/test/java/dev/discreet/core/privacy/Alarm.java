package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/** Statistical assertions. Each raises a false alarm with probability 1e-9 (two-sided). */
public final class Alarm {
  public static final double RATE = 1e-9;
  // The standard normal's quantile of 1 − RATE/2.
  private static final double Z = 6.1095;
  // 2·exp(−2c²) = RATE, Kolmogorov's limit and for finite samples a bound (Massart 1990).
  private static final double KOLMOGOROV = Math.sqrt(Math.log(2 / RATE) / 2);

  private Alarm() {}

  /** A sum of many small things with that mean and standard deviation. */
  public static void normal(String what, double mean, double deviation, double actual) {
    double z = (actual - mean) / deviation;
    assertTrue(Math.abs(z) <= Z, () -> what + ": " + actual + " is " + z + " deviations away");
  }

  public static void chiSquared(String what, double statistic, double degrees) {
    ChiSquaredDistribution law = ChiSquaredDistribution.of(degrees);
    double low = law.inverseCumulativeProbability(RATE / 2);
    double high = law.inverseSurvivalProbability(RATE / 2);
    assertTrue(
        statistic >= low && statistic <= high,
        () -> what + ": " + statistic + " is outside of [" + low + ", " + high + "]");
  }

  public static void kolmogorov(String what, double[] sample, DoubleUnaryOperator cumulative) {
    double[] sorted = sample.clone();
    Arrays.sort(sorted);
    double worst = 0;
    for (int i = 0; i < sorted.length; i++) {
      double p = cumulative.applyAsDouble(sorted[i]);
      worst =
          Math.max(worst, Math.max(p - (double) i / sorted.length, (i + 1.0) / sorted.length - p));
    }
    double distance = worst * Math.sqrt(sorted.length);
    assertTrue(distance <= KOLMOGOROV, () -> what + ": distance " + distance);
  }

  /** Zero correlation of two samples of standard normals. */
  public static void uncorrelated(String what, double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    normal(what, 0, Math.sqrt(a.length), sum);
  }
}
