package dev.discreet.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Rényi differential privacy: divergences add up, and the best order is turned into (ε, δ) by the
 * conversion of Canonne, Kamath and Steinke (2020), the same as that of Asoodeh et al. (2020).
 */
public final class RdpAccountant implements Accountant {
  private static final double[] ORDERS = defaultOrders();

  private final double[] orders;

  public RdpAccountant() {
    this(ORDERS);
  }

  /** With the given orders, each above 1. */
  public RdpAccountant(double... orders) {
    Check.that(orders.length > 0, "orders", "at least one", "none");
    for (double order : orders) {
      Check.that(order > 1 && Double.isFinite(order), "order", "finite and above 1", order);
    }
    this.orders = orders.clone();
  }

  /**
   * 1.1 to 10.9 by 0.1 and 12 to 63 as in the literature, with finer ones below, between and above.
   */
  private static double[] defaultOrders() {
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
    double worst = 0;
    for (Ledger part : ledger.perPart()) {
      worst = Math.max(worst, new Curve(part).logMoment(order) / (order - 1));
    }
    return worst;
  }

  @Override
  public Guarantee epsilon(Ledger ledger, double delta) {
    Check.delta(delta);
    Guarantee worst = null;
    for (Ledger part : ledger.perPart()) {
      Guarantee next = epsilonOfPart(new Curve(part), delta);
      worst = worst == null || next.epsilon() > worst.epsilon() ? next : worst;
    }
    return worst;
  }

  private Guarantee epsilonOfPart(Curve curve, double delta) {
    double left = delta - curve.failure;
    if (!curve.reason.isEmpty() || left <= 0) {
      boolean free = curve.reason.isEmpty() && curve.free();
      String why =
          free
              ? ""
              : !curve.reason.isEmpty()
                  ? curve.reason
                  : delta == 0
                      ? "Rényi divergences give no epsilon at delta = 0"
                      : "the entries' own deltas use up delta";
      return Guarantee.epsilonAt(delta, 0, free ? 0 : Double.POSITIVE_INFINITY, name(), why);
    }
    double best = Double.POSITIVE_INFINITY;
    double bestOrder = Double.NaN;
    for (double order : orders) {
      double epsilon =
          (curve.logMoment(order) - Math.log(left) - Math.log(order)) / (order - 1)
              + Math.log1p(-1 / order);
      if (epsilon < best) {
        best = epsilon;
        bestOrder = order;
      }
    }
    return Guarantee.epsilonAt(delta, 0, best, name(), note(bestOrder));
  }

  private static String note(double order) {
    return Double.isNaN(order)
        ? "the divergence is infinite at every order"
        : String.format(Locale.ROOT, "best order %s", Check.text(order));
  }

  @Override
  public Guarantee delta(Ledger ledger, double epsilon) {
    Check.nonNegative(epsilon, "epsilon");
    Guarantee worst = null;
    for (Ledger part : ledger.perPart()) {
      Guarantee next = deltaOfPart(new Curve(part), epsilon);
      worst = worst == null || next.delta() > worst.delta() ? next : worst;
    }
    return worst;
  }

  private Guarantee deltaOfPart(Curve curve, double epsilon) {
    if (!curve.reason.isEmpty() || curve.free()) {
      return Guarantee.deltaAt(epsilon, 0, curve.reason.isEmpty() ? 0 : 1, name(), curve.reason);
    }
    double best = 0;
    double bestOrder = Double.NaN;
    for (double order : orders) {
      double logDelta =
          curve.logMoment(order)
              + (order - 1) * (Math.log1p(-1 / order) - epsilon)
              - Math.log(order);
      if (logDelta < best) {
        best = logDelta;
        bestOrder = order;
      }
    }
    return Guarantee.deltaAt(epsilon, 0, Math.exp(best) + curve.failure, name(), note(bestOrder));
  }

  /** The summed log moments of a ledger, and what no moment sees. */
  static final class Curve {
    private final List<Renyi> terms = new ArrayList<>();
    private final List<Long> counts = new ArrayList<>();
    final double failure;
    final String reason;

    Curve(Ledger ledger) {
      double logSafe = 0;
      String why = "";
      for (Map.Entry<Mechanism, Long> entry : ledger.totals().entrySet()) {
        Renyi renyi = new Renyi(entry.getKey(), ledger.neighbouring());
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
      return failure == 0 && logMoment(2) == 0;
    }

    double logMoment(double order) {
      double sum = 0;
      for (int i = 0; i < terms.size(); i++) {
        sum += counts.get(i) * terms.get(i).logMoment(order);
      }
      return sum;
    }
  }
}
