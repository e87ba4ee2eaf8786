package dev.discreet.core.train;

import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.calibration.DefaultDelta;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Origin;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.util.Optional;

/** What a run says of itself: its promise, and what that rests on. */
record Claims(Trainer trainer, ResolvedPlan plan, PrivateData rows) {
  private static final String IN_JOURNAL =
      "Private: at the cost of its whole plan, which is in its journal, " + TrainingRun.JOURNAL;

  /**
   * @param steps taken
   * @param score what is to be said of the rows to test on
   */
  Privacy privacy(PrivacySession session, long steps, String score) {
    if (!session.isPrivate()) {
      return new Privacy.NonPrivate(session.isSecure());
    }
    long number = plan.publicNumber();
    double delta =
        plan.target()
            .map(target -> target.delta())
            .orElse(trainer.delta.orElse(DefaultDelta.of(number)));
    // The whole plan, whenever it stopped: the moment may depend on what was released before.
    PrivacyStatement statement =
        PrivacyStatement.of(plan.unit(), plan.ledger(), delta).among(number);
    String beside =
        StatementNotes.ended(steps, plan.steps(), session.isWatched())
            + StatementNotes.of(trainer, plan, declared(), score);
    LedgerFile file =
        statement
            .file(trainer.declaredUnits > 0)
            .on(conditions())
            .on(session.isWatched() ? Journal.WATCHED : "");
    return startIs(Origin.Standing.NOT_PRIVATE)
        ? new Privacy.NonPrivate(
            session.isSecure(),
            true,
            StatementNotes.steps(statement.guarantee()) + beside,
            Optional.of(file))
        : new Privacy.Guaranteed(
            file,
            statement.guarantee(),
            statement.text(),
            beside,
            session.isSecure(),
            steps < plan.steps() && session.isWatched(),
            startIs(Origin.Standing.RELEASED));
  }

  private boolean startIs(Origin.Standing standing) {
    return trainer.origin != null && trainer.origin.standing() == standing;
  }

  /** What a checkpoint says of itself. */
  String mark(PrivacySession session) {
    if (session.isPrivate() && startIs(Origin.Standing.NOT_PRIVATE)) {
      return new Privacy.NonPrivate(session.isSecure(), true, "", Optional.empty()).headline();
    }
    return session.caveat().isEmpty() ? IN_JOURNAL : session.caveat().strip();
  }

  /** What somebody declared and the promise rests on. */
  String declared() {
    return (trainer.plan.protects().declared() + " " + rows.declared(plan.unit())).strip();
  }

  /** What its ledger is no promise without. */
  String[] conditions() {
    return new String[] {
      declared(), trainer.origin == null ? "" : StatementNotes.start(trainer.origin.standing())
    };
  }

  /** What a file says of itself, with what the start of the run says: a model has both in it. */
  String carried(String line) {
    return trainer.origin == null
        ? line
        : Transfer.sentence(line) + " " + trainer.origin.provenance();
  }

  String seeds(PrivacySession session) {
    if (trainer.insecureSeed.isPresent()) {
      return "insecure: lots and noise from seed " + trainer.insecureSeed.getAsLong();
    }
    return session.isSecure()
        ? "secure: lots and noise from the system's cryptographic generator, nothing saved"
        : "insecure: an earlier part of this run used a seed";
  }
}
