package dev.discreet.core.train;

import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.Origin;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a run says of itself: its promise, and what that rests on.
 *
 * @param people the rows that the releases of the run are computed from
 */
record RunPromise(TrainingOptions options, ResolvedPlan plan, List<PrivateData> people) {
  private static final String IN_JOURNAL =
      "Private: at the cost of its whole plan, which is in its journal, " + RunFiles.JOURNAL;

  /**
   * What the result of the run promises.
   *
   * @param whole the statement of the whole plan, whenever the run stopped: the moment may depend
   *     on what was released before
   * @param steps taken
   * @param score what is to be said of the rows to test on
   */
  Privacy privacy(
      PrivacySession session,
      Supplier<PrivacyStatement> whole,
      long steps,
      Optional<StatementParagraph> score) {
    if (!session.isPrivate()) {
      return new Privacy.NonPrivate(session.isSecure());
    }
    PrivacyStatement statement = whole.get();
    List<StatementParagraph> notes =
        new ArrayList<>(StatementNotes.ended(steps, plan.steps(), session.isWatched()));
    notes.addAll(StatementNotes.of(options, plan, declared(), score));
    LedgerFile file =
        statement
            .file(options.declaredUnits().isPresent())
            .on(conditions())
            .on(session.isWatched() ? Journal.WATCHED : "");
    if (startIs(Origin.Standing.NOT_PRIVATE)) {
      notes.add(0, StatementNotes.steps(statement.guarantee()));
      return new Privacy.NonPrivate(session.isSecure(), true, notes, Optional.of(file));
    }
    return new Privacy.Guaranteed(
        file,
        statement,
        notes,
        session.isSecure(),
        steps < plan.steps() && session.isWatched(),
        startIs(Origin.Standing.RELEASED));
  }

  boolean startIs(Origin.Standing standing) {
    return options.start().filter(given -> given.origin().standing() == standing).isPresent();
  }

  /** What a checkpoint says of itself. */
  String mark(PrivacySession session) {
    if (session.isPrivate() && startIs(Origin.Standing.NOT_PRIVATE)) {
      return new Privacy.NonPrivate(session.isSecure(), true, List.of(), Optional.empty())
          .headline();
    }
    return session.caveat().isEmpty() ? IN_JOURNAL : session.caveat().strip();
  }

  /** What somebody declared and the promise rests on. */
  String declared() {
    return String.join(" ", declarations()).strip();
  }

  private List<String> declarations() {
    return Stream.concat(
            Stream.of(options.plan().protects().declared()),
            people.stream().map(rows -> rows.declared(plan.unit())))
        .distinct()
        .toList();
  }

  /** The conditions without which the ledger promises nothing. An empty text is no condition. */
  List<String> conditions() {
    List<String> all = new ArrayList<>(declarations());
    options.start().ifPresent(given -> all.add(StatementNotes.start(given.origin().standing())));
    return all;
  }

  /** What a file says of itself, with what the start of the run says: a model has both in it. */
  String carried(String line) {
    return options.start().map(given -> given.origin().after(line)).orElse(line);
  }

  /** What the model of this run promises, with what it began with. */
  ModelPrivacy ofModel(Privacy privacy) {
    return ModelPrivacy.of(privacy, options.start().map(GivenStart::origin));
  }

  Provenance.Seeds seeds(PrivacySession session) {
    return new Provenance.Seeds(session.isSecure(), options.insecureSeed());
  }
}
