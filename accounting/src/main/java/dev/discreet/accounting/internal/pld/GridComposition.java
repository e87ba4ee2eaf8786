package dev.discreet.accounting.internal.pld;

import dev.discreet.accounting.internal.pairs.FoldedProbability;
import dev.discreet.accounting.internal.pairs.LossPair;
import java.util.Arrays;
import java.util.List;

/**
 * One composition on one grid, in one direction, with both ends certified.
 *
 * <p><b>Upper end.</b> Connect-the-dots: the mass of each cell goes to the cell's two ends such
 * that both P's and Q's mass of the cell are kept. The pair on the grid dominates the true one.
 * What lies below the grid moves up to its first point, what lies above is counted as an infinite
 * loss.
 *
 * <p><b>Lower end</b>, the better of two.
 *
 * <ul>
 *   <li>The optimistic twin: parts of two neighbouring cells are merged such that the merged loss
 *       is the grid point between them. Merging outputs is post-processing. What finds no partner
 *       is rounded down, which only adds to Q. Close where the distribution is smooth on the scale
 *       of the step.
 *   <li>An attack: round each loss to an end of its cell by a coin, add up, and say "P" above a
 *       threshold. P's and Q's probabilities of that event are composed separately, and P(E) ≤
 *       e^ε·Q(E) + δ must hold for it. Close also where almost all mass lies in one cell: the coin
 *       costs the attacker nothing but variance.
 * </ul>
 *
 * <p>All ends close at the second order of the step.
 *
 * <p>With a split, this composes one part of the outputs: those without a jump, or those with one.
 * δ(ε) is the sum over parts, because sup P(E) − e^ε·Q(E) is.
 *
 * <p><b>Formal guarantee.</b> Discretisation, truncation, wrap-around (by Chernoff's bound) and the
 * rounding of the transforms (by the norm bound in {@link FourierComposition}) are charged against
 * each end.
 */
final class GridComposition {
  private static final double UNIT = 0x1p-53;
  private static final int MOST_THRESHOLDS = 1 << 13;

  private final LossWindow window;
  private final double step;
  private final int n;
  private final GridMeasure up;
  private final GridMeasure down;
  private final GridMeasure attackP;
  private final GridMeasure attackQ;
  private final FourierComposition ends;
  private final FourierComposition attack;
  private final boolean attained;
  private final boolean jumps;
  private double[][] endMasses;
  private double[][] attackMasses;
  private double logFinite;
  private double logFiniteAttained;
  // What the attack's Q may have above the cells, beside what was rounded down.
  private double tailQ;
  private double slack;
  // Masses are scaled to a total of 1 up to rounding, which the powers multiply.
  private double scaling;

  GridComposition(
      List<RepeatedRelease> terms, CumulantFunction cumulant, LossWindow window, Fft fft) {
    this.window = window;
    n = fft.length();
    step = window.width() / n;
    up = new GridMeasure(window.tilt(), window);
    down = new GridMeasure(window.tilt(), window);
    attackP = new GridMeasure(window.tilt(), window);
    attackQ = new GridMeasure(window.tilt() + 1, window);
    jumps = window.part() == LossWindow.Part.JUMPS;
    ends = new FourierComposition(fft, jumps);
    attack = new FourierComposition(fft, jumps);
    attained = terms.stream().anyMatch(term -> term.attained() != null);
    compose(terms, bulk() ? cumulant.below(window.split()) : cumulant);
  }

