package dev.discreet.core.train.internal;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.ResolvedPlan;
import java.util.Arrays;
import java.util.List;

/**
 * The clipping thresholds of a run: as the plan has them, or moved by the noised counts of each
 * step. Those are computed from releases only, so they may be told and kept.
 */
public final class Thresholds {
  private final ResolvedPlan plan;
  // Empty where the plan has them.
  private final double[] moved;

  public Thresholds(ResolvedPlan plan) {
    this.plan = plan;
    this.moved = plan.adaptive().isPresent() ? plan.thresholds(0) : new double[0];
  }

  /** Of each clipping group, at a step. */
  public double[] at(long step) {
    return plan.adaptive().isPresent() ? moved.clone() : plan.thresholds(step);
  }

  /** Those of the next step where they are adaptive, else none. */
  public List<Double> moved() {
    return Arrays.stream(moved).boxed().toList();
  }

  /**
   * Takes the counts of a step.
   *
   * @param released a noised sum; from {@code at}, twice the centred count of each group
   */
  public void move(long[] released, int at) {
    for (int g = 0; g < moved.length; g++) {
      AdaptiveClipping adaptive = plan.adaptive().orElseThrow();
      moved[g] = adaptive.next(moved[g], 0.5 * released[at + g], plan.expectedLot());
    }
  }

  /** Goes on from where a checkpoint stopped. */
  public void restore(List<Double> saved) {
    Check.that(
        saved.size() == moved.length, "saved thresholds", moved.length + " numbers", saved.size());
    for (int g = 0; g < moved.length; g++) {
      AdaptiveClipping adaptive = plan.adaptive().orElseThrow();
      Check.that(
          saved.get(g) >= adaptive.least() && saved.get(g) <= adaptive.most(),
          "saved threshold",
          "in " + Digits.numbersIn(List.of(adaptive.least(), adaptive.most())),
          saved.get(g));
      moved[g] = saved.get(g);
    }
  }
}
