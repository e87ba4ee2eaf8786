package dev.discreet.accounting.pld;

/** Sums without an error that grows with their length (Neumaier's compensation). */
final class Sum {
  private Sum() {}

  static double of(double[] values) {
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
