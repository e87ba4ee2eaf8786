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
import dev.discreet.core.privacy.Budget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** On a real server, which the tests start. */
class AccountDatabaseTest {
  private static final Purpose QUERY = new Purpose("query", "", "");
  private static final Mechanism ANSWER = new Mechanism.Laplace(8);

  /** As a session begins it. */
  private static Budget begun(Budget budget) {
    budget.begin(
        new Budget.Session(
            Neighbouring.ADD_REMOVE, true, true, Account.newRun(), Set.of(), "file"));
    return budget;
  }

  private static AccountDatabase as(String user, String name) {
    return PostgresServer.as(user, name);
  }

  private static AccountTerms terms() {
    return new AccountTerms("person", "id", Neighbouring.ADD_REMOVE, new PrivacyFilter(3, 1e-5));
  }

  @Test
  void aLineIsThereForEveryone() {
    Account account = Account.open(as("olga", "shared"), terms());
    begun(Account.at(as("ana", "shared")).budget(Account.newRun(), QUERY, "person")).charge(ANSWER);
    assertEquals(1, account.state().items().size());
    assertEquals("ana", account.state().items().get(0).by());
    assertEquals(0.125, account.state().spent().largestLoss(), 1e-12);
    account.verify(List.of(KnownRun.of(account.state().head())));
  }

  @Test
  void accountsOfOneDatabaseAreIndependent() {
    Account first = Account.open(as("olga", "first"), terms());
    Account second = Account.open(as("olga", "second"), terms());
    begun(Account.at(as("ana", "first")).budget(Account.newRun(), QUERY, "person")).charge(ANSWER);
    first.close("over");
    assertEquals(List.of(), second.state().items());
    begun(second.budget(Account.newRun(), QUERY, "person")).charge(ANSWER);
    assertEquals(1, second.state().items().size());
    second.verify(List.of());
    assertThrows(IllegalArgumentException.class, () -> first.limit(0.5));
  }

  @Test
  void aClosedAccountTakesOnlyWhatMakesItTruer() throws SQLException {
    Account account = Account.open(as("olga", "closed"), terms());
    String run = Account.newRun();
    begun(account.budget(run, QUERY, "person")).charge(ANSWER);
    account.close("over");
    KnownHead head = account.state().head();
    for (AccountEntry entry :
        List.of(new AccountEntry.Limited(1), new AccountEntry.Closed("again", null))) {
      String line =
          new AccountLine(head.length(), head.hash(), Instant.EPOCH, "olga", entry).text();
      SQLException refused =
          assertThrows(SQLException.class, () -> append("olga", "closed", head.length(), line));
      assertTrue(refused.getMessage().contains("must be open"), refused.getMessage());
    }
    account.settle(run, Optional.empty());
    account.verify(List.of());
  }

  /** A client that takes no lock is still held to the chain. */
  @Test
  void aLineThatDoesNotFollowIsRefused() throws SQLException {
    Account account = Account.open(as("olga", "chain"), terms());
    AccountState state = account.state();
    account.limit(0.9);
    String late =
        new AccountLine(
                state.head().length(),
                state.head().hash(),
                Instant.EPOCH,
                "olga",
                new AccountEntry.Limited(1))
            .text();
    for (long number : new long[] {0, 1, 2, 3}) {
      assertThrows(SQLException.class, () -> append("olga", "chain", number, late));
    }
    assertEquals(0.9, Account.at(as("olga", "chain")).state().limit());
  }

  /** Also where the server's transactions see by default only what was there at their begin. */
  @Test
  void whoWaitedSeesWhatOthersWrote() throws Exception {
    Account first = Account.open(as("olga", "waiting"), terms());
    Properties login = PostgresServer.login("olga");
    login.setProperty("options", "-c default_transaction_isolation=repeatable\\ read");
    Account second = Account.at(new AccountDatabase(PostgresServer.url(), login, "waiting"));
    CompletableFuture<?>[] waiting = {null};
    first.append(
        () -> {
          waiting[0] = CompletableFuture.runAsync(() -> second.limit(0.6));
          assertThrows(TimeoutException.class, () -> waiting[0].get(2, TimeUnit.SECONDS));
          return new AccountEntry.Limited(0.7);
        });
    waiting[0].get(30, TimeUnit.SECONDS);
    assertEquals(0.6, first.state().limit());
    assertEquals(3, first.state().head().length());
  }

