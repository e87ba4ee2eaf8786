package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Units;
import java.io.Serializable;
import java.util.Arrays;

/**
 * What happens to a unit's gradient before it enters the sum; fixed for a run.
 *
 * @param group for each slice of the layout, the clipping group it belongs to, or −1 for a frozen
 *     one, which has no gradient
 * @param decay λ of weight decay before clipping: λθ is added to each unit's gradient, once
 * @param decayed for each slice, whether λ applies to it
 * @param counted whether the sum also has, for each group, how many units stayed below its
 *     threshold: what adaptive clipping goes by
 * @param averaged whether a unit's gradient is the mean over its examples; else it is their sum
 * @param augmentation the views that stand for an example: its gradient is the mean over them
 */
public record UnitRule(
    ClippingRule clipping,
    int[] group,
    double decay,
    boolean[] decayed,
    boolean counted,
    boolean averaged,
    Augmentation augmentation)
    implements Serializable {
  /**
   * Between this and its inverse no product of a factor and a gradient that a norm admits leaves
   * the range of a float, or loses more to underflow than {@link Grid#SHRINK} leaves room for.
   */
  private static final double SMALLEST_THRESHOLD = 0x1p-50;

  public UnitRule {
    Check.that(group.length == decayed.length, "decayed", "given for each slice", decayed.length);
    Check.that(
        decay >= 0 && Double.isFinite(decay), "weight decay", "finite and at least 0", decay);
    if (clipping.estimated().isPresent()) {
      Check.that(decay == 0, "weight decay before clipping", "0 where norms are estimated", decay);
      int groups = 1 + Arrays.stream(group).max().orElse(-1);
      Check.that(groups <= 1, "clipping groups", "1 where norms are estimated", groups);
      Check.that(!counted, "counts of norms", "absent where norms are estimated", counted);
      Check.that(
          !augmentation.hasViews(), "views", "1 where norms are estimated", augmentation.views());
    }
    group = group.clone();
    decayed = decayed.clone();
  }

  /** Without views. */
  public UnitRule(
      ClippingRule clipping,
      int[] group,
      double decay,
      boolean[] decayed,
      boolean counted,
      boolean averaged) {
    this(clipping, group, decay, decayed, counted, averaged, Augmentation.NONE);
  }

  /** Without averaging. */
  public UnitRule(
      ClippingRule clipping, int[] group, double decay, boolean[] decayed, boolean counted) {
    this(clipping, group, decay, decayed, counted, false);
  }

  /** Without averaging and counts. */
  public UnitRule(ClippingRule clipping, int[] group, double decay, boolean[] decayed) {
    this(clipping, group, decay, decayed, false);
  }

  /** One group, nothing frozen, no decay. */
  public static UnitRule flat(Layout layout) {
    int slices = layout.slices().size();
    return new UnitRule(new ClippingRule.Flat(), new int[slices], 0, new boolean[slices]);
  }

  /** The same rule with views. */
  public UnitRule with(Augmentation views) {
    return new UnitRule(clipping, group, decay, decayed, counted, averaged, views);
  }

  /** Refuses what no engine can sum, before anything is spent. */
  public void check(Layout layout, PrivateData data) {
    Check.that(
        data.input().equals(layout.input()),
        "input of the examples",
        "the network's " + layout.input(),
        data.input());
    ExampleReader.checkTargets(layout, data.targets());
    augmentation.check(layout);
    Check.that(clipping.bounds(), "clipping", "a rule that bounds", "none");
    Check.that(groups() >= 1, "trainable parameters", "at least one", "none");
  }

  /** Refuses units whose norms this rule cannot tell. */
  public void check(Units units) {
    for (int i = 0; clipping.estimated().isPresent() && i < units.count(); i++) {
      Check.that(
          units.size(i) <= 1, "examples of a unit", "1 where norms are estimated", units.size(i));
    }
  }

  /** Refuses a step that this rule cannot have, or whose sums the grid has no room for. */
  public void check(StepRequest request, Grid grid) {
    Check.that(
        request.thresholds().length == groups(),
        "thresholds",
        "one for each of " + groups() + " clipping groups",
        request.thresholds().length);
    for (double threshold : request.thresholds()) {
      Check.that(
          threshold >= SMALLEST_THRESHOLD && threshold <= 1 / SMALLEST_THRESHOLD,
          "threshold",
          "in [2^-50, 2^50]",
          threshold);
      double room = Math.scalb(1.0, grid.exponent() + 30);
      Check.that(
          clipping.most() * threshold * grid.capacity() <= room,
          "threshold",
          "such that a chunk's sum fits the grid, at most "
              + Digits.shortest(room / grid.capacity()),
          threshold);
    }
    checkNoise(request.noiseBeforeClipping());
  }

  /** Refuses noise before clipping where this rule cannot have it. */
  public void checkNoise(double deviation) {
    Check.that(
        clipping.estimated().isEmpty() || deviation == 0,
        "noise before clipping",
        "0 where norms are estimated",
        deviation);
  }

  public int groups() {
    return 1 + Arrays.stream(group).max().orElse(-1);
  }

  /** How many counts the sum has behind its coordinates. */
  public int counts() {
    return counted ? groups() : 0;
  }

  /**
   * What one unit adds to a group's count: 2·(1[‖g‖ ≤ C] − ½). A unit that was refused, like one
   * without examples, adds 0 as it does everywhere: it is then the same as one that is zeroed out,
   * and a bug that makes norms infinite does not drive the threshold up.
   *
   * @param norm of what is clipped, after decay and noise before clipping
   * @param threshold what the rule was given
   */
  public static int count(double norm, double threshold) {
    return norm <= threshold ? 1 : -1;
  }
}
