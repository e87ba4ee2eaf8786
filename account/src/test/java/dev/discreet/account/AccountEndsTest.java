package dev.discreet.account;

import static java.util.Locale.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.BoundedValue;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How runs on an account end, how its promise ends, and how another account goes on. */
class AccountEndsTest {
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Purpose PURPOSE = new Purpose("train", "", "");
  private static final Mechanism ANSWER = new Mechanism.Laplace(2);
  private static final AccountTerms TERMS = terms(3, RELATION);

  @TempDir private Path folder;

  private static AccountTerms terms(double epsilon, Neighbouring relation) {
    return new AccountTerms("person", "id", relation, new PrivacyFilter(epsilon, 1e-5));
  }

  private AccountFile store(String name) {
    return new AccountFile(folder.resolve(name));
  }

  private Account open() {
    return Account.open(store("people.account"), TERMS);
  }

  private static Budget begun(Account account, String run, boolean breaks) {
    Budget budget = account.budget(named(run), PURPOSE, "person", List.of(), breaks);
    budget.begin(new Budget.Session(RELATION, true, true, Account.newRun(), Set.of(), "file"));
    return budget;
  }

  /** The run that a test calls so. */
  private static String named(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static LedgerFile file(Mechanism mechanism, long count) {
    return new LedgerFile(Ledger.of(RELATION, mechanism, count), "person", 1000, true, "pld");
  }

  private static String refused(Runnable call) {
    return assertThrows(IllegalArgumentException.class, call::run).getMessage();
  }

  private static Account spent(Account account, long answers) {
    Budget budget = begun(account, Account.newRun(), false);
    budget.reserve(file(ANSWER, answers), Ledger.empty(RELATION));
    budget.settle(Ledger.of(RELATION, ANSWER, answers));
    return account;
  }

  @Test
  void whatNoOrderBoundsIsRefusedBeforeItStarts() {
    Account account = open();
    for (Mechanism unbounded :
        List.of(
            new Mechanism.EstimatedNormGaussian(2, 16),
            new Mechanism.Gaussian(0),
            new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(0)))) {
      Budget budget = begun(account, Account.newRun(), false);
      String message = refused(() -> budget.reserve(file(unbounded, 1), Ledger.empty(RELATION)));
      assertTrue(message.contains("one that its ceiling can count"), message);
    }
    assertEquals(1, account.state().head().length());
  }

  @Test
  void aReleaseThatIsInfiniteAtSomeOrdersEndsOnlyThose() {
    Account account = open();
    List<PrivacyFilter.Order> orders = TERMS.ceiling().orders();
    double best =
        orders.stream()
            .max(Comparator.comparingDouble(PrivacyFilter.Order::weight))
            .orElseThrow()
            .order();
    Mechanism known = new Mechanism.RenyiCurve(List.of(best), List.of(0.01));
    begun(account, "one", false).reserve(file(known, 1), Ledger.empty(RELATION));
    List<Double> moments = account.state().spent().logMoments();
    assertTrue(moments.stream().anyMatch(Double::isFinite));
    assertEquals(Double.POSITIVE_INFINITY, moments.get(orders.size() - 1));
    assertEquals("", account.state().broken());
    // The orders that are left still count.
    begun(account, "two", false)
        .reserve(file(new Mechanism.Gaussian(20), 1), Ledger.empty(RELATION));
    assertTrue(account.state().share() < 1);
  }

  @Test
  void aPromiseIsBrokenByNameAndBeforeTheRelease() {
    Account account = open();
    Budget budget = begun(account, "run", true);
    budget.reserve(file(ANSWER, 1), Ledger.empty(RELATION));
    assertEquals("", account.state().broken(), "what fits breaks nothing");
    budget.charge(new Mechanism.EstimatedNormGaussian(2, 16));
    assertEquals("a run was made that the ceiling has no room for", account.state().broken());
    assertEquals(Double.POSITIVE_INFINITY, account.state().share());
    String told = account.state().shareOf(named("run")).paragraph().body();
    assertTrue(told.contains("PROMISES NOTHING any more: a run was made that"), told);
    assertEquals("none", account.state().shareOf(named("run")).fields().get("guarantee"));
    // Nothing mends it.
    budget.settle(Ledger.empty(RELATION));
    assertTrue(!Account.at(store("people.account")).state().broken().isEmpty());
    assertTrue(refused(() -> begun(account, "more", false)).contains("still promises something"));
    begun(account, "more", true).charge(ANSWER);
    account.verify(List.of());
  }

