package dev.discreet.accounting.filter;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.accounting.math.Bisection;
import java.util.ArrayList;
import java.util.List;

/**
 * A budget for releases that are chosen one after the other, each after looking at the answers to
 * those before. Adding up afterwards what such releases cost is no bound: whoever may stop when the
 * answers look telling stops at a bad moment. A budget that was fixed before the first of them is.
 *
 * <p><b>Formal guarantee.</b> Let the filter be fixed before the first release, and let each
 * release, chosen in whatever way by what was released before, be made only if {@link #admits}
 * holds with it. Then all that is ever released is together (ε, δ)-private, whenever and why ever
 * it ends.
 *
 * <p><b>Proof.</b> Replace each release by the pair of laws that dominates it, of which it is a
 * post-processing. Let R be the likelihood ratio dP/dQ of all releases up to the end, where Q has
 * mass, and let S_α be the sum of the log moments log E_Q[R^α] of the single releases, each of
 * which is known before its release. Then R^α·e^(−S_α) is a supermartingale under Q that begins at
 * 1 (Feldman and Zrnic 2021), and so is the mean M = Σ w_α·R^α·e^(−S_α) over the orders with
 * weights w_α of sum 1. At the end one of two things holds. Either the largest losses add up to at
 * most ε: then R ≤ e^ε, and (R − e^ε)₊ is 0 (Rogers, Roth, Ullman and Vadhan 2016). Or R − e^ε ≤ (δ
 * − δ₀)·M for every R that is possible, which is what {@code admits} computes. In both cases E_Q[(R
 * − e^ε)₊] ≤ (δ − δ₀)·E_Q[M] ≤ δ − δ₀. What P puts where Q has no mass is at most the sum of the
 * releases' own δ, for which δ₀ is set apart. The two together are the δ of all releases at ε. Log
 * moments are those of the worse direction, so P and Q may change places.
 *
 * <p>A filter that splits δ over its orders and asks that one of them holds has the same proof with
 * the largest term of M in the place of M; the mean admits more.
 *
 * <pre>{@code
 * PrivacyFilter budget = new PrivacyFilter(2, 1e-6); // fixed before the first release
 * if (budget.admits(ledger.plus(next, 1))) {
 *   // make the release, and write it down
 * }
 * }</pre>
 *
 * @param epsilon the ε of the budget, finite and greater than 0
 * @param delta the δ of the budget, in [0, 1)
 * @param orders the Rényi orders with their weights; none where δ is 0
 * @param ownDelta δ₀, the part of δ that is kept for releases with a δ of their own
 */
@PublicApi
public record PrivacyFilter(double epsilon, double delta, List<Order> orders, double ownDelta) {
  /**
   * The accountants' own rounding is not a breach: 0.1 and 0.2 are 0.3. So what is promised is, to
   * the last digit, this many times ε.
   */
  private static final double ROUNDING = 1 + 1e-9;

  // Around the order that is best for Gaussian noise, α − 1 rises and falls by this factor, down to
  // the least order and up to the widest distance, while the weights fall by theirs. Chosen
  // among 18 settings tried on a few plans: one ordinary training run then takes 10 to 13% more
  // than its tight ε, where one order would take 8; runs with very little noise take far more.
  private static final double STEP = 1.6;
  private static final double FALL = 4;
  private static final double LEAST_ORDER = 1.05;
  private static final double WIDEST = 16;
  private static final double OWN_SHARE = 0.1;

  /**
   * A Rényi order of the filter.
   *
   * @param order above 1, finite
   * @param weight greater than 0; all weights of a filter add up to 1
   */
  public record Order(double order, double weight) {
    /**
     * Refuses what is out of range.
     *
     * @param order above 1, finite
     * @param weight in (0, 1]
     */
    public Order {
      Check.that(order > 1 && Double.isFinite(order), "order", "finite and above 1", order);
      Check.that(weight > 0 && weight <= 1, "weight of an order", "in (0, 1]", weight);
    }
  }

