package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicRows;
import java.util.OptionalInt;

/**
 * Refuses public examples that are among the private ones, because what is learnt from them would
 * not be paid for. The answer depends on private rows, but nothing is released: only the operator
 * learns that a run was refused.
 */
public final class PublicPrivateOverlap {
  private PublicPrivateOverlap() {}

  /** Compares inputs and targets, or inputs alone where the targets are written otherwise. */
  public static void refuse(Examples publicExamples, PrivateData data) {
    refuse(publicExamples, data, publicExamples.targets() == data.targets());
  }

  /** Compares inputs alone: for sets of which different things are to be predicted. */
  public static void refuseInputs(Examples publicExamples, PrivateData data) {
    refuse(publicExamples, data, false);
  }

  private static void refuse(Examples publicExamples, PrivateData data, boolean withTargets) {
    OptionalInt found = data.find(new PublicRows(publicExamples, withTargets));
    Check.that(
        found.isEmpty(),
        "public examples",
        "none of the private ones (where other people's rows look the same:"
            + " --public-rows-are-other-people, in Java Trainer.publicRowsAreOtherPeople)",
        "public example "
            + found.orElse(0)
            + ", which has the inputs "
            + (withTargets ? "and the target " : "")
            + "of a private one (outside the guarantee, for your eyes)");
  }
}