  @Test
  void whatWasForcedIsNotMendedByWhatOthersGiveBack() {
    for (boolean forced : new boolean[] {true, false}) {
      Account account = Account.open(store(forced + ".account"), TERMS);
      Budget first = begun(account, "first", false);
      first.reserve(file(ANSWER, 4), Ledger.empty(RELATION));
      account.add(EarlierSpending.declared("a colleague", TERMS, 2, 0), false);
      assertEquals("more was spent than the ceiling has room for", account.state().broken());
      if (forced) {
        begun(account, "forced", true).reserve(file(ANSWER, 1), Ledger.empty(RELATION));
      }
      first.settle(Ledger.empty(RELATION));
      assertEquals(
          forced ? "a run was made that the ceiling has no room for" : "",
          Account.at(store(forced + ".account")).state().broken());
    }
  }

  private static String told(Account account) {
    return account.state().shareOf(named("run")).paragraph().body();
  }

  @Test
  void aRunSaysWhyItsAccountPromisesNothingAndWhatItDoesNotCover() {
    Account account = open();
    begun(account, "run", false).reserve(file(ANSWER, 1), Ledger.empty(RELATION));
    String whole = told(account);
    assertTrue(whole.contains("everything that is charged to it"), whole);
    assertTrue(whole.contains("unless the account is broken by name later"), whole);
    assertTrue(!whole.contains("without charging"), whole);
    account.passOver(PURPOSE);
    account.passOver(PURPOSE);
    String passed = told(account);
    assertTrue(passed.contains("used 2 times without charging it"), passed);
    account.breakFor(PURPOSE, "a run was made without noise");
    String broken = told(account);
    assertTrue(broken.contains("PROMISES NOTHING any more: a run was made without noise."), broken);
  }

  @Test
  void seedsAndRunsWithoutNoiseBreakByNameAlone() {
    for (boolean seeded : new boolean[] {true, false}) {
      Account account = Account.open(store(seeded + ".account"), TERMS);
      Budget budget = account.budget(named("run"), PURPOSE, "person", List.of(), true);
      Budget.Session session =
          new Budget.Session(RELATION, !seeded, seeded, Account.newRun(), Set.of(), "file");
      assertThrows(
          IllegalArgumentException.class,
          () -> account.budget(named("run"), PURPOSE, "person").begin(session));
      assertEquals("", account.state().broken());
      budget.begin(session);
      assertEquals(
          seeded ? "a run drew its noise from a known seed" : "a run was made without noise",
          account.state().broken());
    }
  }

  @Test
  void aRunThatSettlesForMoreThanThereIsEndsThePromise() {
    Account account = open();
    Budget budget = begun(account, "run", false);
    budget.reserve(file(ANSWER, 2), Ledger.empty(RELATION));
    budget.settle(Ledger.of(RELATION, ANSWER, 100));
    assertEquals("more was spent than the ceiling has room for", account.state().broken());
  }

  @Test
  void whatIsFullIsNotBroken() {
    Account account =
        Account.open(
            store("pure.account"),
            new AccountTerms("person", "id", RELATION, new PrivacyFilter(3, 0)));
    for (int i = 0; i < 3; i++) {
      Budget budget = begun(account, "run " + i, false);
      for (int j = 0; j < 10; j++) {
        budget.charge(new Mechanism.PureDp(0.1));
      }
    }
    assertEquals("", account.state().broken());
    assertEquals(1, account.state().share(), 1e-9);
  }

  @Test
  void whatWasSettledUnderARunIsNeverTakenBack() {
    Account account = open();
    Budget alive = begun(account, "run", false);
    alive.reserve(file(ANSWER, 4), Ledger.empty(RELATION));
    account.settle(named("run"), Optional.empty());
    alive.settle(Ledger.of(RELATION, ANSWER, 1));
    assertEquals(2, account.state().spent().largestLoss(), 1e-12);
    assertEquals(AccountState.Standing.WHOLE, account.state().items().get(0).standing());
    alive.settle(Ledger.of(RELATION, ANSWER, 5));
    assertEquals(2.5, account.state().spent().largestLoss(), 1e-12);
  }