  private void compose(List<RepeatedRelease> terms, CumulantFunction cumulant) {
    double[] a = new double[n];
    double[] b = new double[n];
    double[] jumpsA = new double[n];
    double[] jumpsB = new double[n];
    for (int i = 0; i < terms.size(); i++) {
      RepeatedRelease term = terms.get(i);
      long count = term.count();
      double logGuess = cumulant.ofTerm(i, window.tilt());
      double[] span = cumulant.span(i, window.tilt());
      LossCells cells = cells(term.upper(), span);
      double[] share = cells.shareUp();
      double[] p = cells.rounded(cells.p(), share, 0, cells.split(), cells.headP());
      double[] jumpP = jumps(cells, cells.p(), share);
      up.load(p, jumpP, cells, logGuess, count, a, jumpsA);
      logFinite += count * Math.log1p(-tail(cells.tailP(), term.upper().p(split(term.upper()))));
      scaling += count * 16 * UNIT;
      slack += count * 8 * UNIT * (1 + Math.abs(span[0]) + Math.abs(span[1]));
      if (term.attained() == null) {
        // Nothing is known from below, so the twin is a release that says nothing.
        Arrays.fill(b, 0);
        Arrays.fill(jumpsB, 0);
        b[0] = 1;
        ends.multiply(a, b, jumpsA, jumpsB, count);
        continue;
      }
      if (term.attained() != term.upper()) {
        cells = cells(term.attained(), span);
        share = cells.shareUp();
      }
      int split = cells.split();
      double infinity = bulk() ? 0 : term.attained().infinity();
      logFiniteAttained += count * Math.log1p(-infinity);
      double[] twinJumps = jumps ? cells.merged(split, cells.count()) : null;
      double[] twin = cells.merged(0, split);
      // What lies above the cells is rounded down to the last, unless the last may be of another
      // part: then P goes without it, and Q is charged.
      double tail = all() ? Math.max(0, cells.tailP() - infinity) : 0;
      twin[split] += tail;
      down.load(twin, twinJumps, cells, logGuess, count, b, jumpsB);
      ends.multiply(a, b, jumpsA, jumpsB, count);
      if (term.attained() != term.upper()) {
        p = cells.rounded(cells.p(), share, 0, split, cells.headP());
        jumpP = jumps(cells, cells.p(), share);
      }
      p[split] += tail;
      double[] safeQ = cells.safeQ();
      double[] q = cells.rounded(safeQ, share, 0, split, cells.headQ());
      double[] jumpQ = jumps(cells, safeQ, share);
      if (all()) {
        q[split] += cells.tailQ();
      } else {
        tailQ += count * tail(cells.tailQ(), term.attained().q(split(term.attained())));
      }
      attackP.load(p, jumpP, cells, logGuess, count, a, jumpsA);
      attackQ.load(q, jumpQ, cells, logGuess, count, b, jumpsB);
      attack.multiply(a, b, jumpsA, jumpsB, count);
    }
    endMasses = ends.inverse();
    attackMasses = attained ? attack.inverse() : null;
  }

  double step() {
    return step;
  }

  private boolean all() {
    return window.part() == LossWindow.Part.ALL;
  }

  private boolean bulk() {
    return window.part() == LossWindow.Part.BULK;
  }

  /** Cells reach at least up to the split where there is one; those of the bulk end there. */
  private LossCells cells(LossPair pair, double[] span) {
    double split = split(pair);
    double end = Math.min(split, pair.max());
    double high = bulk() ? end : Double.isInfinite(split) ? span[1] : Math.max(end, span[1]);
    return LossCells.of(pair, step, span[0], high, split);
  }

  /** The window's split, moved up to the next loss that is on the grids of both parts. */
  private double split(LossPair pair) {
    if (all()) {
      return Double.POSITIVE_INFINITY;
    }
    double anchor = LossCells.anchor(pair);
    double unit = window.jumpsWidth() / n;
    return anchor + unit * Math.ceil((window.split() - anchor) / unit);
  }

  /** What lies above the cells and still belongs to this part. */
  private double tail(double above, double beyondSplit) {
    return bulk() ? Math.max(0, above - FoldedProbability.tail(beyondSplit)) : above;
  }

  private double[] jumps(LossCells cells, double[] masses, double[] share) {
    return jumps ? cells.rounded(masses, share, cells.split(), cells.count(), 0) : null;
  }

  Bracket epsilon(double delta) {
    double lower =
        attained ? Math.max(twinEpsilon(delta), attackEpsilon(delta)) - slack - 2 * scaling : 0;
    return new Bracket(Math.max(0, lower), Math.max(0, upperEpsilon(delta) + slack));
  }

  /** δ(ε) from above; losses may be off by the slack. */
  double deltaAbove(double epsilon) {
    return Math.min(1, upperDelta(epsilon - slack) * Math.exp(3 * scaling));
  }

  double deltaBelow(double epsilon) {
    double at = epsilon + slack;
    return attained ? Math.max(twinDelta(at), attackDelta(at)) * Math.exp(-3 * scaling) : 0;
  }

