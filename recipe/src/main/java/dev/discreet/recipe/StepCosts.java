package dev.discreet.recipe;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.ResolvedPlan;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/** What the first steps of a plan cost, certified. Each cost is computed once. */
public final class StepCosts {
  private final ResolvedPlan plan;
  private final List<Mechanism> first;
  private final double delta;
  // What every step costs, where the whole is paid with the first; else NaN.
  private final double whole;
  private final ConcurrentSkipListMap<Long, Double> known = new ConcurrentSkipListMap<>();

  /**
   * @param first what is released before the first step
   */
  public StepCosts(ResolvedPlan plan, List<Mechanism> first, double delta) {
    this(plan, first, delta, Double.NaN);
  }

  private StepCosts(ResolvedPlan plan, List<Mechanism> first, double delta, double whole) {
    this.plan = plan;
    this.first = first;
    this.delta = delta;
    this.whole = whole;
  }

  /**
   * For a run that was chosen by its result, or whose end was chosen: even its first step tells of
   * that choice, so every step costs as much as the whole run.
   */
  public static StepCosts allAtOnce(ResolvedPlan plan, double epsilon) {
    return new StepCosts(plan, List.of(), Double.NaN, epsilon);
  }

  public boolean isAllAtOnce() {
    return !Double.isNaN(whole);
  }

  /**
   * The cost of the steps up to this one. Step 0 stands for what is released before the first step;
   * the last step includes all other releases of the plan. Infinite where there is no noise.
   */
  public double at(long step) {
    return plan.isPrivate()
        ? known.computeIfAbsent(
            step, s -> isAllAtOnce() ? whole : cost(s, s < plan.steps() ? first : plan.besides()))
        : Double.POSITIVE_INFINITY;
  }

  /** The cost of these steps together with all other releases of the plan. */
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

  /** An upper bound from costs that were computed before; NaN where there is none. */
  public double atMost(long step) {
    var next = known.ceilingEntry(step);
    return !plan.isPrivate()
        ? Double.POSITIVE_INFINITY
        : next == null ? Double.NaN : next.getValue();
  }

  /** How many costs to compute: with a random sensitivity, each of them takes seconds. */
  public int points(int usual) {
    return plan.clipping().estimated().isPresent() ? Math.min(4, usual) : usual;
  }
}
