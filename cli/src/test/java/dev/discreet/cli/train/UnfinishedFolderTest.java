package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.recipe.OutFolder;
import dev.discreet.recipe.UnfinishedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was charged is on the disk from before the first release until the files are. */
class UnfinishedFolderTest {
  private static final Ledger ONE =
      Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(2), 1);

  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();

  private OutFolder out() {
    return new OutFolder(folder.resolve("deep/run"), false);
  }

  private <T> T during(UnfinishedFolder.Work<T> work) throws IOException {
    return UnfinishedFolder.during(out(), "epsilon 1 at delta 1e-5", 1e-5, said::add, work);
  }

  private static void charge(Path file) {
    Journal journal = Journal.file(file, Neighbouring.ADD_REMOVE);
    try (PrivacySession session = PrivacySession.open(journal, Randomness.secure())) {
      session.chargeElsewhere(new LedgerFile(ONE, "row", 0, false, ""));
    }
  }

  @Test
  void itGoesWhenAllIsWritten() throws IOException {
    during(
        journal -> {
          charge(journal);
          assertEquals(
              List.of("NOT-FINISHED.txt", "ledger.journal"), Small.names(journal.getParent()));
          return out().write(inside -> Files.writeString(inside.resolve("run.json"), "{}"));
        });
    assertEquals(List.of("run"), Small.names(folder.resolve("deep")));
    assertEquals(List.of(), said);
  }

  @Test
  void aFailureBeforeAnyChargeLeavesNothing() throws IOException {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            during(
                journal -> {
                  throw new IllegalArgumentException("a bad row");
                }));
    assertEquals(List.of(), Small.names(folder));
    assertEquals(List.of(), said);
  }

  /** And no later run takes its place. */
  @Test
  void aFailureAfterAChargeLeavesTheJournalAndSaysWhere() throws IOException {
    for (String name : List.of("run.unfinished", "run.unfinished-2")) {
      assertThrows(
          IllegalStateException.class,
          () ->
              during(
                  journal -> {
                    charge(journal);
                    throw new IllegalStateException("crash");
                  }));
      Path left = folder.resolve("deep").resolve(name);
      assertEquals(ONE, Journal.read(left.resolve("ledger.journal")).ledger());
      assertTrue(said.get(said.size() - 1).endsWith(name), said.toString());
      String note = Files.readString(left.resolve("NOT-FINISHED.txt"));
      assertTrue(note.contains("counts as spent: epsilon 1 at delta 1e-5."), note);
    }
    assertTrue(
        said.get(1)
            .contains(
                "run.unfinished is of a run that was cut short: what that charged is spent too"),
        "" + said);
    assertEquals("run.unfinished-3", "" + UnfinishedFolder.place(out()).getFileName());
  }

  /** As people name it, from where they are. */
  @Test
  void aPlaceMayBeNamedFromHere() {
    Path here = Path.of("").toAbsolutePath();
    OutFolder out = new OutFolder(Path.of("no-such-run"), false);
    assertEquals(here.resolve("no-such-run.unfinished"), UnfinishedFolder.place(out));
  }
}