  private double upperEpsilon(double delta) {
    double infinite = -Math.expm1(logFinite);
    if (!(delta > infinite)) {
      return Double.POSITIVE_INFINITY;
    }
    double logLeft = Math.log(delta - infinite) - scaling;
    Walk walk = new Walk(up, 0);
    while (walk.next()) {
      double target = Math.exp(logLeft - walk.logUnit());
      if (!(walk.divergence + walk.extra() < target)) {
        // Reached at this point already: before the first step that means above the window.
        return walk.taken == 1 ? Double.POSITIVE_INFINITY : walk.loss + step;
      }
      double inside = (target - walk.divergence - walk.extra()) / walk.mass;
      if (inside < walk.gain) {
        return walk.loss + Math.log1p(-inside);
      }
    }
    return walk.loss - step;
  }

  private double upperDelta(double epsilon) {
    double infinite = -Math.expm1(logFinite);
    Walk walk = new Walk(up, 0);
    while (walk.next()) {
      if (walk.loss - step <= epsilon) {
        double inside = epsilon < walk.loss ? -Math.expm1(epsilon - walk.loss) * walk.mass : 0;
        double scaled = walk.divergence + walk.extra() + inside;
        return Math.max(Double.MIN_VALUE, infinite + Math.exp(Math.log(scaled) + walk.logUnit()));
      }
    }
    return 1;
  }

  private double twinEpsilon(double delta) {
    double left = (delta + Math.expm1(logFiniteAttained)) * (1 + scaling);
    if (left < 0) {
      return Double.POSITIVE_INFINITY; // the attained infinite losses alone exceed delta
    }
    Walk walk = new Walk(down, 1);
    while (walk.next()) {
      double target = Math.exp(Math.log(left) - walk.logUnit());
      double inside = (target - walk.divergence + walk.error() + walk.wrapped()) / walk.mass;
      if (inside < walk.gain) {
        return walk.taken == 1 ? 0 : walk.loss + Math.log1p(-Math.max(0, inside));
      }
    }
    return 0;
  }

  private double twinDelta(double epsilon) {
    Walk walk = new Walk(down, 1);
    while (walk.next()) {
      if (walk.loss - step <= epsilon) {
        double inside = epsilon < walk.loss ? -Math.expm1(epsilon - walk.loss) * walk.mass : 0;
        double scaled = Math.max(0, walk.divergence - walk.error() - walk.wrapped() + inside);
        return -Math.expm1(logFiniteAttained) + Math.exp(Math.log(scaled) + walk.logUnit());
      }
    }
    return 0;
  }

  private long topIndex(GridMeasure measure) {
    return (long) Math.ceil((window.bottom() - measure.base()) / step) + n - 1;
  }

  private int index(long k, long place) {
    return (int) ((k - place) & (n - 1));
  }

  /**
   * Down one end's measure from the top. With masses w at losses l and F = Σ_{j≥k} w_j·e^{l_k−l_j},
   * the divergence at the next lower point is D + (1−e^{−step})·F: only sums of positive numbers.
   * All in units of e^{logScale − tilt·loss} at the current loss, so that nothing overflows however
   * long the walk.
   */
  private final class Walk {
    private final GridMeasure measure;
    private final double[] masses;
    private final long place;
    private final double norm;
    private final double base;
    private final long top;
    private final double bottom;
    private final double change;
    final double gain = -Math.expm1(-step);
    int taken;
    double loss;
    double divergence;
    double mass;
    double missing;
    // Σ c^{2m}·m^r over the cells m passed, for r = 0, 1, 2.
    private double squares0;
    private double squares1;
    private double squares2;

    Walk(GridMeasure measure, int end) {
      this.measure = measure;
      masses = endMasses[end];
      place = ends.place(end);
      norm = ends.error(end);
      base = measure.base();
      top = topIndex(measure);
      bottom = base + (top - n) * step;
      change = Math.exp(-measure.tilt() * step);
      loss = base + (top + 1) * step;
      missing = measure.beyond(loss, LossWindow.ABOVE_TOP);
    }

    double logUnit() {
      return measure.logScale() - measure.tilt() * loss;
    }

    boolean next() {
      if (taken == n) {
        return false;
      }
      long k = top - taken++;
      loss = base + k * step;
      divergence = (divergence + gain * mass) * change;
      mass = mass * (1 - gain) * change + Math.max(0, masses[index(k, place)]);
      missing *= change;
      double c = change * change;
      squares2 = c * (squares2 + 2 * squares1 + squares0);
      squares1 = c * (squares1 + squares0);
      squares0 = c * squares0 + 1;
      return true;
    }