  /**
   * Refuses what is out of range.
   *
   * @param epsilon finite and greater than 0
   * @param delta in [0, 1)
   * @param orders with weights that add up to 1; none where δ is 0
   * @param ownDelta at least 0 and, unless both are 0, below δ
   */
  public PrivacyFilter {
    Check.that(
        epsilon > 0 && Double.isFinite(epsilon), "budget epsilon", "in (0, infinity)", epsilon);
    Check.delta(delta);
    Check.that(
        ownDelta >= 0 && (ownDelta < delta || delta == 0 && ownDelta == 0),
        "own delta",
        "at least 0 and below delta",
        ownDelta);
    double sum = orders.stream().mapToDouble(Order::weight).sum();
    Check.that(
        delta == 0 ? orders.isEmpty() : Math.abs(sum - 1) < 1e-12,
        "weights of the orders",
        delta == 0 ? "none" : "1 together",
        sum);
    orders = List.copyOf(orders);
  }

  /**
   * A budget with orders that suit it, and a tenth of its δ for releases that have their own.
   *
   * @param epsilon finite and greater than 0
   * @param delta in [0, 1); with 0 only pure releases fit
   */
  public PrivacyFilter(double epsilon, double delta) {
    this(epsilon, delta, orders(epsilon, (1 - OWN_SHARE) * delta), OWN_SHARE * delta);
  }

  /**
   * The budget that ledgers of earlier versions began with: it has one order, and no room for
   * releases that have a δ of their own.
   *
   * @param epsilon finite and greater than 0
   * @param delta in [0, 1)
   * @return the filter
   */
  public static PrivacyFilter ofOneOrder(double epsilon, double delta) {
    return new PrivacyFilter(
        epsilon,
        delta,
        delta == 0 ? List.of() : List.of(new Order(bestOrder(epsilon, delta), 1)),
        0);
  }

  /**
   * The filter as JSON.
   *
   * @return one JSON object, which {@link #parse} reads back
   */
  public String toJson() {
    return FilterJson.write(this);
  }

  /**
   * Reads what {@link #toJson} wrote. What earlier versions wrote has no orders: it is a budget of
   * one order.
   *
   * @param json one JSON object
   * @return the filter
   */
  public static PrivacyFilter parse(String json) {
    return FilterJson.filter(json);
  }

  /**
   * What releases cost, as this filter counts it.
   *
   * @param ledger the releases
   * @return their cost; of releases on parts of the units, that of the worst part at each order
   */
  public Spending cost(Ledger ledger) {
    return ledger.perPart().stream().map(this::costOfPart).reduce(Spending::worst).orElseThrow();
  }

  private Spending costOfPart(Ledger part) {
    List<Double> moments =
        RdpAccountant.logMoments(part, orders.stream().map(Order::order).toList());
    return new Spending(
        moments.stream().map(moment -> Math.max(0, moment)).toList(),
        RdpAccountant.largestLoss(part),
        Math.max(0, RdpAccountant.failure(part)));
  }

  /**
   * Whether the budget has room for all of a ledger.
   *
   * @param ledger everything released, with what is to be released next
   * @return whether it fits
   */
  public boolean admits(Ledger ledger) {
    return admits(cost(ledger));
  }

  /**
   * Whether the budget has room.
   *
   * @param spending everything released, with what is to be released next
   * @return whether it fits
   */
  public boolean admits(Spending spending) {
    double most = epsilon * ROUNDING;
    return spending.ownDelta() <= ownDelta * ROUNDING
        && (spending.largestLoss() <= most || meanHolds(spending, most));
  }

  /** The second condition of the proof. */
  private boolean meanHolds(Spending spending, double atEpsilon) {
    return !orders.isEmpty() && mean(spending, atEpsilon).holds(delta - ownDelta);
  }

  private MeanCondition mean(Spending spending, double atEpsilon) {
    return new MeanCondition(orders, spending.logMoments(), atEpsilon);
  }

