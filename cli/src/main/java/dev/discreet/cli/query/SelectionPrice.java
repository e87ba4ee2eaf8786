package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.query.KeySelection;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.cli.console.DeltaOption;
import dev.discreet.cli.console.SingleMechanism;
import dev.discreet.core.privacy.draws.KeyOdds;

/**
 * How a price is split where keys are selected before the question is asked in their cells: half of
 * ε for each. Laplace noise has no use for a δ, so all of it selects; Gaussian noise takes half.
 *
 * @param epsilon of both together
 * @param delta of both together
 */
record SelectionPrice(double epsilon, double delta, boolean isGaussian) {
  /** What selects has a little less: at its very δ no accountant finds the ε of it and others. */
  private static final double LESS = 1 - 0x1p-30;

  static SelectionPrice of(FrameOptions frame) {
    SingleMechanism mechanism = frame.mechanism();
    Check.that(
        mechanism != SingleMechanism.CLASSICAL_GAUSSIAN,
        "mechanism",
        "one of laplace, gaussian",
        "classical-gaussian");
    Check.that(
        frame.delta() > 0,
        DeltaOption.NAME,
        "above 0 with --by-undeclared: about the chance that what one unit alone has is shown",
        frame.delta());
    return new SelectionPrice(
        frame.epsilon(), frame.delta(), mechanism == SingleMechanism.GAUSSIAN);
  }

  /** Of a part, where it is tried what fits, never less than a selection costs. */
  private double half(double part, int keysPerUnit) {
    double all = epsilon / 2;
    // Under replace-one a neighbour differs in twice as many keys.
    double least = Math.min(all, 2 * KeyOdds.LEAST_EPSILON * keysPerUnit);
    return part == 1 ? all : Math.max(least, part * all);
  }

  KeySelection selection(double part, int keysPerUnit) {
    double selecting = LESS * (isGaussian ? delta / 2 : delta);
    return new KeySelection(half(part, keysPerUnit), selecting, keysPerUnit);
  }

  /** The noise of the answers. */
  Protection measure(double part, int keysPerUnit) {
    double half = half(part, keysPerUnit);
    return isGaussian ? new Protection.Gaussian(half, delta / 2) : new Protection.Laplace(half);
  }
}
