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
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an account has for a run that took several sessions: everything that all of them released,
 * as this test counts it, and until it is settled also all that was reserved.
 */
class ResumedRunsTest {
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Purpose PURPOSE = new Purpose("train", "", "");
  private static final AccountTerms TERMS =
      new AccountTerms("person", "id", RELATION, new PrivacyFilter(60, 1e-5));
  private static final Mechanism ANSWER = new Mechanism.Laplace(4);
  private static final ResolvedPlan PLAN =
      PrivacyPlan.noise(2)
          .unit("person")
          .samplingRate(0.1)
          .steps(12)
          .clip(1)
          .build()
          .forUnits(1000);
  private static final LedgerFile PLANNED =
      new LedgerFile(PLAN.ledger(), "person", 1000, true, "pld");
  private static final Mechanism STEP = PLAN.mechanism(0);

  @TempDir private Path folder;

  /** How a session ends. */
  private enum End {
    /** It settles by itself. */
    SETTLED,
    /** It dies, and the next session finds the account as it is. */
    DIED,
    /** It dies, and somebody settles it by its journal. */
    DIED_AND_SETTLED
  }

  /** A run, and what it released in truth. */
  private final class Run {
    final Account account;
    final String name = Account.newRun();
    final Map<Mechanism, Long> released = new LinkedHashMap<>();
    Path journal = folder.resolve(name + ".journal");
    boolean planned = true;
    long step;

    Run(Account account) {
      this.account = account;
    }

    void session(int steps, int answers, End end) {
      Budget budget = account.budget(name, PURPOSE, "person");
      session(steps, answers, end == End.SETTLED ? budget : EndingBudget.dying(budget), end);
      if (end == End.DIED_AND_SETTLED) {
        account.settle(name, Optional.of(journal));
      }
    }

    private void session(int steps, int answers, Budget budget, End end) {
      Journal file = Journal.file(journal, RELATION, "person");
      try (PrivacySession session = PrivacySession.open(file, Randomness.secure(), budget)) {
        if (planned) {
          session.intend(PLANNED);
        }
        for (int i = 0; i < steps; i++) {
          session.release(PLAN, step++ % PLAN.steps(), id -> value(Norm.L2));
          released.merge(STEP, 1L, Long::sum);
          assertCovered();
        }
        for (int i = 0; i < answers; i++) {
          session.release(ANSWER, value(Norm.L1));
          released.merge(ANSWER, 1L, Long::sum);
          assertCovered();
        }
        if (planned) {
          assertTrue(charged().get(STEP) >= PLAN.steps(), "the whole plan is reserved");
        }
      }
      assertEquals(released, Journal.read(journal).ledger().totals(), "in the journal, " + end);
    }

    Map<Mechanism, Long> charged() {
      return item().spent().ledger().totals();
    }

    AccountState.Item item() {
      return account.state().run(name).orElseThrow();
    }

    /** At no time is more released than the account counts. */
    void assertCovered() {
      released.forEach(
          (mechanism, count) ->
              assertTrue(charged().getOrDefault(mechanism, 0L) >= count, "less than " + released));
    }

    /** That the account has what was released, neither less nor more, at what that costs. */
    void assertExact() {
      assertEquals(released, charged());
      assertEquals(AccountState.Standing.SETTLED, item().standing());
      Ledger all = Ledger.empty(RELATION);
      for (Map.Entry<Mechanism, Long> each : released.entrySet()) {
        all = all.plus(each.getKey(), each.getValue());
      }
      assertEquals(share(all), TERMS.ceiling().share(item().cost()), 1e-12);
      AccountState again = Account.at(new AccountFile(folder.resolve("a.account"))).state();
      assertEquals(released, again.run(name).orElseThrow().spent().ledger().totals(), "on disk");
      account.verify(List.of());
    }
  }

  private static double share(Ledger ledger) {
    return TERMS.ceiling().share(TERMS.cost(ledger));
  }

