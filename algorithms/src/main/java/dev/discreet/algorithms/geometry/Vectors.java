package dev.discreet.algorithms.geometry;

import java.util.Arrays;

/** Small vector functions that the diagnostics share. */
final class Vectors {
  private Vectors() {}

  static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  static double norm(double[] x) {
    return Math.sqrt(dot(x, x));
  }

  static double[] scaled(double[] x, double factor) {
    return Arrays.stream(x).map(value -> factor * value).toArray();
  }

  /** x + factor·y. */
  static double[] plus(double[] x, double factor, double[] y) {
    double[] sum = x.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += factor * y[i];
    }
    return sum;
  }

  /** ‖x + sign·y‖. */
  static double distance(double[] x, double sign, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      double part = x[i] + sign * y[i];
      sum += part * part;
    }
    return Math.sqrt(sum);
  }
}
