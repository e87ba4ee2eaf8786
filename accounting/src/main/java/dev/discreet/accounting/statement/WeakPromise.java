package dev.discreet.accounting.statement;

import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.calibration.DefaultDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What makes a promise weak, in words. Plans, consoles, statements and reports all ask here, so
 * that none is silent where another warns. Only public numbers are used.
 */
public final class WeakPromise {
  /** Above this, a result may be 22,000 times as likely because of one unit. */
  public static final double EPSILON = 10;

  /** An upper end this many times the lower says little of where the truth is. */
  static final double GAP = 1.25;

  private WeakPromise() {}

  /**
   * One sentence for each weakness; none where there is nothing to warn of. That nothing at all is
   * promised (an infinite ε) is not told here.
   *
   * @param unit who is protected, as a singular noun
   * @param units the public number of them; 0 where it is not known
   */
  public static List<String> of(Cost cost, String unit, long units) {
    List<String> weak = new ArrayList<>();
    double epsilon = cost.epsilon();
    if (epsilon > EPSILON && Double.isFinite(epsilon)) {
      weak.add(
          String.format(
              Locale.ROOT,
              "epsilon is above %s: a result may be %s times as likely because of one %s",
              Digits.plain(EPSILON),
              epsilon < 40
                  ? String.format(Locale.ROOT, "%,.0f", Math.exp(epsilon))
                  : "more than e^40",
              unit));
    }
    double delta = cost.delta();
    if (units > 0 && delta * units > 0.1 * (1 + 1e-12) && delta < 1) {
      weak.add(
          String.format(
              Locale.ROOT,
              "delta is above 1/(10 x %,d): it would allow to publish %s of %,d %ss as they are;"
                  + " the default is %s",
              units,
              delta * units < 1
                  ? "with probability " + Digits.plain(delta * units) + " one"
                  : Digits.plain(delta * units),
              units,
              unit,
              Digits.exact(DefaultDelta.of(units))));
    }
    if (cost instanceof Guarantee guarantee
        && guarantee.epsilonLower() > 0
        && Double.isFinite(epsilon)
        && epsilon > GAP * guarantee.epsilonLower()) {
      weak.add(
          "the upper end is far from the lower: the worst case is between epsilon "
              + Digits.down(guarantee.epsilonLower())
              + " and "
              + Digits.up(epsilon)
              + ", and only the upper end is promised");
    }
    return List.copyOf(weak);
  }
}
