package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.draws.Scores;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountTest {
  /** As a session begins it. */
  private static Budget begun(Budget budget, String... earlier) {
    return begunAs(Account.newRun(), budget, earlier);
  }

  private static Budget begunAs(String name, Budget budget, String... earlier) {
    budget.begin(new Budget.Session(RELATION, true, true, name, Set.of(earlier), "file"));
    return budget;
  }

  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Purpose PURPOSE = new Purpose("train", "", "");
  private static final Mechanism STEP =
      new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(1));

  @TempDir private Path folder;

  private Account open() {
    return Account.open(
        store(), new AccountTerms("person", "id", RELATION, new PrivacyFilter(3, 1e-5)));
  }

  private AccountFile store() {
    return new AccountFile(folder.resolve("people.account"));
  }

  private static LedgerFile steps(long count) {
    return new LedgerFile(Ledger.of(RELATION, STEP, count), "person", 1000, true, "pld");
  }

  private static Ledger none() {
    return Ledger.empty(RELATION);
  }

  @Test
  void whatIsReservedIsSpentUntilItIsSettled() {
    Account account = open();
    String run = Account.newRun();
    Budget budget = begun(account.budget(run, PURPOSE, "person"));
    budget.reserve(steps(1000), none());
    double reserved = account.state().share();
    assertTrue(reserved > 0.1, "" + reserved);
    for (int i = 0; i < 10; i++) {
      budget.charge(STEP);
    }
    assertEquals(reserved, account.state().share());
    budget.settle(Ledger.of(RELATION, STEP, 10));
    AccountState after = Account.at(store()).state();
    assertEquals(AccountState.Standing.SETTLED, after.run(run).orElseThrow().standing());
    assertEquals(Ledger.of(RELATION, STEP, 10), after.run(run).orElseThrow().spent().ledger());
    assertTrue(after.share() < reserved / 10, "" + after.share());
    account.verify(List.of(KnownRun.of(after.head())));
  }

  @Test
  void aRunThatDoesNotFitIsRefusedBeforeItReservesAnything() {
    Account account = open();
    begun(account.budget(Account.newRun(), PURPOSE, "person")).reserve(steps(1000), none());
    AccountState before = account.state();
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                begun(account.budget(Account.newRun(), PURPOSE, "person"))
                    .reserve(steps(100_000), none()));
    assertTrue(refused.getMessage().contains("at most its limit, 100%"), refused.getMessage());
    assertEquals(before, account.state());
  }

  @Test
  void chargesWithoutAPlanAreReservedOneByOne() {
    Account account = open();
    Budget budget = begun(account.budget(Account.newRun(), PURPOSE, "person"));
    Mechanism answer = new Mechanism.Laplace(1);
    budget.charge(answer);
    budget.charge(answer);
    assertEquals(2, account.state().spent().largestLoss(), 1e-12);
    budget.charge(answer);
    assertThrows(IllegalArgumentException.class, () -> budget.charge(answer));
  }

  @Test
  void aLimitHoldsBelowTheCeilingAndMayMove() {
    Account account = open();
    account.limit(0.3);
    Mechanism answer = new Mechanism.Laplace(1);
    Budget budget = begun(account.budget(Account.newRun(), PURPOSE, "person"));
    assertThrows(IllegalArgumentException.class, () -> budget.charge(answer));
    account.limit(0.5);
    budget.charge(answer);
    assertThrows(IllegalArgumentException.class, () -> account.limit(1.5));
  }

  @Test
  void anotherUnitOrRelationIsRefused() {
    Account account = open();
    Budget budget = begun(account.budget(Account.newRun(), PURPOSE, "person"));
    LedgerFile ofRows = new LedgerFile(Ledger.of(RELATION, STEP, 1), "row", 1000, true, "pld");
    assertThrows(IllegalArgumentException.class, () -> budget.reserve(ofRows, none()));
    Ledger replaced = Ledger.of(Neighbouring.REPLACE_ONE, STEP, 1);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            budget.reserve(
                new LedgerFile(replaced, "person", 1000, true, "pld"),
                Ledger.empty(Neighbouring.REPLACE_ONE)));
  }

  @Test
  void withoutAJournalAllThatWasReservedIsCharged() {
    Account account = open();
    String run = Account.newRun();
    begun(account.budget(run, PURPOSE, "person")).reserve(steps(1000), none());
    double share = account.state().share();
    account.settle(run, Optional.empty());
    assertEquals(share, account.state().share());
    assertEquals(AccountState.Standing.WHOLE, account.state().run(run).orElseThrow().standing());
    assertThrows(IllegalArgumentException.class, () -> account.settle(run, Optional.empty()));
  }

  /** A session that was killed: its journal is there, and nothing was settled. */
  @Test
  void theRunsOwnJournalTellsWhatGoesBack() throws IOException {
    Account account = open();
    String run = Account.newRun();
    Path file = folder.resolve("run.journal");
    PrivacySession killed =
        PrivacySession.open(
            Journal.file(file, RELATION, "person"),
            Randomness.secure(),
            EndingBudget.dying(account.budget(run, PURPOSE, "person")));
    killed.intend(
        new LedgerFile(
            Ledger.of(RELATION, new Mechanism.Laplace(10), 20), "person", 1000, true, "pld"));
    killed.choose(new Mechanism.Exponential(0.5), id -> new Scores(new long[] {1, 2}, 0, 1));
    assertEquals(2.5, account.state().spent().largestLoss(), 1e-12);
    IllegalArgumentException alive =
        assertThrows(IllegalArgumentException.class, () -> account.settle(run, Optional.of(file)));
    assertTrue(alive.getMessage().contains("one session at a time"), alive.getMessage());
    Path copy = Files.copy(file, folder.resolve("copy.journal"));
    killed.close();
    IllegalArgumentException copied =
        assertThrows(IllegalArgumentException.class, () -> account.settle(run, Optional.of(copy)));
    assertTrue(copied.getMessage().contains("copy"), copied.getMessage());
    account.settle(run, Optional.of(file));
    assertEquals(0.5, account.state().spent().largestLoss(), 1e-12);
    account.verify(List.of());
  }

  @Test
  void anothersJournalGivesNothingBack() {
    Account account = open();
    String run = Account.newRun();
    begun(account.budget(run, PURPOSE, "person")).reserve(steps(1000), none());
    for (Budget other :
        List.of(Budget.unlimited(), account.budget(Account.newRun(), PURPOSE, "person"))) {
      Path file = folder.resolve(other.getClass().getSimpleName());
      PrivacySession.open(Journal.file(file, RELATION, "person"), Randomness.secure(), other)
          .close();
      assertThrows(IllegalArgumentException.class, () -> account.settle(run, Optional.of(file)));
    }
  }

  @Test
  void seededAndUnprotectedRunsAreRefusedBeforeTheyBegin() {
    Budget budget = open().budget(Account.newRun(), PURPOSE, "person");
    assertThrows(
        IllegalArgumentException.class,
        () -> PrivacySession.open(Journal.inMemory(RELATION), Randomness.insecure(1), budget));
    assertThrows(
        IllegalArgumentException.class,
        () -> PrivacySession.nonPrivate(Journal.inMemory(RELATION), Randomness.secure(), budget));
  }

  @Test
  void aClosedAccountTakesNothing() {
    Account account = open();
    account.close("the study ended");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> account.limit(0.5));
    assertTrue(refused.getMessage().contains("the study ended"), refused.getMessage());
    assertEquals("the study ended", Account.at(store()).state().closed());
    assertThrows(
        IllegalArgumentException.class,
        () -> begun(account.budget(Account.newRun(), PURPOSE, "person")).reserve(steps(1), none()));
  }

  @Test
  void whatWasSpentBeforeCountsAndMayBreakTheCeiling() {
    Account account = open();
    account.add(new EarlierSpending("old/ledger.json", "1", steps(500), false, Set.of()), false);
    assertTrue(account.state().share() > 0.05);
    assertTrue(account.state().chosenAfterLooking().contains("after 1 of"));
    account.add(new EarlierSpending("a colleague", "", steps(1_000_000), true, Set.of()), false);
    assertEquals("more was spent than the ceiling has room for", account.state().broken());
    assertEquals(Double.POSITIVE_INFINITY, account.state().share());
    assertThrows(
        IllegalArgumentException.class,
        () -> begun(account.budget(Account.newRun(), PURPOSE, "person")).reserve(steps(1), none()));
  }

  @Test
  void changedRemovedAndMovedLinesAreFound() throws IOException {
    Account account = open();
    account.limit(0.9);
    account.limit(0.8);
    account.limit(0.7);
    Files.delete(folder.resolve("people.account.head"));
    List<String> lines = Files.readAllLines(store().path());
    List<List<String>> broken = new ArrayList<>();
    broken.add(List.of(lines.get(0), lines.get(2), lines.get(3)));
    broken.add(List.of(lines.get(0), lines.get(2), lines.get(1), lines.get(3)));
    broken.add(
        List.of(lines.get(0), lines.get(1).replace("0.9", "1.0"), lines.get(2), lines.get(3)));
    for (List<String> each : broken) {
      Files.write(store().path(), each);
      assertThrows(IllegalArgumentException.class, () -> Account.at(store()), each::toString);
    }
    // With a new checksum, too.
    String text = lines.get(1).substring(9).replace("0.9", "1.0");
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    Files.write(
        store().path(),
        List.of(
            lines.get(0),
            String.format("%08x %s", crc.getValue(), text),
            lines.get(2),
            lines.get(3)));
    assertThrows(IllegalArgumentException.class, () -> Account.at(store()));
  }

  @Test
  void anOldCopyThatIsPutBackIsFound() throws IOException {
    Account account = open();
    Path copy = folder.resolve("copy");
    Files.copy(store().path(), copy);
    account.limit(0.9);
    KnownHead remembered = account.state().head();
    Files.copy(copy, store().path(), StandardCopyOption.REPLACE_EXISTING);
    assertThrows(IllegalArgumentException.class, () -> Account.at(store()));
    Files.delete(folder.resolve("people.account.head"));
    Account old = Account.at(store());
    old.verify(List.of());
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> old.verify(List.of(KnownRun.of(remembered))));
    assertTrue(refused.getMessage().contains("old copy"), refused.getMessage());
  }

  @Test
  void aReaderBesideAWriterSeesNoOldCopy() throws Exception {
    Account writer = open();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      AtomicBoolean isDone = new AtomicBoolean();
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(
            pool.submit(
                () -> {
                  long reads = 0;
                  for (; !isDone.get(); reads++) {
                    store().after(0);
                  }
                  return reads;
                }));
      }
      for (int i = 0; i < 100; i++) {
        writer.limit(0.5);
      }
      isDone.set(true);
      for (Future<Long> each : readers) {
        assertTrue(each.get() > 0);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void onlyItsOwnerMayReadTheFile() throws IOException {
    open();
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(store().path())));
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(AccountFile.headOf(store().path()))));
  }

  @Test
  void manyAtOnceNeverPassTheCeiling() throws Exception {
    open();
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            pool.submit(
                () -> {
                  Budget budget =
                      begun(
                          Account.at(store())
                              .budget(Account.newRun(), new Purpose("query", "", ""), "person"));
                  int made = 0;
                  while (true) {
                    try {
                      budget.charge(new Mechanism.Laplace(8));
                    } catch (IllegalArgumentException e) {
                      return made;
                    }
                    made++;
                  }
                }));
      }
      int made = 0;
      for (Future<Integer> each : all) {
        made += each.get();
      }
      PrivacyFilter ceiling = new PrivacyFilter(3, 1e-5);
      int most = 1;
      while (ceiling.admits(Ledger.of(RELATION, new Mechanism.Laplace(8), most + 1))) {
        most++;
      }
      assertEquals(most, made);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aResumedRunIsNotReservedTwice() {
    Account account = open();
    String run = Account.newRun();
    begunAs("first", account.budget(run, PURPOSE, "person")).reserve(steps(1000), none());
    double share = account.state().share();
    Budget second = begunAs("second", account.budget(run, PURPOSE, "person"), "first");
    second.reserve(steps(1000), Ledger.of(RELATION, STEP, 400));
    assertEquals(share, account.state().share());
    second.settle(Ledger.of(RELATION, STEP, 400));
    assertTrue(account.state().share() < share);
    begunAs("third", account.budget(run, PURPOSE, "person"), "first", "second")
        .reserve(steps(1000), Ledger.of(RELATION, STEP, 400));
    assertEquals(share, account.state().share(), 1e-9);
  }

  private static Budget copied(Budget budget, String... earlier) {
    budget.begin(
        new Budget.Session(
            RELATION, true, true, Account.newRun(), Set.of(earlier), "another file"));
    return budget;
  }

  /** Both copies would release the steps that are left, and one reservation would pay for them. */
  @Test
  void ofTwoCopiesOfARunOneIsResumed() {
    Account account = open();
    String run = Account.newRun();
    Budget alive = begunAs("first", account.budget(run, PURPOSE, "person"));
    alive.reserve(steps(1000), none());
    double share = account.state().share();
    Budget copy = copied(account.budget(run, PURPOSE, "person"), "first");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> copy.reserve(steps(1000), Ledger.of(RELATION, STEP, 400)));
    assertTrue(refused.getMessage().contains("no copy of it"), refused.getMessage());
    copy.settle(Ledger.of(RELATION, STEP, 400));
    assertEquals(share, account.state().share(), "what was refused settles nothing");
    alive.settle(Ledger.of(RELATION, STEP, 1000));
    assertEquals(1000, steps(account, run));
  }

  /** The copy may have been made before the other went on: then more was released than it knows. */
  @Test
  void aCopyIsResumedOnTopOfWhatIsSettled() {
    Account account = open();
    String run = Account.newRun();
    Budget alive = begunAs("first", account.budget(run, PURPOSE, "person"));
    alive.reserve(steps(1000), none());
    account.settle(run, Optional.empty());
    Budget copy = copied(account.budget(run, PURPOSE, "person"), "first");
    copy.reserve(steps(1000), Ledger.of(RELATION, STEP, 400));
    assertEquals(1600, steps(account, run));
    // The first one lives on: all that it can release is counted.
    alive.settle(Ledger.of(RELATION, STEP, 1000));
    assertEquals(1600, steps(account, run));
    copy.settle(Ledger.of(RELATION, STEP, 700));
    assertEquals(1300, steps(account, run));
  }

  private static long steps(Account account, String run) {
    return account.state().run(run).orElseThrow().spent().ledger().totals().get(STEP);
  }

  /** A journal for several questions is not the bill of the last one. */
  @Test
  void eachQuestionPaysForItselfAlone() {
    Account account = open();
    Path file = folder.resolve("questions.journal");
    for (int i = 0; i < 3; i++) {
      Budget budget = account.budget(Account.newRun(), new Purpose("query", "", ""), "person");
      try (PrivacySession session =
          PrivacySession.open(
              Journal.file(file, RELATION, "person"), Randomness.secure(), budget)) {
        session.choose(new Mechanism.Exponential(0.1), id -> new Scores(new long[] {1, 2}, 0, 1));
      }
    }
    assertEquals(3, account.state().items().size());
    account
        .state()
        .items()
        .forEach(
            item -> assertEquals(1, item.spent().ledger().entries().get(0).count(), "" + item));
    assertEquals(3, Journal.read(file).ledger().entries().get(0).count());
  }
}
