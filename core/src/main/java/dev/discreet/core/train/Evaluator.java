package dev.discreet.core.train;

import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.HeldOutScore;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.privacy.PrivacySession;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How a run's model does on its test set, on the way and at the end, and who is told. */
final class Evaluator implements AutoCloseable {
  private final PreparedRun run;
  private final TestSet test;
  private final RunListeners listeners;
  // Null without a test set on this machine.
  private final PublicGradients gradients;
  private boolean scored;

  /** A bad row that is public is refused here, before anything is spent or written. */
  Evaluator(PreparedRun run, RunListeners listeners, float[] parameters) {
    this.run = run;
    this.test = run.test();
    this.listeners = listeners;
    this.gradients =
        test == null || !test.isHere() ? null : run.engine().open(run.layout(), test.examples());
    if (gradients != null && isPublic()) {
      try {
        evaluation(parameters);
      } catch (RuntimeException e) {
        gradients.close();
        throw e;
      }
    }
  }

  /** In a run that protects no one all may be seen. */
  private boolean isPublic() {
    return test != null
        && (test.people().isEmpty() || (!run.options().isPrivate() && test.released().isPresent()));
  }

  /** Whether results may be told while the run can still be stopped. */
  boolean onTheWay() {
    return isPublic() || listeners.seesAll();
  }

  private Evaluation evaluation(float[] parameters) {
    return Evaluation.of(gradients, run.layout(), parameters, test.examples());
  }

  void evaluate(TrainingState state) {
    if (gradients == null) {
      return;
    }
    if (isPublic()) {
      Event.Evaluated event = new Event.Evaluated(state.step, evaluation(state.model()));
      state.add(event);
      listeners.tell(event);
      return;
    }
    Event.OperatorOnly event;
    try {
      event = new Event.HeldOut(state.step, evaluation(state.model()));
    } catch (RuntimeException e) {
      // The budget is spent: a bad row or a lost file must not take the model with it.
      event = new Event.NotEvaluated(state.step, String.valueOf(e.getMessage()));
    }
    listeners.tell(event);
  }

  /** An earlier part of this run has paid for the held-out score. */
  void isScored(boolean before) {
    scored = before;
  }

  /** What became of the held-out score, before the next step. */
  Event.Score score(TrainingState state) {
    if (run.score().isEmpty()) {
      return Event.Score.NONE;
    }
    boolean kept = state.heldOut.isPresent() && state.step == run.plan().steps();
    return !scored ? Event.Score.TO_COME : kept ? Event.Score.KEPT : Event.Score.SPENT;
  }

  /**
   * Releases the held-out score: once, and charged before it is computed. Where an earlier part of
   * this run has paid, there is no second one: what it paid for is in the checkpoint, or lost, or
   * of a model that was trained on.
   */
  void release(PrivacySession session, TrainingState state, CheckpointFolder checkpoints)
      throws IOException {
    if (run.score().isEmpty() || scored) {
      return;
    }
    HeldOutScore asked = run.score().get();
    HeldOutScore.Outcome outcome =
        asked.release(session, run.engine(), run.layout(), state.model());
    scored = true;
    state.heldOut = Optional.of(outcome.score());
    checkpoints.save(state);
    listeners.tell(new Event.HeldOutReleased(state.step, outcome.score()));
    if (outcome.refused() > 0) {
      listeners.tell(new Event.RefusedExamples(state.step, outcome.refused()));
    }
  }

  /** What a privacy statement says of the rows to test on; empty for nothing. */
  Optional<StatementParagraph> statement(Optional<NoisyScore> score) {
    if (scored) {
      return Optional.of(run.score().orElseThrow().statement(run.plan().unit(), score));
    }
    return test != null && test.people().isEmpty()
        ? Optional.of(StatementNotes.publicTest(test.examples().size()))
        : Optional.empty();
  }

  /** In order of time, those of earlier parts of the run included; none unless they are public. */
  List<Event.Evaluated> evaluations(TrainingState state) {
    return isPublic() ? state.evaluations : List.of();
  }

  @Override
  public void close() {
    if (gradients != null) {
      gradients.close();
    }
  }
}
