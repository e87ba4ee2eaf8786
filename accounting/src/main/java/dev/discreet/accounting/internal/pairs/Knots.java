package dev.discreet.accounting.internal.pairs;

/** Knots for losses in [−ε, ε]. */
final class Knots {
  private static final int COUNT = 400;

  private Knots() {}

  /**
   * Evenly spaced, with a first cell that ends just above −ε and a last that begins just below ε,
   * for the atoms there.
   */
  static double[] evenly(double epsilon) {
    double[] knots = new double[COUNT + 4];
    knots[0] = -epsilon * (1 + 1e-12);
    knots[1] = -epsilon * (1 - 1e-6);
    knots[COUNT + 2] = epsilon * (1 - 1e-6);
    knots[COUNT + 3] = epsilon;
    for (int i = 1; i <= COUNT; i++) {
      knots[i + 1] = knots[1] + (knots[COUNT + 2] - knots[1]) * i / (COUNT + 1);
    }
    return knots;
  }
}
