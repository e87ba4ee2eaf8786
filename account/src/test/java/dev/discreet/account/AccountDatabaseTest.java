package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.privacy.Budget;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real server, which the test starts and stops. */
class AccountDatabaseTest {
  /** As a session begins it. */
  private static Budget begun(Budget budget) {
    budget.begin(
        new Budget.Session(Neighbouring.ADD_REMOVE, true, true, Account.newRun(), Set.of()));
    return budget;
  }

  private static final Purpose QUERY = new Purpose("query", "", "");
  private static final Mechanism ANSWER = new Mechanism.Laplace(8);
  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws IOException, SQLException {
    server = EmbeddedPostgres.builder().start();
    asOwner("schema").createSchema();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create user ana in role discreet_analyst");
      statement.execute("create user bob in role discreet_analyst");
      statement.execute("create user olga in role discreet_owner");
      statement.execute("create user nobody_special");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static AccountDatabase asOwner(String name) {
    return as("postgres", name);
  }

  private static AccountDatabase as(String user, String name) {
    Properties login = new Properties();
    login.setProperty("user", user);
    return new AccountDatabase(server.getJdbcUrl(user, "postgres").split("\\?")[0], login, name);
  }

  private static AccountTerms terms() {
    return new AccountTerms("person", "id", Neighbouring.ADD_REMOVE, new PrivacyFilter(3, 1e-5));
  }

  @Test
  void aLineIsThereForEveryone() {
    Account account = Account.open(as("olga", "shared"), terms());
    begun(Account.at(as("ana", "shared")).budget(Account.newRun(), QUERY, "person")).charge(ANSWER);
    assertEquals(1, account.state().items().size());
    assertEquals(0.125, account.state().spent().largestLoss(), 1e-12);
    account.verify(List.of(account.state().head()));
  }

  @Test
  void aRoleMayDoNoMoreThanItsOwn() throws SQLException {
    Account.open(as("olga", "roles"), terms());
    Account ana = Account.at(as("ana", "roles"));
    String run = Account.newRun();
    Budget budget = begun(ana.budget(run, QUERY, "person"));
    budget.charge(ANSWER);
    assertThrows(IllegalArgumentException.class, () -> ana.limit(0.5));
    assertThrows(IllegalArgumentException.class, () -> ana.close("no more"));
    assertThrows(IllegalArgumentException.class, () -> Account.open(as("ana", "another"), terms()));
    Account bob = Account.at(as("bob", "roles"));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> bob.settle(run, Optional.empty()));
    assertTrue(refused.getMessage().contains("one of your own"), refused.getMessage());
    budget.settle(Ledger.of(Neighbouring.ADD_REMOVE, ANSWER, 1));
    Account.at(as("olga", "roles")).limit(0.5);
    try (Connection connection =
            DriverManager.getConnection(as("ana", "roles").url(), as("ana", "roles").login());
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "update discreet_account set line = ''",
              "delete from discreet_account",
              "insert into discreet_account values ('roles', 99, '', '', '')",
              "drop table discreet_account")) {
        assertThrows(SQLException.class, () -> statement.execute(sql), sql);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> Account.at(as("nobody_special", "roles")));
  }

  @Test
  void manyAtOnceNeverPassTheCeiling() throws Exception {
    Account.open(as("olga", "race"), terms());
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            pool.submit(
                () -> {
                  Budget budget =
                      begun(
                          Account.at(as("ana", "race")).budget(Account.newRun(), QUERY, "person"));
                  for (int made = 0; ; made++) {
                    try {
                      budget.charge(ANSWER);
                    } catch (IllegalArgumentException e) {
                      return made;
                    }
                  }
                }));
      }
      int made = 0;
      for (Future<Integer> each : all) {
        made += each.get();
      }
      int most = 1;
      while (terms().ceiling().admits(Ledger.of(Neighbouring.ADD_REMOVE, ANSWER, most + 1))) {
        most++;
      }
      assertEquals(most, made);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aServerThatIsAwayIsSaidSo() {
    Properties login = new Properties();
    AccountDatabase away = new AccountDatabase("jdbc:postgresql://localhost:1/x", login, "people");
    UncheckedIOException failed = assertThrows(UncheckedIOException.class, () -> Account.at(away));
    assertTrue(failed.getMessage().contains("cannot be reached"), failed.getMessage());
  }
}
