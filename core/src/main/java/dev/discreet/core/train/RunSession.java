package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.files.MadeFolders;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The privacy session of a run, on the journal that its settings ask for. A new run that fails
 * before it has charged anything, because its budget refuses it for example, leaves no file behind.
 */
final class RunSession implements AutoCloseable {
  private final PreparedRun run;
  private final PrivacySession session;
  // What to delete of a run that has charged nothing: nothing of a resumed one.
  private final NewFiles files;

  private RunSession(PreparedRun run, PrivacySession session, NewFiles files) {
    this.run = run;
    this.session = session;
    this.files = files;
  }

  /** What a new run writes while it goes on, and the folders that had to be made for that. */
  private record NewFiles(List<Path> paths, MadeFolders folders) {
    void delete() throws IOException {
      for (Path each : paths) {
        Files.deleteIfExists(each);
      }
    }
  }

  static RunSession open(PreparedRun run, boolean resumed) throws IOException {
    Optional<Path> folder = run.options().checkpoints();
    Optional<Path> checkpoint = folder.map(each -> each.resolve(RunFiles.CHECKPOINT));
    Optional<Path> file = run.journal();
    if (folder.isPresent()) {
      Check.that(
          Files.exists(file.orElseThrow()) == resumed
              && (resumed || Files.notExists(checkpoint.orElseThrow())),
          "checkpoint folder",
          resumed ? "one that a run left behind" : "without an earlier run (or resume that one)",
          folder.get());
    }
    // Before there is a file: whoever gives budgets may refuse.
    Budget budget = run.options().budgets().get();
    MadeFolders made =
        folder.isPresent() ? MadeFolders.upTo(folder.get()) : new MadeFolders(List.of());
    Journal journal = journal(file, run.plan(), resumed);
    NewFiles files =
        new NewFiles(
            resumed ? List.of() : Stream.concat(file.stream(), checkpoint.stream()).toList(), made);
    try {
      if (resumed) {
        Set<String> payers = new TreeSet<>(journal.payers());
        payers.remove("");
        budget.goesOn(payers);
      }
      return new RunSession(run, session(run.options(), journal, budget), files);
    } catch (RuntimeException e) {
      try (journal) {
        files.delete();
      }
      made.delete();
      throw e;
    }
  }

  private static Journal journal(Optional<Path> file, ResolvedPlan plan, boolean resumed) {
    if (file.isEmpty()) {
      return Journal.inMemory(plan.neighbouring());
    }
    return resumed
        ? Journal.file(file.get(), plan.neighbouring(), plan.unit())
        : Journal.newFile(file.get(), plan.neighbouring(), plan.unit());
  }

  private static PrivacySession session(TrainingOptions options, Journal journal, Budget budget) {
    Randomness randomness =
        options.insecureSeed().isPresent()
            ? Randomness.insecure(options.insecureSeed().getAsLong())
            : Randomness.secure();
    PrivacySession session =
        options.isPrivate()
            ? PrivacySession.open(journal, randomness, budget)
            : PrivacySession.nonPrivate(journal, randomness, budget);
    if (options.watchPrivate()) {
      session.watch();
    }
    return session;
  }

  PrivacySession session() {
    return session;
  }

  /** Says what the run is going to spend: a budget that has less than that refuses the run here. */
  void intend() {
    ResolvedPlan plan = run.plan();
    session.intend(
        new LedgerFile(
                plan.ledger(),
                plan.unit(),
                plan.publicNumber(),
                run.options().declaredUnits().isPresent(),
                new PldAccountant().name())
            .on(run.promise().conditions()));
  }

  @Override
  public void close() throws IOException {
    boolean unused = !files.paths().isEmpty() && session.ledger().entries().isEmpty();
    try (session) {
      if (unused) {
        // Before the journal is unlocked: a file of that name may be another run's afterwards.
        files.delete();
      }
    }
    if (unused) {
      files.folders().delete();
    }
  }
}