  private static GridVector value(Norm norm) {
    return new GridVector(new long[1], -20, norm, 1);
  }

  private Run run() {
    return new Run(Account.open(new AccountFile(folder.resolve("a.account")), TERMS));
  }

  @ParameterizedTest
  @CsvSource({
    "SETTLED, SETTLED, SETTLED",
    "DIED, DIED, SETTLED",
    "DIED, SETTLED, DIED_AND_SETTLED",
    "DIED_AND_SETTLED, SETTLED, DIED_AND_SETTLED",
    "SETTLED, DIED, DIED_AND_SETTLED",
    "DIED_AND_SETTLED, DIED, SETTLED"
  })
  void theAccountHasWhatAllSessionsReleased(End first, End second, End third) {
    for (boolean planned : new boolean[] {true, false}) {
      Run run = planned ? run() : new Run(Account.at(new AccountFile(folder.resolve("a.account"))));
      run.planned = planned;
      run.session(3, 0, first);
      run.assertCovered();
      if (first != End.DIED) {
        run.assertExact();
      }
      run.session(2, 1, second);
      run.assertCovered();
      if (second != End.DIED) {
        run.assertExact();
      }
      run.session(1, 2, third);
      run.assertExact();
      assertEquals(Map.of(STEP, 6L, ANSWER, 3L), run.charged());
    }
  }

  @Test
  void oneSessionIsChargedWhatItReleased() {
    for (End end : List.of(End.SETTLED, End.DIED_AND_SETTLED)) {
      Account account =
          end == End.SETTLED
              ? Account.open(new AccountFile(folder.resolve("a.account")), TERMS)
              : Account.at(new AccountFile(folder.resolve("a.account")));
      Run some = new Run(account);
      some.session(5, 2, end);
      some.assertExact();
      Run all = new Run(account);
      all.session(12, 0, end);
      all.assertExact();
      Run none = new Run(account);
      none.session(0, 0, end);
      none.assertExact();
    }
  }

  /** Sessions that release nothing, before, between and after, change nothing. */
  @Test
  void emptySessionsChangeNothing() {
    Run run = run();
    for (int steps : new int[] {0, 4, 0, 0, 3, 0}) {
      run.session(steps, 0, steps == 3 ? End.DIED : End.SETTLED);
    }
    run.assertExact();
    assertEquals(Map.of(STEP, 7L), run.charged());
  }

  /** A plan that is used up, or was from the beginning too small, is no bound for the account. */
  @Test
  void whatIsReleasedBeyondThePlanIsChargedToo() {
    Run run = run();
    run.session(12, 0, End.SETTLED);
    run.assertExact();
    run.session(0, 2, End.SETTLED);
    run.assertExact();
    run.session(3, 0, End.DIED);
    run.session(2, 1, End.SETTLED);
    run.assertExact();
    assertEquals(Map.of(STEP, 17L, ANSWER, 3L), run.charged());
  }

  /** Other runs of the account have nothing to do with it. */
  @Test
  void runsThatTakeTurnsAreChargedEachForItself() {
    Run one = run();
    Run other = new Run(one.account);
    Run third = new Run(one.account);
    third.planned = false;
    one.session(3, 1, End.DIED);
    other.session(1, 0, End.SETTLED);
    third.session(0, 2, End.DIED);
    one.session(2, 0, End.SETTLED);
    other.session(4, 2, End.DIED_AND_SETTLED);
    third.session(1, 1, End.SETTLED);
    one.assertExact();
    other.assertExact();
    third.assertExact();
    double all = 0;
    for (Run run : List.of(one, other, third)) {
      all += run.item().cost().largestLoss();
    }
    assertEquals(all, one.account.state().spent().largestLoss(), 1e-9);
  }

