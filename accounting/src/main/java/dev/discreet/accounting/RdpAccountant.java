package dev.discreet.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/**
 * Rényi differential privacy: divergences add up, and the best order is turned into (ε, δ) by the
 * conversion of Canonne, Kamath and Steinke (2020), the same as that of Asoodeh et al. (2020).
 */
public final class RdpAccountant implements Accountant {
  private static final double[] ORDERS = defaultOrders();

  // Above this, fractional orders gain too little for the time that they take.
  private static final double LARGEST_REFINED = 64;

  private final double[] orders;
  private final boolean refine;

  /** With orders that suit every setting, refined around the best one. */
  public RdpAccountant() {
    this(true, ORDERS);
  }

  /** With the given orders, each above 1, and no others. */
  public RdpAccountant(double... orders) {
    this(false, orders);
  }

  private RdpAccountant(boolean refine, double... orders) {
    Check.that(orders.length > 0, "orders", "at least one", "none");
    for (double order : orders) {
      Check.that(order > 1 && Double.isFinite(order), "order", "finite and above 1", order);
    }
    this.orders = orders.clone();
    this.refine = refine;
  }

  /**
   * 1.1 to 10.9 by 0.1 and 12 to 63 as in the literature, with finer ones below, between and above.
   */
  public static double[] defaultOrders() {
    DoubleStream.Builder orders = DoubleStream.builder();
    for (int i = 1; i <= 9; i++) {
      orders.add(1 + i / 1000.0);
      orders.add(1 + i / 100.0);
    }
    for (int i = 11; i <= 110; i++) {
      orders.add(i / 10.0);
    }
    for (int i = 12; i <= 64; i++) {
      orders.add(i);
    }
    for (double order = 72; order <= 1 << 14; order *= 1.125) {
      orders.add(Math.rint(order));
    }
    for (double order = 1 << 15; order <= 1L << 40; order *= 2) {
      orders.add(order);
    }
    return orders.build().sorted().toArray();
  }

  @Override
  public String name() {
    return "rdp";
  }

  /** The Rényi divergence of the whole ledger at one order. */
  public double divergence(Ledger ledger, double order) {
    Check.that(order > 1 && Double.isFinite(order), "order", "finite and above 1", order);
    return ledger.perPart().stream()
        .mapToDouble(part -> new Curve(part).logMoment(order) / (order - 1))
        .reduce(0, Math::max);
  }

  /** The log moments (α−1)·D_α of the whole ledger at each order; infinite where none is known. */
  public static List<Double> logMoments(Ledger ledger, List<Double> orders) {
    Curve curve = new Curve(ledger);
    return orders.stream().map(curve::logMoment).toList();
  }

  /** The largest finite privacy loss of the whole ledger; infinite where none is known. */
  public static double largestLoss(Ledger ledger) {
    return new Curve(ledger).largestLoss();
  }

  /** The probability that a release of the ledger fails outright, which no order sees. */
  public static double failure(Ledger ledger) {
    return new Curve(ledger).failure;
  }

  @Override
  public Guarantee epsilon(Ledger ledger, double delta) {
    Check.delta(delta);
    return Guarantee.worst(ledger, part -> epsilonOfPart(new Curve(part), delta));
  }

  private Guarantee epsilonOfPart(Curve curve, double delta) {
    if (curve.free()) {
      return Guarantee.epsilonAt(delta, 0, 0, name(), "");
    }
    double left = delta - curve.failure;
    if (!curve.reason.isEmpty() || left <= 0) {
      String why =
          !curve.reason.isEmpty()
              ? curve.reason
              : delta == 0
                  ? "Rényi divergences give no epsilon at delta = 0"
                  : "the entries' own deltas use up delta";
      return Guarantee.epsilonAt(delta, 0, Double.POSITIVE_INFINITY, name(), why);
    }
    Best best =
        least(
            order ->
                (curve.logMoment(order) - Math.log(left) - Math.log(order)) / (order - 1)
                    + Math.log1p(-1 / order));
    return Guarantee.epsilonAt(delta, 0, best.value, name(), note(best.order));
  }

