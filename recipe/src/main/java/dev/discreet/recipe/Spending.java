package dev.discreet.recipe;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.ResolvedPlan;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/** What the first steps of a plan cost, certified; each is asked for once. */
public final class Spending {
  private final ResolvedPlan plan;
  private final List<Mechanism> first;
  private final double delta;
  // What any step costs, where one pays for all; else not a number.
  private final double whole;
  private final ConcurrentSkipListMap<Long, Double> known = new ConcurrentSkipListMap<>();

  /**
   * @param first what is released before the first step
   */
  public Spending(ResolvedPlan plan, List<Mechanism> first, double delta) {
    this(plan, first, delta, Double.NaN);
  }

  private Spending(ResolvedPlan plan, List<Mechanism> first, double delta, double whole) {
    this.plan = plan;
    this.first = first;
    this.delta = delta;
    this.whole = whole;
  }

  /**
   * Of a run that was chosen by its end, or whose end was chosen: to see its first step is to see
   * which run it was.
   */
  public static Spending allAtOnce(ResolvedPlan plan, double epsilon) {
    return new Spending(plan, List.of(), Double.NaN, epsilon);
  }

  public boolean isAllAtOnce() {
    return !Double.isNaN(whole);
  }

  /**
   * From step 0, which has what is released before it, to the last, which has all that the plan has
   * besides. Infinite where the plan has no noise.
   */
  public double at(long step) {
    return plan.isPrivate()
        ? known.computeIfAbsent(
            step, s -> isAllAtOnce() ? whole : cost(s, s < plan.steps() ? first : plan.besides()))
        : Double.POSITIVE_INFINITY;
  }

  /** With all that the plan has besides its steps, not only what comes before them. */
  public double withBesides(long step) {
    return cost(step, plan.besides());
  }

  private double cost(long step, List<Mechanism> besides) {
    Ledger ledger = plan.ledger(step);
    for (Mechanism release : besides) {
      ledger = ledger.plus(release, 1);
    }
    return new PldAccountant().epsilon(ledger, delta).epsilon();
  }

  /** No less than what these steps cost, from what is known; NaN where nothing is yet. */
  public double atMost(long step) {
    var next = known.ceilingEntry(step);
    return !plan.isPrivate()
        ? Double.POSITIVE_INFINITY
        : next == null ? Double.NaN : next.getValue();
  }

  /** How many steps' costs are worth their time: with a random sensitivity each takes seconds. */
  public int points(int usual) {
    return plan.clipping().estimated().isPresent() ? Math.min(4, usual) : usual;
  }
}
