package dev.discreet.accounting.math;

/** Sums without an error that grows with their length (Neumaier's compensation). */
public final class CompensatedSum {
  private CompensatedSum() {}

  public static double of(double[] values) {
    double sum = 0;
    double lost = 0;
    for (double value : values) {
      double next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
      sum = next;
    }
    return sum + lost;
  }
}
