package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.HeldOutScore;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import java.io.IOException;
import java.util.Optional;

/**
 * How a run begins: with its first release, or where an earlier part of it was cut short.
 *
 * @param lost steps that an earlier part has charged and that are not in the model
 * @param scored whether an earlier part has paid for the held-out score
 */
record StartingPoint(long lost, boolean scored) {

  /** Puts the state where the first step, or the next one, begins. */
  static StartingPoint of(
      PreparedRun run,
      RunSession opened,
      PrivateData rows,
      TrainingState state,
      CheckpointFolder checkpoints,
      boolean resumed)
      throws IOException {
    // A run that was cut short before its first checkpoint begins anew, with what it has left.
    Optional<Checkpoint> saved = resumed ? checkpoints.last() : Optional.empty();
    saved.ifPresent(state::restore);
    long inModel = state.step;
    opened.intend();
    PrivacySession session = opened.session();
    Ledger once = releaseFirst(run, session, rows, state, saved.isPresent());
    // A step that was charged is spent, whether it was taken or not, and an epoch that was cut
    // short is not continued.
    ResolvedPlan plan = run.plan();
    Ledger ledger = session.ledger();
    Ledger first = once;
    boolean scored =
        run.score().filter(score -> count(ledger, score) > count(first, score)).isPresent();
    once = scored ? once.plus(run.score().orElseThrow().mechanism(), 1) : once;
    long charges = charges(ledger) - charges(once);
    state.step =
        Math.min(plan.steps(), Math.max(state.step, charges * plan.sampler().stepsPerCharge()));
    Ledger planned = plan.ledger(state.step);
    for (Ledger.Entry entry : once.entries()) {
      planned = planned.plus(entry.mechanism(), entry.count());
    }
    Check.that(
        ledger.totals().equals(planned.totals()),
        "journal of a resumed run",
        "of " + state.step + " steps of its plan",
        ledger.entries());
    checkpoints.save(state);
    return new StartingPoint(state.step - inModel, scored);
  }

  private static long count(Ledger ledger, HeldOutScore score) {
    return ledger.totals().getOrDefault(score.mechanism(), 0L);
  }

  private static long charges(Ledger ledger) {
    return ledger.entries().stream().mapToLong(Ledger.Entry::count).sum();
  }

  /**
   * Makes the first release, once for all parts of a run: one that was paid for and not kept is
   * lost.
   */
  private static Ledger releaseFirst(
      PreparedRun run,
      PrivacySession session,
      PrivateData rows,
      TrainingState state,
      boolean restored) {
    Ledger none = Ledger.empty(run.plan().neighbouring());
    if (run.options().first().isEmpty()) {
      return none;
    }
    FirstRelease first = run.options().first().get();
    boolean paid = charges(session.ledger()) > 0;
    Check.that(
        paid == restored,
        "checkpoint of a resumed run",
        "there, with the first release that its journal has paid for",
        restored ? "one without" : "none");
    Ledger once = none.plus(first.mechanism(), 1);
    if (!paid) {
      first.release(session, rows, run.layout(), state.theta);
      Check.that(
          session.ledger().totals().equals(once.totals()),
          "ledger after the first release",
          "that release alone, " + once.entries(),
          session.ledger().entries());
      state.beginHere();
    }
    return once;
  }
}