  private record Zero() implements BoundedValue {
    @Override
    public long[] integers() {
      return new long[1];
    }

    @Override
    public int exponent() {
      return -20;
    }

    @Override
    public int[] groupEnds() {
      return new int[] {1};
    }

    @Override
    public double[] sensitivities() {
      return new double[] {1};
    }
  }

  @Test
  void nothingOfABegunEpochGoesBack() {
    Account account = Account.open(store("people.account"), terms(8, Neighbouring.ZERO_OUT));
    ResolvedPlan plan =
        PrivacyPlan.noise(4)
            .sampling(Sampling.SHUFFLED_EPOCHS)
            .neighbouring(Neighbouring.ZERO_OUT)
            .unit("person")
            .lotSize(100)
            .steps(40)
            .clip(1)
            .build()
            .forUnits(1000);
    Path journal = folder.resolve("run.journal");
    PrivacySession killed =
        PrivacySession.open(
            Journal.file(journal, Neighbouring.ZERO_OUT, "person"),
            Randomness.secure(),
            EndingBudget.dying(account.budget(named("run"), PURPOSE, "person")));
    killed.intend(new LedgerFile(plan.ledger(), "person", 1000, true, "pld"));
    for (long step = 0; step < 13; step++) {
      killed.release(plan, step, id -> new Zero());
    }
    killed.close();
    account.settle(named("run"), Optional.of(journal));
    assertEquals(
        List.of(2L),
        List.copyOf(account.state().items().get(0).spent().ledger().totals().values()),
        "two epochs were begun");
  }

  @Test
  void nothingOfASearchGoesBack() {
    Account account = open();
    Mechanism search =
        new Mechanism.BestOf(
            new RandomRuns.NegativeBinomial(1, 0.5),
            List.of(List.of(new Ledger.Entry(new Mechanism.Gaussian(8), 1))));
    Path journal = folder.resolve("search.journal");
    PrivacySession killed =
        PrivacySession.open(
            Journal.file(journal, RELATION, "person"),
            Randomness.secure(),
            EndingBudget.dying(account.budget(named("search"), PURPOSE, "person")));
    killed.chargeElsewhere(file(search, 1));
    double share = account.state().share();
    assertTrue(share > 0);
    killed.close();
    account.settle(named("search"), Optional.of(journal));
    assertEquals(share, account.state().share());
  }

  @Test
  void aFollowOnCarriesEverythingAndClosesTheOther() {
    Account before = spent(open(), 2);
    before.passOver(new Purpose("evaluate", "", ""));
    Account after = Account.follow(store("second.account"), terms(8, RELATION), before);
    assertEquals(
        List.of(new Purpose("evaluate", "", "")),
        Account.at(store("second.account")).state().passedOver());
    assertEquals(1, after.state().spent().largestLoss(), 1e-12);
    assertEquals(AccountState.Standing.SETTLED, after.state().items().get(0).standing());
    assertTrue(after.state().chosenAfterLooking().contains(before.state().id()));
    assertTrue(before.state().closed().contains("second.account"), before.state().closed());
    assertTrue(refused(() -> begun(before, "x", false)).contains("follows it"));
    after.verify(List.of());
    Budget budget = begun(after, "told", false);
    budget.charge(ANSWER);
    String told = after.state().shareOf(named("told")).paragraph().body();
    assertTrue(told.contains("chosen after looking"), told);
    spent(after, 3);
    assertEquals(3, Account.at(store("second.account")).state().spent().largestLoss(), 1e-12);
    assertEquals(after.state().id(), before.last().state().id());
  }

  /** Also by nobody who takes a run's old name again. */
  @Test
  void whatWasCarriedIsNeverReplaced() {
    Account before = open();
    Budget first = begun(before, "run", false);
    first.reserve(file(ANSWER, 2), Ledger.empty(RELATION));
    first.settle(Ledger.of(RELATION, ANSWER, 2));
    Account after = Account.follow(store("second.account"), terms(8, RELATION), before);
    Budget again = begun(after, "run", false);
    again.reserve(file(ANSWER, 2), Ledger.empty(RELATION));
    assertEquals(2, after.state().spent().largestLoss(), 1e-12);
    again.settle(Ledger.empty(RELATION));
    assertEquals(1, after.state().spent().largestLoss(), 1e-12);
    assertEquals(List.of("", named("run")), runs(after));
    Account third = Account.follow(store("third.account"), terms(9, RELATION), after);
    assertEquals(List.of("", ""), runs(third));
    assertEquals(1, third.state().spent().largestLoss(), 1e-12);
  }