  /**
   * How much of the budget is spent: the least share s for which the releases would fit even if
   * each of them cost 1/s as much. So 0.25 means that the same fits three times more.
   *
   * @param spending everything released
   * @return 0 for nothing, at most 1 where it fits; infinite where no part of the budget is enough
   */
  public double share(Spending spending) {
    double own = spending.ownDelta() == 0 ? 0 : spending.ownDelta() / ownDelta;
    double losses = spending.largestLoss() / epsilon;
    double times = orders.isEmpty() ? 0 : mean(spending, epsilon).mostTimes(delta - ownDelta);
    return Math.max(own, Math.min(losses, 1 / times));
  }

  /**
   * A bound on what releases cost by themselves, if they were fixed in advance: the best order may
   * then be chosen. An accountant that composes exactly finds less.
   *
   * @param spending of the releases
   * @return ε at the δ of the budget
   */
  public double epsilon(Spending spending) {
    double left = delta - spending.ownDelta();
    double least = left >= 0 ? spending.largestLoss() : Double.POSITIVE_INFINITY;
    for (int i = 0; i < orders.size() && left > 0; i++) {
      double order = orders.get(i).order;
      double epsilon =
          (spending.logMoments().get(i) - Math.log(left) - Math.log(order)) / (order - 1)
              + Math.log1p(-1 / order);
      least = Math.min(least, Math.max(0, epsilon));
    }
    return least;
  }

  /**
   * The least budget epsilon, with these orders, that the ledger is within.
   *
   * @param ledger everything released
   * @return infinite where the filter knows no bound
   */
  public double spent(Ledger ledger) {
    Spending spending = cost(ledger);
    if (spending.ownDelta() > ownDelta * ROUNDING) {
      return Double.POSITIVE_INFINITY;
    }
    double byMean =
        Bisection.least(e -> meanHolds(spending, e), 1e-12 * epsilon, 1e12 * epsilon, 1e-12)
            .orElse(Double.POSITIVE_INFINITY);
    return Math.min(spending.largestLoss(), byMean);
  }

  private static List<Order> orders(double epsilon, double delta) {
    if (!(delta > 0 && epsilon > 0)) {
      return List.of();
    }
    double best = bestOrder(epsilon, delta) - 1;
    List<Double> found = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    add(found, weights, 1 + best, 1);
    double weight = 1;
    for (double up = STEP; up <= WIDEST; up *= STEP) {
      weight /= FALL;
      add(found, weights, 1 + best * up, weight);
      if (1 + best / up >= LEAST_ORDER) {
        add(found, weights, 1 + best / up, weight);
      }
    }
    double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
    List<Order> orders = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      orders.add(new Order(found.get(i), weights.get(i) / sum));
    }
    orders.sort((a, b) -> Double.compare(a.order, b.order));
    return orders;
  }

  /** Whole orders from 4 on, because they are quick; sixteenths below. */
  private static void add(List<Double> found, List<Double> weights, double order, double weight) {
    double rounded =
        order >= 4 ? Math.rint(order) : Math.max(17 / 16.0, Math.rint(order * 16) / 16);
    int at = found.indexOf(rounded);
    if (at < 0) {
      found.add(rounded);
      weights.add(weight);
    } else {
      weights.set(at, weights.get(at) + weight);
    }
  }

  /** The order at which the budget has room for the most Gaussian noise. */
  private static double bestOrder(double epsilon, double delta) {
    double best = Double.NaN;
    double most = Double.NEGATIVE_INFINITY;
    for (double order : RdpAccountant.defaultOrders()) {
      double room =
          epsilon + (Math.log(delta) + Math.log(order)) / (order - 1) - Math.log1p(-1 / order);
      // Every budget needs an order, even one that has no room at any order.
      double gaussian = room > 0 ? room / order : room;
      if (gaussian > most) {
        most = gaussian;
        best = order;
      }
    }
    return best;
  }
}
