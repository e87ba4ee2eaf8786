package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.draws.Scores;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownRunTest {
  private static final String A = Account.newRun();
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Mechanism.Exponential CHOICE = new Mechanism.Exponential(0.1);
  private static final Purpose PURPOSE = new Purpose("query", "", "");

  @TempDir private Path folder;
  private Account account;
  private Path journal;

  @BeforeEach
  void open() throws IOException {
    account = open("people.account");
    journal = Files.createDirectory(folder.resolve("run")).resolve("ledger.journal");
  }

  private Account open(String name) {
    return Account.open(
        new AccountFile(folder.resolve(name)),
        new AccountTerms("person", "", RELATION, new PrivacyFilter(3, 1e-5)));
  }

  private void released(String run, int times) {
    released(account.budget(run, PURPOSE, "person"), times);
  }

  private void released(Budget budget, int times) {
    try (PrivacySession session =
        PrivacySession.open(
            Journal.file(journal, RELATION, "person"), Randomness.secure(), budget)) {
      for (int i = 0; i < times; i++) {
        session.choose(CHOICE, id -> new Scores(new long[] {1, 2}, 0, 1));
      }
    }
  }

  private String refused(Path place) {
    return assertThrows(
            IllegalArgumentException.class, () -> account.verify(List.of(KnownRun.of(place))))
        .getMessage();
  }

  @Test
  void whoSettlesWithLessThanTheJournalHasIsFound() throws IOException {
    Budget budget = account.budget(A, PURPOSE, "person");
    // It says at the end that it charged once.
    released(new EndingBudget(budget, all -> budget.settle(Ledger.of(RELATION, CHOICE, 1))), 3);
    account.verify(List.of());
    for (Path place : List.of(journal, journal.getParent())) {
      assertEquals(
          "account must be one that knows all 3 releases of "
              + place
              + " (it knows less than the run). Provided value: 1 of them",
          refused(place));
    }
  }

  @Test
  void eachRunOfASharedJournalIsCompared() throws IOException {
    released(A, 2);
    released(Account.newRun(), 2);
    assertEquals(2, KnownRun.of(journal).charged().size());
    account.verify(List.of(KnownRun.of(journal)));
  }

  @Test
  void aFinishedRunIsComparedByItsLedgerOrByWhatItWasCharged() throws IOException {
    released(A, 3);
    AccountShare share = account.state().shareOf(A);
    Path run = Files.createDirectory(folder.resolve("done"));
    for (int stated : new int[] {3, 5}) {
      Ledger ledger = Ledger.of(RELATION, CHOICE, stated);
      Files.writeString(
          run.resolve("ledger.json"), new LedgerFile(ledger, "person", 9, true, "pld").toJson());
      Map<String, Object> fields = share.fields(ledger);
      // A run that was stopped states its whole plan, and was charged what it took.
      assertEquals(stated == 5, fields.containsKey("charged"));
      Files.writeString(run.resolve("run.json"), JsonFields.write(Map.of("account", fields)));
      account.verify(List.of(KnownRun.of(run)));
    }
    Files.writeString(run.resolve("run.json"), JsonFields.write(Map.of("account", share.fields())));
    assertTrue(refused(run).endsWith("(it knows less than the run). Provided value: 3 of them"));
  }

  @Test
  void aRunOfAnotherAccountIsNotTakenForOneOfThis() throws IOException {
    released(A, 1);
    account = open("others.account");
    assertTrue(refused(journal).contains("must be a run on this account"), refused(journal));
  }

  @Test
  void aHeadAloneIsCompared() throws IOException {
    Path head = folder.resolve("kept.account.head");
    Files.writeString(head, account.state().head().text() + "\n");
    account.verify(List.of(KnownRun.of(head)));
    Files.writeString(head, "99 " + account.state().head().hash());
    assertTrue(refused(head).contains("was an old copy put back?"), refused(head));
  }

  /** An old copy has the name of the account that a run had, and not what the run remembers. */
  @Test
  void anOldCopyIsNotTheAccountThatARunHad() throws IOException {
    Path old = Files.copy(folder.resolve("people.account"), folder.resolve("old.account"));
    released(A, 1);
    Path head = Path.of(journal + ".account.head");
    Files.writeString(head, account.state().head().text() + "\n");
    KnownRun run = KnownRun.of(journal);
    assertTrue(account.isOf(run));
    assertFalse(Account.at(new AccountFile(old)).isOf(run));
    Files.delete(head);
    assertTrue(account.isOf(KnownRun.of(journal)));
    AccountFile next = new AccountFile(folder.resolve("next.account"));
    assertTrue(Account.follow(next, account.state().terms(), account).isOf(run));
  }

  @Test
  void whatWasNeverChargedToAnAccountIsRefused() throws IOException {
    Path run = Files.createDirectory(folder.resolve("apart"));
    Files.writeString(run.resolve("run.json"), "{}");
    assertTrue(refused(run).contains("one that was charged to an account"), refused(run));
    assertTrue(refused(folder.resolve("nowhere")).contains("must be there"));
    assertFalse(Files.exists(folder.resolve("nowhere")));
  }
}
