package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.account.AccountHistory.Kind;
import dev.discreet.account.AccountHistory.Moment;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.privacy.Budget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountHistoryTest {
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Mechanism ANSWER = new Mechanism.Laplace(10);
  private static final PrivacyFilter CEILING = new PrivacyFilter(3, 1e-5);

  @TempDir private Path folder;
  private Account account;

  @BeforeEach
  void open() {
    account =
        Account.open(
            new AccountFile(folder.resolve("people.account")),
            new AccountTerms("person", "", RELATION, CEILING));
  }

  /** The run that a test calls so. */
  private static String named(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private Budget begun(String run) {
    Budget budget = account.budget(named(run), new Purpose("query", "", ""), "person");
    budget.begin(new Budget.Session(RELATION, true, true, "of " + run, Set.of(), "file"));
    return budget;
  }

  private static LedgerFile answers(int count) {
    return new LedgerFile(Ledger.of(RELATION, ANSWER, count), "person", 100, true, "pld");
  }

  private void isLast(int charged, int reserved, double limit) {
    List<Moment> moments = account.state().history().moments();
    Moment last = moments.get(moments.size() - 1);
    assertEquals(0.1 * charged, last.charged().largestLoss(), 1e-12);
    assertEquals(0.1 * reserved, last.reserved().largestLoss(), 1e-12);
    assertEquals(limit, last.limit());
    Spending spent = account.state().spent();
    assertEquals(spent.largestLoss(), last.spent().largestLoss(), 1e-12);
    assertEquals(spent.logMoments().get(0), last.spent().logMoments().get(0), 1e-12);
  }

  @Test
  void everyChangeOfTheSpendingIsAMoment() {
    isLast(0, 0, 1);
    begun("a").reserve(answers(5), Ledger.empty(RELATION));
    isLast(0, 5, 1);
    Budget second = begun("b");
    second.reserve(answers(4), Ledger.empty(RELATION));
    isLast(0, 9, 1);
    second.settle(Ledger.of(RELATION, ANSWER, 1));
    isLast(1, 5, 1);
    account.limit(0.5);
    isLast(1, 5, 0.5);
    account.add(new EarlierSpending("before", "", answers(2), true, Set.of()), false);
    isLast(3, 5, 0.5);
    // The run that was settled goes on: all of it is open again.
    begun("b").reserve(answers(4), Ledger.of(RELATION, ANSWER, 1));
    isLast(2, 9, 0.5);
    account.settle(named("b"), Optional.empty());
    isLast(6, 5, 0.5);
    assertEquals(8, account.state().history().moments().size());
  }

  @Test
  void whatHappensBesidesIsAnEvent() {
    account.limit(0.5);
    account.passOver(new Purpose("train", "", "runs/first"));
    account.close("the study is over");
    List<AccountHistory.Event> events = account.state().history().events();
    assertEquals(
        List.of(Kind.OPENED, Kind.LIMITED, Kind.PASSED_OVER, Kind.CLOSED),
        events.stream().map(AccountHistory.Event::kind).toList());
    assertEquals(
        List.of("", "50%", "train to runs/first", "the study is over"),
        events.stream().map(AccountHistory.Event::text).toList());
    assertEquals("passed over", events.get(2).kind().label());
  }
}
