package dev.discreet.core.privacy;

/**
 * A released value, integer·2^exponent. Whatever is done with it costs nothing more.
 *
 * @param release its id in the session
 * @param integers an array of its own
 * @param sensitivities how far one unit can move each of its groups: what the noise was scaled to
 */
public record NoisyValue(long release, long[] integers, int exponent, double[] sensitivities) {

  public int size() {
    return integers.length;
  }

  public double value(int i) {
    return integers[i] * step();
  }

  public double[] values() {
    double[] values = new double[integers.length];
    double step = step();
    for (int i = 0; i < values.length; i++) {
      values[i] = integers[i] * step;
    }
    return values;
  }

  /** What one integer step is worth. */
  public double step() {
    return Math.scalb(1.0, exponent);
  }
}
