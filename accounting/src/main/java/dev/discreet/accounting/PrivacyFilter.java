package dev.discreet.accounting;

/**
 * A budget for releases that are chosen one after the other, each after looking at the answers to
 * those before. Adding up afterwards what such releases cost is no bound: whoever may stop when the
 * answers look telling stops at a bad moment. A budget that was fixed before the first of them is.
 *
 * <p><b>Formal guarantee.</b> Let (ε, δ) be fixed before the first release, and let each release,
 * chosen in whatever way by what was seen, be made only if {@link #admits} holds of the ledger with
 * it. Then all that is ever released is (ε, δ)-private, whenever and why ever it ends. With δ = 0
 * that is the sum of worst losses (Rogers, Roth, Ullman and Vadhan 2016); else it is the Rényi
 * filter of one fixed order (Feldman and Zrnic 2021). The order follows from the budget alone.
 * Choosing it afterwards, as an accountant does, would again be looking first.
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
 */
@PublicApi
public record PrivacyFilter(double epsilon, double delta) {
  /**
   * The accountants' own rounding is not a breach: 0.1 and 0.2 are 0.3. So what is promised is, to
   * the last digit, this many times ε.
   */
  private static final double ROUNDING = 1 + 1e-9;

  /**
   * Refuses what is out of range.
   *
   * @param epsilon the ε of the budget, finite and greater than 0
   * @param delta the δ of the budget, in [0, 1)
   */
  public PrivacyFilter {
    Check.that(
        epsilon > 0 && Double.isFinite(epsilon), "budget epsilon", "in (0, infinity)", epsilon);
    Check.delta(delta);
  }

  /**
   * Whether the budget has room for all of a ledger.
   *
   * @param ledger everything released, with what is to be released next
   * @return whether it fits
   */
  public boolean admits(Ledger ledger) {
    return spent(ledger) <= epsilon * ROUNDING;
  }

  /**
   * The least budget epsilon, with this one's order, that the ledger is within.
   *
   * @param ledger everything released
   * @return infinite where the filter knows no bound, as for releases that have a δ of their own
   */
  public double spent(Ledger ledger) {
    if (ledger.entries().isEmpty()) {
      return 0;
    }
    if (delta == 0) {
      return TheoremAccountant.sequential().epsilon(ledger, 0).epsilon();
    }
    // A release with a δ of its own leaves less δ for the conversion. How much is left must not
    // depend on releases that were chosen on the way.
    return ledger.perPart().stream().anyMatch(part -> new RdpAccountant.Curve(part).failure > 0)
        ? Double.POSITIVE_INFINITY
        : new RdpAccountant(order()).epsilon(ledger, delta).epsilon();
  }

  /** The order at which the budget has room for the most Gaussian noise. */
  double order() {
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