    /**
     * A mass m cells up counts 1 − e^{−m·step} ≤ min(1, m·step), and so does its rounding error.
     * One cell more for ε inside.
     */
    double error() {
      return norm
          * Math.min(Math.sqrt(squares0), step * (Math.sqrt(squares2) + Math.sqrt(squares0)));
    }

    /** All that the masses passed do not show: above the window, and rounding. */
    double extra() {
      return missing + error();
    }

    /** What wrapped around onto losses above this one. */
    double wrapped() {
      double mass = measure.below(bottom) + measure.beyond(loss + n * step, LossWindow.WRAPPED);
      return mass * Math.min(1, n * step);
    }
  }

  private double attackEpsilon(double delta) {
    double left = (delta + Math.expm1(logFiniteAttained)) * (1 + scaling);
    if (left < 0) {
      return Double.POSITIVE_INFINITY;
    }
    Attack tails = new Attack();
    double best = 0;
    double logLeft = Math.log(left);
    while (tails.nextThreshold()) {
      double target = Math.exp(logLeft - tails.logUnitP());
      if (tails.sumP <= target) {
        continue;
      }
      double gain = tails.p() - target;
      if (gain > 0) {
        double found = Math.log(gain) - Math.log(tails.q()) + tails.logUnitP() - tails.logUnitQ();
        best = Math.max(best, found - tails.rounding());
      }
    }
    return best;
  }

  private double attackDelta(double epsilon) {
    Attack tails = new Attack();
    double best = 0;
    while (tails.nextThreshold()) {
      double p = tails.p();
      double units = tails.logUnitQ() - tails.logUnitP();
      double exponent = epsilon + units + Math.log(tails.q()) + tails.rounding();
      double gain = p - Math.exp(exponent);
      if (gain > 0) {
        best = Math.max(best, Math.exp(Math.log(gain) + tails.logUnitP()));
      }
    }
    return -Math.expm1(logFiniteAttained) + best;
  }

  /**
   * P's probability from below and Q's from above of ever longer upper tails, each in its unit at
   * the current loss.
   */
  private final class Attack {
    private final double base = attackP.base();
    private final long top = topIndex(attackP);
    private final double bottom = base + (top - n) * step;
    private final double changeP = Math.exp(-attackP.tilt() * step);
    private final double changeQ = Math.exp(-attackQ.tilt() * step);
    private double loss = base + (top + 1) * step;
    private double missing = attackQ.beyond(loss, LossWindow.ABOVE_TOP);
    private int taken;
    private double sumP;
    private double sumQ;
    private double squaresP;
    private double squaresQ;

    /** To the next of a few thousand thresholds: near the best one the gain is flat. */
    boolean nextThreshold() {
      for (int i = 0; i < Math.max(1, n / MOST_THRESHOLDS); i++) {
        if (!next()) {
          return false;
        }
      }
      return true;
    }

    private boolean next() {
      if (taken == n) {
        return false;
      }
      long k = top - taken++;
      loss = base + k * step;
      sumP = sumP * changeP + Math.max(0, attackMasses[0][index(k, attack.place(0))]);
      sumQ = sumQ * changeQ + Math.max(0, attackMasses[1][index(k, attack.place(1))]);
      squaresP = squaresP * changeP * changeP + 1;
      squaresQ = squaresQ * changeQ * changeQ + 1;
      missing *= changeQ;
      return true;
    }

    double logUnitP() {
      return attackP.logScale() - attackP.tilt() * loss;
    }

    double logUnitQ() {
      return attackQ.logScale() - attackQ.tilt() * loss;
    }

    /** What the weights of P's and Q's masses, undone here, may be off by in the exponent. */
    double rounding() {
      return 4 * scaling
          + 16 * UNIT * attackQ.tilt() * attackP.travel()
          + 8 * UNIT * (Math.abs(logUnitP()) + Math.abs(logUnitQ()));
    }

    double p() {
      double wrapped = attackP.below(bottom) + attackP.beyond(loss + n * step, LossWindow.WRAPPED);
      return sumP - attack.error(0) * Math.sqrt(squaresP) - wrapped;
    }

    double q() {
      double above = Math.exp(Math.log(tailQ) - logUnitQ());
      return sumQ + attack.error(1) * Math.sqrt(squaresQ) + missing + above;
    }
  }
}
