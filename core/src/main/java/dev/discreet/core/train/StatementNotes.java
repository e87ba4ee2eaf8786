package dev.discreet.core.train;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.model.Origin;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.overtime.SharedNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a privacy statement says beside the cost of its ledger: what was public, how units were
 * averaged, what else is in a model, and whose.
 */
final class StatementNotes {
  private static final String OWN =
      "What the steps of this run released of its own data would cost, had the start been public";
  private static final String NO_PROMISE = "It is no promise about this model.";

  private StatementNotes() {}

  /** How a run ended, where that is to be said. */
  static List<StatementParagraph> ended(long taken, long planned, boolean watched) {
    List<StatementParagraph> notes = new ArrayList<>();
    boolean stopped = taken < planned;
    if (stopped) {
      notes.add(
          new StatementParagraph(
              "Stopped",
              "Of the plan's "
                  + planned
                  + " steps "
                  + taken
                  + " were taken. What is stated above is the whole plan, whenever it stopped:"
                  + " the moment may depend on all that was released before."));
    }
    if (watched) {
      notes.add(
          new StatementParagraph(
              "Watched",
              "Un-noised values of private rows were shown while the run could be stopped. "
                  + (stopped
                      ? "Its length was chosen with them in view, and what it tells of them is"
                          + " outside the guarantee."
                      : "It went to its plan's end; what that tells of them is outside the"
                          + " guarantee.")));
    }
    return notes;
  }

  /** What the steps cost by themselves, of a run that began with what is not private. */
  static StatementParagraph steps(Guarantee guarantee) {
    return new StatementParagraph("Steps", OWN + ": " + guarantee + ". " + NO_PROMISE);
  }

  /** What a ledger file says to whoever finds it without its statement; empty for nothing. */
  static String start(Origin.Standing standing) {
    return switch (standing) {
      case PUBLIC -> "";
      case RELEASED -> "The cost of the private model that the run began with comes on top.";
      case NOT_PRIVATE -> OWN + ". " + NO_PROMISE;
    };
  }

  /**
   * The number of units is no secret of a run: rate, noise and steps follow from it.
   *
   * @param declared what the promise rests on; empty for nothing
   * @param score what is to be said of the rows to test on; empty for nothing
   */
  static List<StatementParagraph> of(
      TrainingOptions options,
      ResolvedPlan plan,
      String declared,
      Optional<StatementParagraph> score) {
    String unit = plan.unit();
    List<StatementParagraph> notes = new ArrayList<>();
    notes.add(
        new StatementParagraph(
            "Public",
            "The number of "
                + unit
                + "s, "
                + plan.publicNumber()
                + (", " + isPublic(options.declaredUnits().isPresent(), plan.neighbouring()))));
    if (!declared.isEmpty()) {
      notes.add(new StatementParagraph("Declared", declared));
    }
    plan.microBatches().ifPresent(batches -> notes.add(averaged(batches, unit)));
    plan.overTime().ifPresent(noise -> notes.add(shared(noise, unit)));
    score.ifPresent(notes::add);
    add(notes, options, unit);
    return notes;
  }

  static StatementParagraph publicTest(int examples) {
    return new StatementParagraph(
        "Public test",
        "Metrics in the files are of "
            + examples
            + " examples that were declared public. They are not protected.");
  }

  /** Why a number of units may be told. */
  static String isPublic(boolean declared, Neighbouring relation) {
    return declared
        ? "was declared public."
        : relation == Neighbouring.ADD_REMOVE
            ? "was taken as public because none was declared (declare one with --declared-units, or"
                + " in Java declaredUnits)."
            : "is the one there is, which " + relation.label() + " does not protect.";
  }

  private static StatementParagraph shared(SharedNoise noise, String unit) {
    return new StatementParagraph(
        "Noise over time",
        noise.bands()
            + " steps in a row have noise in common. A secret key put each "
            + unit
            + " into one of the parts that steps draw from in turn, so that it took part in one of "
            + noise.period()
            + " steps in a row at most. The ledger's entry for the steps is for all of them"
            + " together and was charged at the first: nothing of it is given back where the run is"
            + " stopped, and it cannot be resumed.");
  }

  private static StatementParagraph averaged(MicroBatches batches, String unit) {
    return new StatementParagraph(
        "Micro-batches",
        "Gradients were averaged in "
            + batches.groups()
            + " micro-batches of about "
            + batches.size()
            + ", which a secret key fixed before any lot was drawn and which were drawn whole. "
            + (unit.equals(MicroBatches.UNIT)
                ? "A micro-batch more or less moves a sum by its threshold, and is what is"
                    + " accounted. One inside it moves the sum by up to twice that, and is"
                    + " promised less."
                : "Another in the place of one "
                    + unit
                    + " changes its own micro-batch only, and moves a sum by at most twice the"
                    + " threshold: that is what is accounted, as replace-one."));
  }

  private static void add(List<StatementParagraph> notes, TrainingOptions options, String unit) {
    options.start().ifPresent(given -> notes.add(given.origin().statement(unit)));
    options.first().ifPresent(first -> notes.add(first.statement(unit)));
    options
        .transform()
        .ifPresent(
            transform ->
                notes.add(
                    new StatementParagraph(
                        "Public examples",
                        transform.publicExamples().size()
                            + " examples declared public steer the steps after their release. They"
                            + " are not protected"
                            + (options.otherPeople()
                                ? "."
                                : ", and none of them has the values of an example of this run's"
                                    + " data."))));
    if (options.otherPeople()) {
      notes.add(
          new StatementParagraph(
              "Other people",
              "It was declared that public examples which look like those of this run's data are"
                  + " other people's. They were not compared; whoever is in both is not protected"
                  + " in the public ones."));
    }
    options.optimizer().statement().ifPresent(notes::add);
  }
}