  static void append(String user, String account, long number, String line) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(PostgresServer.url(), PostgresServer.login(user));
        PreparedStatement append =
            connection.prepareStatement("select public.discreet_append(?, ?, ?)")) {
      append.setString(1, account);
      append.setLong(2, number);
      append.setString(3, line);
      append.execute();
    }
  }

  @Test
  void aServerThatIsAwayIsSaidSo() {
    AccountDatabase away =
        new AccountDatabase("jdbc:postgresql://localhost:1/x", new Properties(), "people");
    UncheckedIOException failed = assertThrows(UncheckedIOException.class, () -> Account.at(away));
    assertTrue(failed.getMessage().contains("cannot be reached"), failed.getMessage());
  }

  /** The server has committed, and its answer is lost: the line counts, once. */
  @Test
  void anAnswerThatIsLostIsAskedForAgain() throws IOException {
    Account.open(as("olga", "lost"), terms());
    try (LosingProxy proxy = new LosingProxy(PostgresServer.url(), true)) {
      Account account = Account.at(PostgresServer.as(proxy.url(), "ana", "lost"));
      Budget budget = begun(account.budget(Account.newRun(), QUERY, "person"));
      proxy.loseNext();
      budget.charge(ANSWER);
      assertEquals(1, proxy.lost());
      assertEquals(0.125, account.state().spent().largestLoss(), 1e-12);
      budget.charge(ANSWER);
      assertEquals(0.25, account.state().spent().largestLoss(), 1e-12);
      budget.settle(Ledger.of(Neighbouring.ADD_REMOVE, ANSWER, 2));
    }
    Account.at(as("olga", "lost")).verify(List.of());
  }

  /** The connection is lost before the server hears: nothing is there, and nothing is released. */
  @Test
  void aRequestThatIsLostChargesNothing() throws IOException {
    Account.open(as("olga", "unsent"), terms());
    try (LosingProxy proxy = new LosingProxy(PostgresServer.url(), false)) {
      Account account = Account.at(PostgresServer.as(proxy.url(), "ana", "unsent"));
      Budget budget = begun(account.budget(Account.newRun(), QUERY, "person"));
      proxy.loseNext();
      assertThrows(UncheckedIOException.class, () -> budget.charge(ANSWER));
      assertEquals(List.of(), account.state().items());
      budget.charge(ANSWER);
      assertEquals(0.125, account.state().spent().largestLoss(), 1e-12);
    }
  }

  @Test
  void aPasswordIsNeverSaid() {
    Properties login = PostgresServer.login("ana");
    login.setProperty("password", "hunter2");
    AccountDatabase away = new AccountDatabase("jdbc:postgresql://localhost:1/x", login, "people");
    assertFalse((away.toString() + away.place()).contains("hunter2"));
    Throwable failed = assertThrows(UncheckedIOException.class, () -> Account.at(away));
    for (; failed != null; failed = failed.getCause()) {
      assertFalse(failed.toString().contains("hunter2"), failed.toString());
    }
    for (String place :
        List.of(
            "jdbc:postgresql://db/x?user=ana&password=hunter2#people",
            "jdbc:postgresql://db/x?password=hunter2",
            "jdbc:postgresql://ana:hunter2@db/x#people")) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> AccountPlaces.of(place));
      assertFalse(refused.getMessage().contains("hunter2"), refused.getMessage());
    }
  }

  @Test
  void aPlanThatGrewBeforeItWasWrittenDownIsReservedWhole() {
    Account account = Account.open(as("olga", "grown"), terms());
    String run = Account.newRun();
    Budget killed = account.budget(run, QUERY, "person");
    killed.begin(
        new Budget.Session(Neighbouring.ADD_REMOVE, true, true, "killed", Set.of(), "file"));
    killed.reserve(answers(2), none());
    Budget resumed = account.budget(run, QUERY, "person");
    resumed.begin(
        new Budget.Session(
            Neighbouring.ADD_REMOVE, true, true, "resumed", Set.of("killed"), "file"));
    resumed.reserve(answers(5), none());
    assertEquals(5 * 0.125, account.state().spent().largestLoss(), 1e-12);
  }

  private static LedgerFile answers(long count) {
    return new LedgerFile(
        Ledger.of(Neighbouring.ADD_REMOVE, ANSWER, count), "person", 100, true, "pld");
  }

  private static Ledger none() {
    return Ledger.empty(Neighbouring.ADD_REMOVE);
  }
}