  private record Best(double order, double value) {}

  /**
   * The least value over the orders, and with the default orders between the neighbours of the best
   * one too.
   */
  private Best least(DoubleUnaryOperator f) {
    Best best = new Best(Double.NaN, Double.POSITIVE_INFINITY);
    int at = 0;
    for (int i = 0; i < orders.length; i++) {
      double value = f.applyAsDouble(orders[i]);
      if (value < best.value) {
        best = new Best(orders[i], value);
        at = i;
      }
    }
    if (!refine || Double.isNaN(best.order) || best.order > LARGEST_REFINED) {
      return best;
    }
    // Below the first order there is room down to 1, where the best order is when noise is small.
    double low = at == 0 ? 1 : orders[at - 1];
    double high = orders[Math.min(orders.length - 1, at + 1)];
    for (int round = 0; round < 6; round++) {
      double center = best.order;
      for (double order : new double[] {(low + center) / 2, (center + high) / 2}) {
        double value = f.applyAsDouble(order);
        best = value < best.value ? new Best(order, value) : best;
      }
      double reach = Math.max(high - center, center - low) / 2;
      low = Math.max(low, best.order - reach);
      high = Math.min(high, best.order + reach);
    }
    return best;
  }

  private static String note(double order) {
    return Double.isNaN(order)
        ? "the divergence is infinite at every order"
        : String.format(Locale.ROOT, "best order %.4g", order);
  }

  @Override
  public Guarantee delta(Ledger ledger, double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    return Guarantee.worst(ledger, part -> deltaOfPart(new Curve(part), epsilon));
  }

  private Guarantee deltaOfPart(Curve curve, double epsilon) {
    if (!curve.reason.isEmpty() || curve.free()) {
      return Guarantee.deltaAt(epsilon, 0, curve.reason.isEmpty() ? 0 : 1, name(), curve.reason);
    }
    if (Double.isInfinite(epsilon)) {
      return Guarantee.deltaAt(epsilon, 0, curve.failure, name(), "");
    }
    Best best =
        least(
            order ->
                curve.logMoment(order)
                    + (order - 1) * (Math.log1p(-1 / order) - epsilon)
                    - Math.log(order));
    double delta = Math.max(Double.MIN_VALUE, Math.exp(Math.min(0, best.value)) + curve.failure);
    return Guarantee.deltaAt(epsilon, 0, delta, name(), note(best.order));
  }

  /** The summed log moments of a ledger, and what no moment sees. */
  static final class Curve {
    private final List<RenyiMoments> terms = new ArrayList<>();
    private final List<Long> counts = new ArrayList<>();
    final double failure;
    final String reason;

    Curve(Ledger ledger) {
      double logSafe = 0;
      String why = "";
      for (Map.Entry<Mechanism, Long> entry : ledger.totals().entrySet()) {
        RenyiMoments renyi = RenyiMoments.of(entry.getKey(), ledger.neighbouring());
        terms.add(renyi);
        counts.add(entry.getValue());
        logSafe += entry.getValue() * Math.log1p(-renyi.failure());
        why = why.isEmpty() ? renyi.reason() : why;
      }
      failure = -Math.expm1(logSafe);
      reason = why;
    }

    /** Whether nothing was released that a unit can be seen in. */
    boolean free() {
      return reason.isEmpty() && failure == 0 && terms.stream().allMatch(RenyiMoments::free);
    }

    /** The largest finite loss of all releases together; infinite where none is known. */
    double largestLoss() {
      double sum = 0;
      for (int i = 0; i < terms.size(); i++) {
        double loss = terms.get(i).largestLoss();
        sum += loss == 0 ? 0 : counts.get(i) * loss;
      }
      return reason.isEmpty() ? sum : Double.POSITIVE_INFINITY;
    }

    double logMoment(double order) {
      if (!reason.isEmpty()) {
        return Double.POSITIVE_INFINITY;
      }
      double sum = 0;
      for (int i = 0; i < terms.size(); i++) {
        sum += counts.get(i) * terms.get(i).logMoment(order);
      }
      return sum;
    }
  }
}
