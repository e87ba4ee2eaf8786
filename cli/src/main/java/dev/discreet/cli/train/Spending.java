package dev.discreet.cli.train;

import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.ResolvedPlan;
import java.util.concurrent.ConcurrentSkipListMap;

/** What the first steps of a plan cost, certified; each is asked for once. */
final class Spending {
  private final ResolvedPlan plan;
  private final double delta;
  private final ConcurrentSkipListMap<Long, Double> known = new ConcurrentSkipListMap<>();

  Spending(ResolvedPlan plan, double delta) {
    this.plan = plan;
    this.delta = delta;
    known.put(0L, 0.0);
  }

  /** Infinite where the plan has no noise. */
  double at(long step) {
    return plan.isPrivate()
        ? known.computeIfAbsent(
            step, s -> new PldAccountant().epsilon(plan.ledger(s), delta).epsilon())
        : Double.POSITIVE_INFINITY;
  }

  /** No less than what these steps cost, from what is known; NaN where nothing is yet. */
  double atMost(long step) {
    var next = known.ceilingEntry(step);
    return !plan.isPrivate()
        ? Double.POSITIVE_INFINITY
        : next == null ? Double.NaN : next.getValue();
  }

  /** How many steps' costs are worth their time: with a random sensitivity each takes seconds. */
  int points(int usual) {
    return plan.clipping() instanceof ClippingRule.Estimated ? Math.min(4, usual) : usual;
  }

  /** Finds the cost of some steps beside the training, for {@link #atMost}. */
  void prepare(int usual) {
    int points = points(usual);
    if (plan.isPrivate()) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 1; i <= points; i++) {
                  at(Math.max(1, plan.steps() * i / points));
                }
              },
              "discreet-spending");
      thread.setDaemon(true);
      thread.start();
    }
  }
}