  /**
   * Without a journal all that was reserved is charged, and a session after that gives none back.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void settledWithoutAJournalStaysWhole(int later) {
    Run run = run();
    run.session(3, 0, End.SETTLED);
    run.session(2, 0, End.DIED);
    run.account.settle(run.name, Optional.empty());
    assertEquals(Map.of(STEP, 12L), run.charged());
    run.session(later, 0, End.SETTLED);
    run.assertCovered();
    assertEquals(Map.of(STEP, 12L), run.charged());
  }

  /** Who resumes copies of a journal pays for all that was released from any of them. */
  @Test
  void copiesOfAJournalAddUp() throws IOException {
    Run run = run();
    run.session(3, 0, End.SETTLED);
    Path copy = Files.copy(run.journal, folder.resolve("copy.journal"));
    run.session(2, 0, End.SETTLED);
    run.assertExact();
    // Each of the two files knows of less than was released from both, by turns.
    resume(copy, 4, run.account.budget(run.name, PURPOSE, "person"));
    assertEquals(Map.of(STEP, 9L), run.charged());
    resume(run.journal, 1, run.account.budget(run.name, PURPOSE, "person"));
    assertEquals(Map.of(STEP, 10L), run.charged());
    resume(copy, 0, run.account.budget(run.name, PURPOSE, "person"));
    assertEquals(Map.of(STEP, 10L), run.charged());
  }

  private static void resume(Path journal, int steps, Budget budget) {
    Journal file = Journal.file(journal, RELATION, "person");
    try (PrivacySession session = PrivacySession.open(file, Randomness.secure(), budget)) {
      session.intend(PLANNED);
      for (int i = 0; i < steps; i++) {
        session.release(PLAN, i, id -> value(Norm.L2));
      }
    }
  }

  /** In the journal of a planned run, which is one run, the account also pays for earlier ones. */
  @Test
  void sessionsBeforeTheAccountAreChargedWithTheRun() {
    Run run = run();
    resume(run.journal, 3, Budget.unlimited());
    run.released.put(STEP, 3L);
    run.session(2, 1, End.DIED);
    resume(run.journal, 1, Budget.unlimited());
    run.released.merge(STEP, 1L, Long::sum);
    run.session(1, 0, End.SETTLED);
    run.assertExact();
    assertEquals(Map.of(STEP, 7L, ANSWER, 1L), run.charged());
  }

  /** A run that was watched could be stopped by what was seen: its whole plan stays charged. */
  @Test
  void aWatchedRunIsChargedItsWholePlanHoweverItEnds() {
    for (End end : End.values()) {
      Account account =
          end == End.SETTLED
              ? Account.open(new AccountFile(folder.resolve("a.account")), TERMS)
              : Account.at(new AccountFile(folder.resolve("a.account")));
      Run run = new Run(account);
      run.session(3, 1, End.SETTLED);
      Budget budget = account.budget(run.name, PURPOSE, "person");
      try (PrivacySession session =
          PrivacySession.open(
              Journal.file(run.journal, RELATION, "person"),
              Randomness.secure(),
              end == End.SETTLED ? budget : EndingBudget.dying(budget))) {
        session.intend(PLANNED);
        session.watch();
        session.release(PLAN, 3, id -> value(Norm.L2));
      }
      if (end == End.DIED_AND_SETTLED) {
        account.settle(run.name, Optional.of(run.journal));
      }
      assertEquals(Map.of(STEP, 12L, ANSWER, 1L), run.charged(), end.toString());
    }
  }

  /** A settled run is settled: nobody takes a charge back by settling it again. */
  @Test
  void settlingAgainIsRefusedOrChangesNothing() {
    Run run = run();
    run.session(3, 1, End.SETTLED);
    assertThrows(
        IllegalArgumentException.class, () -> run.account.settle(run.name, Optional.empty()));
    assertThrows(
        IllegalArgumentException.class,
        () -> run.account.settle(run.name, Optional.of(run.journal)));
    run.assertExact();
    Budget stale = run.account.budget(run.name, PURPOSE, "person");
    run.session(2, 0, End.SETTLED);
    stale.settle(Ledger.empty(RELATION));
    run.assertExact();
  }
}
