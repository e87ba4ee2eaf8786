package dev.discreet.core.evaluate;

/** How far vectors lie from their mean: Welford's sums, which lose no digits. */
public final class Variance {
  private final double[] means;
  private double squares;
  private long count;

  public Variance(int length) {
    this.means = new double[length];
  }

  public void add(double... vector) {
    count++;
    for (int i = 0; i < means.length; i++) {
      double before = vector[i] - means[i];
      means[i] += before / count;
      squares += before * (vector[i] - means[i]);
    }
  }

  double[] means() {
    return means.clone();
  }

  /** The mean squared distance from the mean, over vectors and coordinates. */
  public double value() {
    return squares / count / means.length;
  }
}
