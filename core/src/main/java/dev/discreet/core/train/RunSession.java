package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.files.MadeFolders;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The privacy session of a run, on the journal that its settings ask for. A new run that fails
 * before it has charged anything, because its budget refuses it for example, leaves no file behind.
 */
final class RunSession implements AutoCloseable {
  private final PreparedRun run;
  private final PrivacySession session;
  // What to delete of a run that has charged nothing: nothing of a resumed one.
  private final List<Path> files;
  private final MadeFolders folders;

  private RunSession(
      PreparedRun run, PrivacySession session, List<Path> files, MadeFolders folders) {
    this.run = run;
    this.session = session;
    this.files = files;
    this.folders = folders;
  }

  static RunSession open(PreparedRun run, boolean resumed) throws IOException {
    TrainingOptions options = run.options();
    ResolvedPlan plan = run.plan();
    if (options.checkpoints().isPresent()) {
      Path folder = options.checkpoints().get();
      Path path = folder.resolve(RunFiles.JOURNAL);
      Check.that(
          Files.exists(path) == resumed,
          "checkpoint folder",
          resumed ? "one that a run left behind" : "without an earlier run (or resume that one)",
          folder);
      MadeFolders made = MadeFolders.upTo(folder);
      return of(
          run,
          Journal.file(path, plan.neighbouring(), plan.unit()),
          resumed ? List.of() : List.of(path, folder.resolve(CheckpointFolder.FILE)),
          made);
    }
    MadeFolders none = new MadeFolders(List.of());
    if (options.journal().isPresent()) {
      Path file = options.journal().get();
      Check.that(Files.notExists(file), "journal", "a new file", file);
      return of(run, Journal.file(file, plan.neighbouring(), plan.unit()), List.of(file), none);
    }
    return of(run, Journal.inMemory(plan.neighbouring()), List.of(), none);
  }

  private static RunSession of(
      PreparedRun run, Journal journal, List<Path> files, MadeFolders folders) {
    TrainingOptions options = run.options();
    Randomness randomness =
        options.insecureSeed().isPresent()
            ? Randomness.insecure(options.insecureSeed().getAsLong())
            : Randomness.secure();
    PrivacySession session =
        options.isPrivate()
            ? PrivacySession.open(journal, randomness, options.budgets().get())
            : PrivacySession.nonPrivate(journal, randomness, options.budgets().get());
    if (options.watchPrivate()) {
      session.watch();
    }
    return new RunSession(run, session, files, folders);
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
    session.close();
    if (!files.isEmpty() && session.ledger().entries().isEmpty()) {
      for (Path each : files) {
        Files.deleteIfExists(each);
      }
      folders.delete();
    }
  }
}
