package dev.discreet.data.generate;

import java.util.Arrays;

/** A square of paper and a round pen with a soft edge. Lengths are in pixels. */
final class InkCanvas {
  /** How wide the edge is over which ink fades; about a pixel, as a scanner sees it. */
  private static final double SOFT = 1.1;

  private final int side;
  private final double[] ink;

  InkCanvas(int side) {
    this.side = side;
    this.ink = new double[side * side];
  }

  void clear() {
    Arrays.fill(ink, 0);
  }

  double ink(int pixel) {
    return ink[pixel];
  }

  /**
   * Draws a line whose half width goes from one end's to the other's. Where lines meet the darker
   * one counts, so joints show no dots.
   *
   * @param level in [0, 1]
   */
  void line(double x0, double y0, double r0, double x1, double y1, double r1, double level) {
    double reach = Math.max(r0, r1) + SOFT;
    int left = Math.max(0, (int) Math.floor(Math.min(x0, x1) - reach));
    int right = Math.min(side - 1, (int) Math.ceil(Math.max(x0, x1) + reach));
    int top = Math.max(0, (int) Math.floor(Math.min(y0, y1) - reach));
    int bottom = Math.min(side - 1, (int) Math.ceil(Math.max(y0, y1) + reach));
    double dx = x1 - x0;
    double dy = y1 - y0;
    double scale = 1 / (dx * dx + dy * dy + 1e-12);
    for (int row = top; row <= bottom; row++) {
      for (int column = left; column <= right; column++) {
        double px = column + 0.5 - x0;
        double py = row + 0.5 - y0;
        double along = Math.max(0, Math.min(1, (px * dx + py * dy) * scale));
        double ex = px - along * dx;
        double ey = py - along * dy;
        double distance = Math.sqrt(ex * ex + ey * ey);
        double covered = (r0 + along * (r1 - r0) - distance) / SOFT + 0.5;
        if (covered > 0) {
          int at = row * side + column;
          ink[at] = Math.max(ink[at], level * Math.min(1, covered));
        }
      }
    }
  }
}
