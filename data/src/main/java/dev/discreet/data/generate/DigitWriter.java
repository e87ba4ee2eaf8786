package dev.discreet.data.generate;

/**
 * Writes one digit as a hand would: it misses the points a little, slants, turns, stretches and
 * bends the paper, presses now more and now less, and sometimes leaves a stray mark.
 */
final class DigitWriter {
  static final int SIDE = 28;

  /** Pieces of a bend between two points. */
  private static final int PIECES = 6;

  /** Nodes of the bent paper along a side; cubic B-splines reach over two cells in the middle. */
  private static final int NODES = 5;

  private final Handwriting style;
  private final InkCanvas canvas = new InkCanvas(SIDE);
  private final double[] bendX = new double[NODES * NODES];
  private final double[] bendY = new double[NODES * NODES];
  private final double[] weightX = new double[4];
  private final double[] weightY = new double[4];
  private final double[] xs = new double[64];
  private final double[] ys = new double[64];

  private SplitMix random;
  private double a;
  private double b;
  private double c;
  private double d;
  private double shiftX;
  private double shiftY;
  private double mapX;
  private double mapY;

  DigitWriter(Handwriting style) {
    this.style = style;
  }

  /** Writes a digit into bytes, one a pixel, from an offset. */
  void write(int digit, SplitMix random, byte[] to, int at) {
    this.random = random;
    canvas.clear();
    DigitStrokes strokes = DigitStrokes.of(digit, random.below(DigitStrokes.styles(digit)));
    hold();
    for (int i = 0; i < strokes.points(); i++) {
      xs[i] = strokes.x()[i] - 0.5 + style.jitter() * random.gaussian();
      ys[i] = strokes.y()[i] - 0.5 + style.jitter() * random.gaussian();
    }
    double radius = random.uniform(style.thin(), style.thick());
    double level = random.uniform(style.pale(), 1);
    for (int s = 0; s + 1 < strokes.first().length; s++) {
      stroke(strokes, strokes.first()[s], strokes.first()[s + 1], radius, level);
    }
    if (random.chance(style.strays())) {
      stray(radius, level);
    }
    blot(to, at);
  }

  /** How this digit lies: an affine map to pixels, and the paper's bend. */
  private void hold() {
    double turn = style.turn() * random.gaussian();
    double slant = style.slant() * random.gaussian();
    double size = random.uniform(style.small(), style.large());
    double width = size * random.uniform(style.narrow(), 1);
    double cos = StrictMath.cos(turn);
    double sin = StrictMath.sin(turn);
    a = cos * width;
    b = (-sin - slant * cos) * size;
    c = sin * width;
    d = (cos - slant * sin) * size;
    shiftX = SIDE / 2.0 + random.uniform(-style.shift(), style.shift());
    shiftY = SIDE / 2.0 + random.uniform(-style.shift(), style.shift());
    for (int i = 0; i < bendX.length; i++) {
      bendX[i] = style.bend() * random.gaussian();
      bendY[i] = style.bend() * random.gaussian();
    }
  }

  private void stroke(DigitStrokes strokes, int from, int to, double radius, double level) {
    map(xs[from], ys[from]);
    double x0 = mapX;
    double y0 = mapY;
    double r0 = radius * random.uniform(0.75, 1.15);
    for (int i = from; i + 1 < to; i++) {
      int before = i == from || strokes.corner()[i] ? i : i - 1;
      int after = i + 2 == to || strokes.corner()[i + 1] ? i + 1 : i + 2;
      double end = radius * random.uniform(0.75, 1.15);
      double start = r0;
      for (int piece = 1; piece <= PIECES; piece++) {
        double t = (double) piece / PIECES;
        map(
            bend(xs[before], xs[i], xs[i + 1], xs[after], t),
            bend(ys[before], ys[i], ys[i + 1], ys[after], t));
        double r1 = start + t * (end - start);
        canvas.line(x0, y0, r0, mapX, mapY, r1, level);
        x0 = mapX;
        y0 = mapY;
        r0 = r1;
      }
    }
  }

  /** The curve of Catmull and Rom from p1 to p2. */
  private static double bend(double p0, double p1, double p2, double p3, double t) {
    double linear = p2 - p0;
    double square = 2 * p0 - 5 * p1 + 4 * p2 - p3;
    double cube = 3 * (p1 - p2) + p3 - p0;
    return p1 + 0.5 * t * (linear + t * (square + t * cube));
  }

  /** From the box around the origin, bent, to pixels. */
  private void map(double x, double y) {
    int cellX = weights(x + 0.5, weightX);
    int cellY = weights(y + 0.5, weightY);
    double u = x;
    double v = y;
    for (int j = 0; j < 4; j++) {
      for (int i = 0; i < 4; i++) {
        double weight = weightX[i] * weightY[j];
        int node = (cellY + j) * NODES + cellX + i;
        u += weight * bendX[node];
        v += weight * bendY[node];
      }
    }
    mapX = shiftX + a * u + b * v;
    mapY = shiftY + c * u + d * v;
  }

  /** Cubic B-spline weights of the four nodes around a place in [0, 1]; gives the first node. */
  private static int weights(double place, double[] to) {
    int cells = NODES - 3;
    double scaled = Math.max(0, Math.min(1, place)) * cells;
    int cell = Math.min(cells - 1, (int) scaled);
    double t = scaled - cell;
    double s = 1 - t;
    to[0] = s * s * s / 6;
    to[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
    to[2] = (3 * s * s * s - 6 * s * s + 4) / 6;
    to[3] = t * t * t / 6;
    return cell;
  }

  /** A short mark near an edge of the sheet, as of a neighbour's stroke or a slip of the pen. */
  private void stray(double radius, double level) {
    double edge = random.uniform(0, 3);
    double along = random.uniform(2, SIDE - 2);
    double x = random.chance(0.5) ? edge : SIDE - edge;
    double y = along;
    if (random.chance(0.5)) {
      y = x;
      x = along;
    }
    canvas.line(
        x,
        y,
        radius * 0.8,
        x + random.uniform(-4, 4),
        y + random.uniform(-4, 4),
        radius * 0.8,
        level);
  }

  /** Ink with grain, as bytes: four 16-bit numbers of one draw make each pixel's. */
  private void blot(byte[] to, int at) {
    double grain = style.grain() / 65536 * 1.7320508;
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
      long bits = random.bits();
      long sum = (bits & 0xffff) + (bits >>> 16 & 0xffff) + (bits >>> 32 & 0xffff) + (bits >>> 48);
      double value = canvas.ink(pixel) + (sum - 131070) * grain;
      to[at + pixel] = (byte) (int) (255 * Math.max(0, Math.min(1, value)) + 0.5);
    }
  }
}
