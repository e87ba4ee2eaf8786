package dev.discreet.core.train;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.model.Origin;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.StatementParagraph;

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
  static String ended(long taken, long planned, boolean watched) {
    boolean stopped = taken < planned;
    return (stopped
            ? StatementParagraph.of(
                "Stopped: Of the plan's "
                    + planned
                    + " steps "
                    + taken
                    + " were taken. What is stated above is the whole plan, whenever it stopped:"
                    + " the moment may depend on all that was released before.")
            : "")
        + (watched
            ? StatementParagraph.of(
                "Watched: Un-noised values of private rows were shown while the run could be"
                    + " stopped. "
                    + (stopped
                        ? "Its length was chosen with them in view, and what it tells of them is"
                            + " outside the guarantee."
                        : "It went to its plan's end; what that tells of them is outside the"
                            + " guarantee."))
            : "");
  }

  /** Of a run that began with what is not private: what its steps cost by themselves. */
  static String steps(Guarantee guarantee) {
    return StatementParagraph.of("Steps: " + OWN + ": " + guarantee + ". " + NO_PROMISE);
  }

  /** What a ledger file says that is found without its statement; empty for nothing. */
  static String start(Origin.Standing standing) {
    return switch (standing) {
      case PUBLIC -> "";
      case RELEASED -> "The cost of the private model that the run began with comes on top.";
      case NOT_PRIVATE -> OWN + ". " + NO_PROMISE;
    };
  }

  /**
   * Rate, noise and steps follow from the number of units: it is no secret of a run.
   *
   * @param declared what the promise rests on; empty for nothing
   * @param score what is to be said of the rows to test on; empty for nothing
   */
  static String of(TrainingOptions options, ResolvedPlan plan, String declared, String score) {
    String unit = plan.unit();
    return StatementParagraph.of(
            "Public: The number of "
                + unit
                + "s, "
                + plan.publicNumber()
                + (", " + isPublic(options.declaredUnits().isPresent(), plan.neighbouring())))
        + (declared.isEmpty() ? "" : StatementParagraph.of("Declared: " + declared))
        + plan.microBatches().map(batches -> averaged(batches, unit)).orElse("")
        + score
        + of(options, unit);
  }

  static String publicTest(int examples) {
    return StatementParagraph.of(
        "Public test: Metrics in the files are of "
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

  private static String averaged(MicroBatches batches, String unit) {
    return "\nMicro-batches: Gradients were averaged in "
        + batches.groups()
        + " micro-batches of about "
        + batches.size()
        + ", which a secret key fixed\n  before any lot was drawn and which were drawn whole. "
        + (unit.equals(MicroBatches.UNIT)
            ? "A micro-batch more or less moves a sum\n"
                + "  by its threshold, and is what is accounted. One inside it moves the sum by"
                + " up to twice that,\n"
                + "  and is promised less.\n"
            : "Another in the place\n  of one "
                + unit
                + " changes its own micro-batch only, and moves a sum by\n"
                + "  at most twice the threshold: that is what is accounted, as replace-one.\n");
  }

  private static String of(TrainingOptions options, String unit) {
    StringBuilder text = new StringBuilder();
    options.start().ifPresent(given -> text.append(given.origin().statement(unit)));
    options.first().ifPresent(first -> text.append(StatementParagraph.of(first.statement(unit))));
    options
        .transform()
        .ifPresent(
            transform ->
                text.append(
                    StatementParagraph.of(
                        "Public examples: "
                            + transform.publicExamples().size()
                            + " examples declared public steer the steps after their release. They"
                            + " are not protected"
                            + (options.otherPeople()
                                ? "."
                                : ", and none of them has the values of an example of this run's"
                                    + " data."))));
    if (options.otherPeople()) {
      text.append(
          StatementParagraph.of(
              "Other people: It was declared that public examples which look like those of this"
                  + " run's data are other people's. They were not compared; whoever is in both is"
                  + " not protected in the public ones."));
    }
    if (!options.optimizer().statement().isEmpty()) {
      text.append(StatementParagraph.of(options.optimizer().statement()));
    }
    return text.toString();
  }
}
