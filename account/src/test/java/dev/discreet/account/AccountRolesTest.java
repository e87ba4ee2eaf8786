package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.privacy.Budget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What a role may not do, though it speaks to the database without us. */
class AccountRolesTest {
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Purpose QUERY = new Purpose("query", "", "");
  private static final Mechanism ANSWER = new Mechanism.Laplace(8);
  private static final PrivacyFilter CEILING = new PrivacyFilter(3, 1e-5);
  private static final Spending ONE = CEILING.cost(Ledger.of(RELATION, ANSWER, 1));
  private static final String NAME = "roles";

  @BeforeAll
  static void open() {
    Account.open(
        PostgresServer.as("olga", NAME), new AccountTerms("person", "id", RELATION, CEILING));
  }

  private static Account as(String user) {
    return Account.at(PostgresServer.as(user, NAME));
  }

  /** A run of somebody's that has reserved a number of answers. */
  private static String reserved(String user, long answers) {
    String run = Account.newRun();
    Budget budget = as(user).budget(run, QUERY, "person");
    budget.begin(new Budget.Session(RELATION, true, true, Account.newRun(), Set.of(), "file"));
    budget.reserve(planned(answers), Ledger.empty(RELATION));
    return run;
  }

  private static LedgerFile planned(long answers) {
    return new LedgerFile(Ledger.of(RELATION, ANSWER, answers), "person", 100, true, "pld");
  }

  private static AccountEntry settled(
      String run, long answers, Spending cost, AccountEntry.Proof proof) {
    return new AccountEntry.Settled(run, Ledger.of(RELATION, ANSWER, answers), cost, proof);
  }

  private static String line(String by, AccountEntry entry) {
    KnownHead head = as("olga").state().head();
    return new AccountLine(head.length(), head.hash(), Instant.EPOCH, by, entry).text();
  }

  private static void append(String user, String line) throws SQLException {
    AccountDatabaseTest.append(user, NAME, as("olga").state().head().length(), line);
  }

  private static void refused(String why, String user, String line) {
    SQLException refused = assertThrows(SQLException.class, () -> append(user, line), line);
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  @Test
  void analystsReserveAndSettleTheirOwn() {
    String run = reserved("ana", 2);
    as("ana").settle(run, Optional.empty());
    assertEquals("ana", as("bob").state().run(run).orElseThrow().by());
    as("ana").passOver(QUERY);
  }

  @Test
  void onlyOwnersDoTheRest() {
    Account ana = as("ana");
    assertThrows(IllegalArgumentException.class, () -> ana.limit(0.5));
    assertThrows(IllegalArgumentException.class, () -> ana.close("no more"));
    assertThrows(
        IllegalArgumentException.class,
        () -> ana.add(new EarlierSpending("old", "", planned(1), true, Set.of()), false));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Account.open(
                PostgresServer.as("ana", "another"),
                new AccountTerms("person", "id", RELATION, CEILING)));
    String owners = "role must be discreet_owner";
    refused(owners, "ana", line("ana", new AccountEntry.Limited(1)));
    refused(owners, "ana", line("ana", new AccountEntry.Imported("me", "", planned(1), ONE, true)));
    refused(owners, "ana", line("ana", new AccountEntry.Broken(QUERY, "why not")));
    refused(owners, "ana", line("ana", new AccountEntry.Listed(new ListedFile("a.csv", "a", "b"))));
    refused(owners, "ana", line("ana", new AccountEntry.Closed("over", null)));
    as("olga").limit(0.9);
    refused(
        "first line",
        "olga",
        line(
            "olga",
            new AccountEntry.Opened(
                "x", as("olga").state().terms(), "", List.of(), "", List.of())));
  }