  private static List<String> runs(Account account) {
    return account.state().items().stream().map(AccountState.Item::run).toList();
  }

  @Test
  void namesThatSomebodyChoseAreNoRuns() {
    Account account = open();
    for (String name : List.of("", "run", "line 1", "carried 0", named("run").toUpperCase(ROOT))) {
      assertTrue(
          refused(() -> account.budget(name, PURPOSE, "person")).contains("a random UUID"), name);
    }
  }

  @Test
  void aFollowOnThatCrashedGoesOnAtTheSamePlaceAlone() {
    Account before = spent(open(), 2);
    // What the first of the two steps leaves behind.
    FollowOn.of(before, store("second.account"), terms(8, RELATION));
    assertTrue(refused(() -> begun(before, "x", false)).contains("follows it"));
    assertThrows(IllegalArgumentException.class, before::last);
    assertTrue(
        refused(() -> Account.follow(store("third.account"), terms(8, RELATION), before))
            .contains("the one that it was closed for"));
    Account after = Account.follow(store("second.account"), terms(8, RELATION), before);
    assertEquals(after.state().id(), before.last().state().id());
    assertEquals(1, after.state().items().size());
    assertTrue(
        refused(() -> Account.follow(store("second.account"), terms(8, RELATION), before))
            .contains("a new one"));
  }

  @Test
  void whatCannotBeFollowedIsRefusedBeforeAnythingIsClosed() {
    Account before = spent(open(), 1);
    begun(before, "open", false).reserve(file(ANSWER, 1), Ledger.empty(RELATION));
    assertTrue(
        refused(() -> Account.follow(store("b.account"), terms(8, RELATION), before))
            .contains("the open run " + named("open")));
    before.settle(named("open"), Optional.empty());
    AccountTerms others = new AccountTerms("person", "name", RELATION, new PrivacyFilter(8, 1e-5));
    assertTrue(
        refused(() -> Account.follow(store("b.account"), others, before))
            .contains("by the column id"));
    assertEquals("", before.state().closed());
    // Noise for add/remove is known for replace-one, and no other way round.
    Account after = Account.follow(store("b.account"), terms(8, Neighbouring.REPLACE_ONE), before);
    assertEquals(2, after.state().spent().largestLoss(), 1e-12);
    Ledger replaced = Ledger.of(Neighbouring.REPLACE_ONE, ANSWER, 1);
    after.add(
        new EarlierSpending(
            "old", "", new LedgerFile(replaced, "person", 1000, true, "pld"), false, Set.of()),
        false);
    assertTrue(
        refused(() -> Account.follow(store("c.account"), terms(8, RELATION), after))
            .contains("no rule turns"));
    assertEquals("", after.state().closed());
    assertTrue(!Files.exists(folder.resolve("c.account")));
  }

  @Test
  void aBrokenAccountIsFollowedByABrokenOne() {
    Account before = open();
    before.breakFor(PURPOSE, "somebody asked for it");
    Account after = Account.follow(store("b.account"), terms(8, RELATION), before);
    assertEquals("the account that it follows promised nothing", after.state().broken());
  }

  @Test
  void anAccountThatItsOwnerClosedMayBeFollowedOnce() {
    Account before = spent(open(), 2);
    before.close("the study ended");
    Account.follow(store("b.account"), terms(8, RELATION), before);
    assertThrows(
        IllegalArgumentException.class,
        () -> Account.follow(store("c.account"), terms(8, RELATION), before));
    assertTrue(refused(() -> before.limit(0.5)).contains("follows it"));
    before.passOver(PURPOSE);
    assertEquals(1, Account.at(store("people.account")).state().passedOver().size());
  }

