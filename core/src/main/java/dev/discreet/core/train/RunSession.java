package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens the privacy session of a run on the journal that its settings ask for. */
final class RunSession {
  static final String JOURNAL = "ledger.journal";

  private RunSession() {}

  static PrivacySession open(PreparedRun run, boolean resumed) throws IOException {
    TrainingOptions options = run.options();
    Journal journal = journal(options, run.plan(), resumed);
    Randomness randomness =
        options.insecureSeed().isPresent()
            ? Randomness.insecure(options.insecureSeed().getAsLong())
            : Randomness.secure();
    PrivacySession session =
        options.isPrivate()
            ? PrivacySession.open(journal, randomness, options.budget())
            : PrivacySession.nonPrivate(journal, randomness, options.budget());
    if (options.watchPrivate()) {
      session.watch();
    }
    return session;
  }

  /** Says what the run is going to spend: a budget that has not as much refuses it here. */
  static void intend(PreparedRun run, PrivacySession session) {
    ResolvedPlan plan = run.plan();
    session.intend(
        new LedgerFile(
                plan.ledger(),
                plan.unit(),
                plan.publicNumber(),
                run.options().declaredUnits().isPresent(),
                new PldAccountant().name())
            .on(run.claims().conditions()));
  }

  private static Journal journal(TrainingOptions options, ResolvedPlan plan, boolean resumed)
      throws IOException {
    if (options.checkpoints().isPresent()) {
      Path folder = options.checkpoints().get();
      Files.createDirectories(folder);
      Path path = folder.resolve(JOURNAL);
      Check.that(
          Files.exists(path) == resumed,
          "checkpoint folder",
          resumed ? "one that a run left behind" : "without an earlier run (or resume that one)",
          folder);
      return Journal.file(path, plan.neighbouring(), plan.unit());
    }
    if (options.journal().isPresent()) {
      Path file = options.journal().get();
      Check.that(Files.notExists(file), "journal", "a new file", file);
      return Journal.file(file, plan.neighbouring(), plan.unit());
    }
    return Journal.inMemory(plan.neighbouring());
  }
}