  @Test
  void anothersRunIsOutOfReach() {
    String run = reserved("ana", 2);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> as("bob").settle(run, Optional.empty()));
    assertTrue(refused.getMessage().contains("one of your own"), refused.getMessage());
    // Whoever could add to a run could then say that it is their own.
    refused(
        "one of your own",
        "bob",
        line("bob", new AccountEntry.Reserved(run, "s", "file", QUERY, planned(1), ONE)));
    refused("one of your own", "bob", line("bob", new AccountEntry.Resumed(run, "s", "file")));
    refused("who is logged in", "bob", line("ana", settled(run, 1, ONE, AccountEntry.Proof.RUN)));
    as("olga").settle(run, Optional.empty());
  }

  /** Also after an owner has settled the run for less and closed the account. */
  @Test
  void theTruthIsTakenFromWhoseRunItIs() throws SQLException {
    Account owners =
        Account.open(
            PostgresServer.as("olga", "truth"),
            new AccountTerms("person", "id", RELATION, CEILING));
    String run = Account.newRun();
    Budget alive = Account.at(PostgresServer.as("ana", "truth")).budget(run, QUERY, "person");
    alive.begin(new Budget.Session(RELATION, true, true, Account.newRun(), Set.of(), "file"));
    alive.reserve(planned(4), Ledger.empty(RELATION));
    for (long told : new long[] {2, 3}) {
      KnownHead head = owners.state().head();
      String line =
          new AccountLine(
                  head.length(),
                  head.hash(),
                  Instant.EPOCH,
                  "olga",
                  settled(run, told, ONE.times(told), AccountEntry.Proof.JOURNAL))
              .text();
      AccountDatabaseTest.append("olga", "truth", head.length(), line);
    }
    owners.close("over");
    alive.settle(Ledger.of(RELATION, ANSWER, 5));
    assertEquals(5 * 0.125, owners.state().spent().largestLoss(), 1e-12);
    alive.settle(Ledger.of(RELATION, ANSWER, 1));
    assertEquals(5 * 0.125, owners.state().spent().largestLoss(), 1e-12);
    owners.verify(List.of());
  }

  /** Neither by a name that the account might have for what was imported. */
  @Test
  void whatWasImportedIsNeverReplaced() throws SQLException {
    as("olga").add(new EarlierSpending("old", "", planned(1), true, Set.of()), false);
    String run = Account.newRun();
    String reserved = line("ana", new AccountEntry.Reserved(run, "s", "j", QUERY, planned(1), ONE));
    for (String name : List.of("line 1", "carried 0", "", run + "\\n", "null")) {
      refused("a random UUID", "ana", reserved.replace(run, name));
    }
    append("ana", reserved);
    as("ana").settle(run, Optional.empty());
  }

  @Test
  void nothingIsGivenBackBeyondWhatWasReserved() throws SQLException {
    String run = reserved("ana", 4);
    String bounds = "at least what it is known to have charged";
    refused(bounds, "ana", line("ana", settled(run, 3, ONE.times(3), AccountEntry.Proof.NONE)));
    String two = line("ana", settled(run, 2, ONE.times(2), AccountEntry.Proof.RUN));
    refused("at least 0", "ana", two.replaceFirst("\"largestLoss\":[0-9.]+", "\"largestLoss\":-1"));
    refused(
        "at least 0",
        "ana",
        two.replaceFirst("\"largestLoss\":[0-9.]+", "\"largestLoss\":\"NaN\""));
    refused("numbers of", "ana", two.replaceFirst("\"logMoments\":\\[[^,]+,", "\"logMoments\":["));
    refused("at least 0", "ana", two.replaceFirst("\"ownDelta\":[-0-9.]+", "\"ownDelta\":null"));
    refused("proof must be", "ana", two.replace("\"RUN\"", "\"TRUST ME\""));
    append("ana", two);
    refused(bounds, "ana", line("ana", settled(run, 1, ONE.times(1), AccountEntry.Proof.JOURNAL)));
    refused(
        "one that has reserved",
        "ana",
        line("ana", settled(Account.newRun(), 1, ONE, AccountEntry.Proof.RUN)));
    refused(
        "at least 0",
        "ana",
        line("ana", new AccountEntry.Reserved(run, "s", "file", QUERY, planned(1), ONE))
            .replaceFirst("\"largestLoss\":[0-9.]+", "\"largestLoss\":-1"));
    as("olga").verify(List.of());
  }

  @Test
  void unknownAndDoubleEntriesAreRefused() {
    String known = line("ana", new AccountEntry.PassedOver(QUERY));
    String kind = "one entry, of a known kind";
    refused(kind, "ana", known.replace("passedOver", "forgiven"));
    refused(kind, "ana", known.replace("\"passedOver\"", "\"limited\":{},\"passedOver\""));
    refused(
        "each field once",
        "ana",
        known.replace("\"passedOver\"", "\"passedOver\":{},\"passedOver\""));
    refused(kind, "ana", known.replaceFirst("\"passedOver\":\\{.*\\}\\}", "\"passedOver\":null}"));
    refused(kind, "ana", known.replaceFirst(",\"passedOver\":\\{.*\\}\\}", "}"));
    String resumed = line("ana", new AccountEntry.Resumed(reserved("ana", 1), "s", "file"));
    refused("session must be named", "ana", resumed.replace("\"s\"", "\"\""));
    refused(
        "one that has reserved",
        "ana",
        line("ana", new AccountEntry.Resumed(Account.newRun(), "s", "file")));
    refused("must be the one that follows", "ana", "null");
    refused("must be the one that follows", "ana", "[]");
    assertThrows(SQLException.class, () -> append("ana", null));
  }

  /** What one program reads and another does not would end the account for everybody. */
  @Test
  void whatOurReaderCannotReadIsRefused() throws SQLException {
    String passed = line("ana", new AccountEntry.PassedOver(QUERY));
    for (String at : List.of("x", "1970-01-01", "1970-02-30T00:00:00Z", "1970-01-01T24:00:00Z")) {
      assertThrows(
          SQLException.class, () -> append("ana", passed.replace("1970-01-01T00:00:00Z", at)), at);
    }
    String number = "\"number\":" + as("olga").state().head().length();
    refused("follows the last", "ana", passed.replace(number, number + ".0"));
    refused("these fields", "ana", passed.replaceFirst("\\{\"verb.*", "{}}"));
    refused("these fields", "ana", passed.replace("\"query\"", "1"));
    refused("these fields", "ana", passed.replace("\"folder\"", "\"more\""));
    refused("each field once", "ana", passed.replace("\"folder\"", "\"verb\":\"\",\"folder\""));
    refused("on one line", "ana", passed.replace("query", "a\\nb"));
    refused("on one line", "ana", passed.replace("query", "a\\u2028b"));
    refused("on one line", "ana", passed.replace("query", " "));
    refused("at most 4000000", "ana", passed.replace("query", "q".repeat(4_000_000)));
    AccountEntry entry =
        new AccountEntry.Reserved(Account.newRun(), "s", "j", QUERY, planned(1), ONE);
    String reserved = line("ana", entry);
    String planned = "\"planned\":\\{";
    refused(
        "these fields",
        "ana",
        reserved.replaceFirst(planned + ".*\\},\"cost", "\"planned\":7,\"cost"));
    refused(
        "each field once",
        "ana",
        reserved.replaceFirst(planned, "\"planned\":{\"unit\":\"person\","));
    refused(
        "each field once",
        "ana",
        reserved.replaceFirst(
            planned, "\"planned\":{\"x\":" + "[".repeat(60) + "]".repeat(60) + ","));
    refused("numbers", "ana", reserved.replaceFirst("(\"largestLoss\":)([0-9.]+)", "$1\"$2\""));
    refused(
        "numbers", "ana", reserved.replaceFirst("\"largestLoss\"", "\"more\":1,\"largestLoss\""));
    append("ana", reserved);
    as("olga").verify(List.of());
  }

  /** What no check in the database finds must not hide the rest, and an owner must get on. */
  @Test
  void aLineThatIsNoEntryEndsTheSpendingAndNamesItsWriter() throws SQLException {
    AccountTerms terms = new AccountTerms("person", "id", RELATION, CEILING);
    AccountDatabase store = PostgresServer.as("olga", "garbage");
    Account account = Account.open(store, terms);
    account.add(new EarlierSpending("old", "", planned(1), true, Set.of()), false);
    for (String planned : List.of("{\"\\u001b[2J" + "x".repeat(500) + "\":1}", "{}")) {
      KnownHead head = account.state().head();
      AccountEntry entry =
          new AccountEntry.Reserved(Account.newRun(), "s", "j", QUERY, planned(1), ONE);
      String line = new AccountLine(head.length(), head.hash(), Instant.EPOCH, "ana", entry).text();
      String broken =
          line.replaceFirst(
              "\"planned\":\\{.*\\},\"cost",
              Matcher.quoteReplacement("\"planned\":" + planned + ",\"cost"));
      AccountDatabaseTest.append("ana", "garbage", head.length(), broken);
    }
    AccountState state = Account.at(store).state();
    assertEquals(1, state.items().size());
    assertTrue(state.closed().startsWith("line 3 by ana is no entry: "), state.closed());
    assertTrue(Check.oneLine(state.closed()) && state.closed().length() < 300, state.closed());
    assertEquals(
        2,
        state.history().events().stream()
            .filter(event -> event.kind() == AccountHistory.Kind.UNREADABLE)
            .count());
    for (Executable use :
        List.<Executable>of(
            () -> account.verify(List.of()), () -> account.checkRoom(planned(1), any -> ""))) {
      IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, use);
      assertTrue(refused.getMessage().contains("line 3 by ana"), refused.getMessage());
    }
    Account next = Account.follow(PostgresServer.as("olga", "afterwards"), terms, account);
    next.checkRoom(planned(1), any -> "");
    next.verify(List.of());
    assertTrue(next.state().follows().contains("line 3 by ana"), next.state().follows());
    assertEquals(0.125, next.state().spent().largestLoss(), 1e-12);
  }

  /** Whoever made the schema is trusted; but not by those who remember. */
  @Test
  void whatTheMakerOfTheTableRemovedIsFoundByWhoRemembers() {
    AccountDatabase store = PostgresServer.as("olga", "removed");
    Account account = Account.open(store, new AccountTerms("person", "id", RELATION, CEILING));
    account.limit(0.5);
    KnownHead remembered = account.state().head();
    PostgresServer.execute(
        PostgresServer.url(),
        "postgres",
        "delete from discreet_account where account = 'removed' and number = 1");
    Account.at(store).verify(List.of());
    assertThrows(
        IllegalArgumentException.class,
        () -> Account.at(store).verify(List.of(KnownRun.of(remembered))));
  }

  /** Whoever adds a kind has to say who may append it. */
  @Test
  void theDatabaseKnowsEveryKindOfEntry() throws IOException {
    try (InputStream script = AccountDatabase.class.getResourceAsStream("account.sql")) {
      String sql = new String(script.readAllBytes(), StandardCharsets.UTF_8);
      String known = sql.substring(sql.indexOf("shapes constant"), sql.indexOf("entry jsonb :="));
      for (String kind : AccountLine.READERS.keySet()) {
        assertTrue(known.contains("\"" + kind + "\": {"), kind);
      }
    }
  }

  @Test
  void theTableIsReadAndNothingElse() throws SQLException {
    for (String user : List.of("ana", "olga")) {
      try (Connection connection =
              DriverManager.getConnection(PostgresServer.url(), PostgresServer.login(user));
          Statement statement = connection.createStatement()) {
        for (String sql :
            List.of(
                "update discreet_account set line = ''",
                "delete from discreet_account",
                "truncate discreet_account",
                "insert into discreet_account values ('roles', 99, '', '', '', '', '')",
                "alter table discreet_account disable trigger all",
                "create trigger t after insert on discreet_account execute function f()",
                "drop function discreet_append(text, bigint, text)",
                "create or replace function public.discreet_append(a text, b bigint, c text)"
                    + " returns void language sql as 'select'",
                "drop table discreet_account")) {
          assertThrows(SQLException.class, () -> statement.execute(sql), sql);
        }
      }
    }
    assertThrows(IllegalArgumentException.class, () -> as("nobody_special"));
  }

  /** The function runs with its maker's rights, so no name in it may mean what a caller made. */
  @Test
  void namesThatACallerMadeAreNotUsed() throws SQLException {
    String line = line("ana", new AccountEntry.Limited(1));
    long number = as("olga").state().head().length();
    try (Connection connection =
            DriverManager.getConnection(PostgresServer.url(), PostgresServer.login("ana"));
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create function pg_temp.evil(pg_catalog.text) returns pg_catalog.bool language plpgsql"
              + " as $$ begin delete from public.discreet_account; return true; end $$");
      statement.execute(
          "create domain pg_temp.text as pg_catalog.text check (pg_temp.evil(value))");
      statement.execute("create domain pg_temp.jsonb as pg_catalog.jsonb check (value is null)");
      statement.execute(
          "create temp table discreet_account as select * from public.discreet_account");
      statement.execute(
          "create function public.pg_has_role(name, text, text) returns boolean"
              + " language sql as 'select true'");
      statement.execute("set search_path = pg_temp, public, pg_catalog");
      SQLException refused =
          assertThrows(
              SQLException.class,
              () ->
                  statement.execute(
                      "select public.discreet_append('"
                          + NAME
                          + "', "
                          + number
                          + ", '"
                          + line
                          + "')"));
      assertTrue(refused.getMessage().contains("role must be discreet_owner"), "" + refused);
    } finally {
      PostgresServer.execute(
          PostgresServer.url(),
          "postgres",
          "drop function if exists public.pg_has_role(name, text, text)");
    }
    as("olga").verify(List.of());
  }

  @Test
  void whoMayNotMakeRolesIsToldSo() {
    PostgresServer.execute(
        PostgresServer.url(), "postgres", "create database fresh", "create user maker createrole");
    String url = PostgresServer.url().replaceFirst("/postgres$", "/fresh");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> PostgresServer.as(url, "nobody_special", NAME).createSchema());
    assertTrue(
        refused.getMessage().contains("create tables and roles")
            && refused.getMessage().contains("nobody_special"),
        refused.getMessage());
    // One who is no superuser makes it, another owner uses it.
    PostgresServer.as(url, "maker", NAME).createSchema();
    PostgresServer.as(url, "maker", NAME).createSchema();
    PostgresServer.as(url, "olga", NAME).createSchema();
    Account.open(
        PostgresServer.as(url, "maker", NAME), new AccountTerms("person", "id", RELATION, CEILING));
    assertEquals(0, Account.at(PostgresServer.as(url, "ana", NAME)).state().items().size());
  }

  /** In old databases everybody may make tables, also one of this name. */
  @Test
  void aTableOfAStrangersIsNotUsed() {
    PostgresServer.execute(PostgresServer.url(), "postgres", "create database strange");
    String url = PostgresServer.url().replaceFirst("/postgres$", "/strange");
    PostgresServer.execute(url, "nobody_special", "create table discreet_account (account text)");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> PostgresServer.as(url, "postgres", NAME).createSchema());
    assertTrue(refused.getMessage().contains("another's"), refused.getMessage());
  }
}