  @Test
  void runsAreImportedFromTheirFoldersOnce() throws IOException {
    Account account = open();
    Path run = Files.createDirectory(folder.resolve("run"));
    Files.writeString(run.resolve(RunFiles.LEDGER), file(ANSWER, 2).toJson());
    Files.writeString(run.resolve(RunFiles.RESULT), "{\"private\": true, \"testLoss\": 0.31}");
    EarlierSpending earlier = EarlierSpending.of(run);
    account.add(earlier, false);
    assertEquals(1, account.state().spent().largestLoss(), 1e-12);
    assertTrue(refused(() -> account.add(earlier, false)).contains("not imported before"));
    account.add(earlier, true);
    assertEquals(2, account.state().spent().largestLoss(), 1e-12);
    // Another run of the same plan has another result.
    Files.writeString(run.resolve(RunFiles.RESULT), "{\"private\": true, \"testLoss\": 0.32}");
    account.add(EarlierSpending.of(run), false);
    assertEquals(
        "Its ceiling was chosen after 3 of the entries had been released.",
        account.state().chosenAfterLooking());
    Path ledger = run.resolve(RunFiles.LEDGER);
    EarlierSpending byLedger = EarlierSpending.of(ledger);
    assertTrue(refused(() -> account.add(byLedger, false)).contains("not imported before"));
    Files.writeString(run.resolve(RunFiles.RESULT), "{\"private\": false}");
    assertThrows(IllegalArgumentException.class, () -> EarlierSpending.of(run));
    assertThrows(IllegalArgumentException.class, () -> EarlierSpending.of(ledger));
    assertThrows(IllegalArgumentException.class, () -> EarlierSpending.of(folder));
  }

  @Test
  void whatIsChargedAlreadyIsNotImported() throws IOException {
    Account account = open();
    Path run = Files.createDirectory(folder.resolve("run"));
    Path journal = run.resolve(RunFiles.JOURNAL);
    PrivacySession.open(
            Journal.file(journal, RELATION, "person"),
            Randomness.secure(),
            account.budget(named("run"), PURPOSE, "person"))
        .close();
    EarlierSpending own = EarlierSpending.of(run);
    assertTrue(refused(() -> account.add(own, false)).contains("not charged to this account"));
    Files.delete(journal);
    Files.writeString(run.resolve(RunFiles.LEDGER), file(ANSWER, 2).toJson());
    Files.writeString(
        run.resolve(RunFiles.RESULT), "{\"account\": {\"id\": \"" + account.state().id() + "\"}}");
    EarlierSpending told = EarlierSpending.of(run);
    assertTrue(refused(() -> account.add(told, false)).contains("not charged to this account"));
    EarlierSpending byLedger = EarlierSpending.of(run.resolve(RunFiles.LEDGER));
    assertTrue(refused(() -> account.add(byLedger, false)).contains("not charged to this account"));
  }

  @Test
  void aCostToARowIsACostToWhoeverHasOneRow() {
    LedgerFile ofRows =
        new LedgerFile(Ledger.of(RELATION, ANSWER, 1), "example", 1000, true, "pld");
    EarlierSpending earlier = new EarlierSpending("old", "", ofRows, false, Set.of());
    assertThrows(IllegalArgumentException.class, () -> open().add(earlier, false));
    Account account =
        Account.open(
            store("rows.account"), new AccountTerms("person", "", RELATION, TERMS.ceiling()));
    account.add(earlier, false);
    LedgerFile kept = account.state().items().get(0).spent();
    assertEquals("person", kept.unit());
    assertTrue(kept.conditionsText().contains("each person has one row"), kept.conditionsText());
  }

  @Test
  void insecureJournalsAreNotImported() {
    Path journal = folder.resolve("seeded.journal");
    PrivacySession.open(Journal.file(journal, RELATION, "person"), Randomness.insecure(1)).close();
    assertThrows(IllegalArgumentException.class, () -> EarlierSpending.of(journal));
  }

  @Test
  void somebodysWordIsMarked() {
    Account account = open();
    account.add(EarlierSpending.declared("a colleague", TERMS, 0.5, 1e-7), false);
    assertEquals(AccountState.Standing.DECLARED, account.state().items().get(0).standing());
    assertEquals(1e-7, account.state().spent().ownDelta(), 1e-12);
  }
}
