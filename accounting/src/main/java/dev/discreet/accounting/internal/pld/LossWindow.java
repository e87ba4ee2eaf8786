package dev.discreet.accounting.internal.pld;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Where to look: an exponential tilt that makes the event in question ordinary, and a stretch of
 * the loss axis such that what falls outside it, or wraps around onto the part that counts, is
 * negligible beside δ.
 *
 * <p>The full tilt (that of Chernoff's bound) puts the event in the middle, where floating point is
 * at its best, but a skewed loss then has a long upper tail. A smaller tilt gives some digits away
 * for a shorter stretch and so a finer grid.
 *
 * @param tilt masses are weighted by e^{tilt·loss}
 * @param center near and above the ε in question; weights are 1 there
 * @param logEvent log of the probability of the event in question, about log δ
 * @param exponents of Chernoff's bounds on what lies above {@code top}, a whole stretch above the
 *     event, and below {@code bottom}
 * @param part which outputs it is for
 * @param split single losses above about this are jumps; infinite for none
 * @param jumpsWidth the width of the window for jumps, a whole number of times that for the bulk
 */
record LossWindow(
    double tilt,
    double center,
    double logEvent,
    double bottom,
    double top,
    double[] exponents,
    Part part,
    double split,
    double jumpsWidth) {

  /** All outputs, those without a jump, or those with at least one. */
  enum Part {
    ALL,
    BULK,
    JUMPS
  }

  /** Indices into the exponents. */
  static final int ABOVE_TOP = 0;

  static final int WRAPPED = 1;
  static final int BELOW_BOTTOM = 2;

  private static final double NEGLIGIBLE = Math.log(1e-6);
  private static final double SMALLEST = 1e-12;
  private static final double LARGEST = 1e12;
  private static final double STEEPEST = 500;
  private static final double WORTH_A_SPLIT = 4;
  private static final double LEAST_JUMP = 8;
  private static final double FEWEST_CELLS = 256;
  private static final double[] SHARES_OF_FULL_TILT = {1, 0.8, 0.6, 0.4, 0.2, 0};

  /** For log δ alone: where the bound ε = (K(θ) + c(θ) − log δ)/θ is least. */
  static LossWindow forDelta(CumulantFunction cumulant, double logDelta) {
    DoubleUnaryOperator epsilon = s -> (withinReason(cumulant.at(s)) + gain(s) - logDelta) / s;
    double tilt = CumulantFunction.leastAt(epsilon, SMALLEST, LARGEST);
    return around(cumulant, tilt, epsilon.applyAsDouble(tilt), logDelta);
  }

  /** For ε alone: where the bound log δ = K(θ) + c(θ) − θε is least. */
  static LossWindow forEpsilon(CumulantFunction cumulant, double epsilon) {
    double tilt = tiltTo(cumulant, epsilon);
    return around(cumulant, tilt, epsilon, cumulant.at(tilt) + gain(tilt) - tilt * epsilon);
  }

  /**
   * What the bounds gain on Chernoff's because (1 − e^{−x})₊ ≤ e^{θx + c(θ)} (Canonne, Kamath and
   * Steinke 2020). It keeps the tilt finite where the largest loss has an atom of more than δ.
   */
  private static double gain(double tilt) {
    return -tilt * Math.log1p(1 / tilt) - Math.log1p(tilt);
  }

  /** For an ε and a log δ that about belong together. */
  static LossWindow forBoth(CumulantFunction cumulant, double epsilon, double logDelta) {
    return around(cumulant, tiltTo(cumulant, epsilon), epsilon, logDelta);
  }

  /**
   * For an ε and a log δ where rare losses far above ε make the whole window long: a short one for
   * outputs without such a loss and a long one for the others, which need no fine grid. The jumps'
   * part of the composition can be told from the rest with full precision, so it needs no tilt.
   * Empty where that does not help.
   *
   * <p>The least jump is some steps of the jumps' grid, however small ε is, and the bulk's window
   * has room for each single loss below it: so neither grid ever has more cells than it is long.
   *
   * @param length of the window without a split
   * @param cells of the grid on either window
   */
  static List<LossWindow> split(
      CumulantFunction cumulant, double epsilon, double logDelta, double length, int cells) {
    if (!(length > WORTH_A_SPLIT * 1.2 * epsilon)) {
      return List.of();
    }
    LossWindow jumps = of(cumulant, 0, epsilon, logDelta, logDelta, epsilon / 10);
    double least = LEAST_JUMP * jumps.width() / cells;
    double[] splits =
        2 * epsilon < least
            ? new double[] {least, 8 * least, 64 * least}
            : new double[] {2 * epsilon, Math.max(least, 1.2 * epsilon)};
    for (double split : splits) {
      CumulantFunction below = length > WORTH_A_SPLIT * split ? cumulant.below(split) : null;
      double expected = below == null ? 0 : cumulant.expectedAbove(split);
      if (!(expected > 0 && expected <= 1)) {
        continue;
      }
      LossWindow bulk = forBoth(below, epsilon, logDelta);
      double single = split - below.lowest(bulk.tilt());
      double narrow = Math.max(bulk.width(), single);
      double width = Math.max(narrow, jumps.width());
      double fine = width / Math.floor(width / narrow);
      if (narrow < length / 2) {
        return List.of(
            bulk.of(Part.BULK, fine, split, width), jumps.of(Part.JUMPS, width, split, width));
      }
    }
    return List.of();
  }

  private LossWindow of(Part some, double width, double at, double jumpsWidth) {
    double end = bottom + width;
    return new LossWindow(tilt, center, logEvent, bottom, end, exponents, some, at, jumpsWidth);
  }

  private static double tiltTo(CumulantFunction cumulant, double epsilon) {
    return CumulantFunction.leastAt(
        s -> withinReason(cumulant.at(s)) + gain(s) - withinReason(s * epsilon), SMALLEST, LARGEST);
  }

  /**
   * Exponents beyond this lose their last digits; at the end of a bounded support the best tilt
   * would be infinite.
   */
  private static double withinReason(double exponent) {
    return exponent > 1e5 ? Double.POSITIVE_INFINITY : exponent;
  }

  /**
   * The shortest stretch over several tilts, among those under which the event is not lost in
   * rounding.
   */
  private static LossWindow around(
      CumulantFunction cumulant, double fullTilt, double center, double logEvent) {
    LossWindow best = null;
    for (double share : SHARES_OF_FULL_TILT) {
      double tilt = share * fullTilt;
      double logShown = logEvent - (cumulant.at(tilt) - tilt * center);
      // The transforms' rounding error grows with the number of releases; a steep tilt averages it
      // over few cells.
      double faintest = Math.log(3e-11 * cumulant.releases() * Math.min(1, 10 / tilt));
      if (share < 1 && logShown < faintest) {
        continue;
      }
      LossWindow next = of(cumulant, tilt, center, logEvent, logShown, 3 / fullTilt);
      best = best == null || next.width() < best.width() ? next : best;
    }
    return best;
  }

  private static LossWindow of(
      CumulantFunction cumulant,
      double tilt,
      double center,
      double logEvent,
      double logShown,
      double reach) {
    double at = cumulant.at(tilt);
    double allowed = logShown + NEGLIGIBLE - 3;
    DoubleUnaryOperator top = s -> (cumulant.at(tilt + s) - logEvent - NEGLIGIBLE) / (tilt + s);
    DoubleUnaryOperator wrapped = s -> (cumulant.at(tilt + s) - at - allowed) / s;
    DoubleUnaryOperator below = s -> (cumulant.at(tilt - s) - at - allowed) / s;
    double topRise = CumulantFunction.leastAt(top, SMALLEST, LARGEST);
    double rise = CumulantFunction.leastAt(wrapped, SMALLEST, LARGEST);
    double fall = CumulantFunction.leastAt(below, SMALLEST, LARGEST);
    // Where a support ends the best exponents are infinite; keep e^{s·loss} of one release within a
    // double.
    double steepest = STEEPEST / cumulant.widestSpan(tilt);
    rise = Math.min(rise, steepest);
    topRise = Math.min(topRise, steepest);
    fall = Math.min(fall, steepest);
    double lowest = -below.applyAsDouble(fall);
    double highest = top.applyAsDouble(topRise);
    double around = Math.min(reach, 0.2 * Math.max(highest - lowest, Math.abs(highest - center)));
    double low = Math.min(lowest, center - around);
    double high = Math.max(highest, center + around);
    double width = Math.max(high - low, wrapped.applyAsDouble(rise) - (center - around));
    double margin = 0.05 * width;
    // And within one step of any grid, where all losses may lie in one cell.
    steepest = STEEPEST * FEWEST_CELLS / width;
    rise = Math.min(rise, steepest);
    topRise = Math.min(topRise, steepest);
    fall = Math.min(fall, steepest);
    return new LossWindow(
        tilt,
        center,
        logEvent,
        low - margin,
        low + width + margin,
        new double[] {topRise, rise, -fall},
        Part.ALL,
        Double.POSITIVE_INFINITY,
        Double.NaN);
  }

  double width() {
    return top - bottom;
  }
}
