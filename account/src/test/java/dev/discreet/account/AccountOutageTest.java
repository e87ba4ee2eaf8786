package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server that crashes in the middle of a run, and comes back. */
@DisabledOnOs(OS.WINDOWS)
class AccountOutageTest {
  private static final Purpose QUERY = new Purpose("query", "", "");

  @TempDir private Path folder;

  @Test
  void aRunGoesOnOutOfItsReservationAndIsSettledLater() throws Exception {
    EmbeddedPostgres server = start(0);
    int port = server.getPort();
    PostgresServer.prepare(PostgresServer.url(port));
    AccountStore store = PostgresServer.as(PostgresServer.url(port), "olga", "people");
    Account account =
        Account.open(
            store,
            new AccountTerms(
                SpendingProcess.UNIT, "", SpendingProcess.RELATION, new PrivacyFilter(3, 1e-5)));
    String planned = Account.newRun();
    PrivacySession withPlan = session(account, planned);
    withPlan.intend(
        new LedgerFile(
            Ledger.of(SpendingProcess.RELATION, SpendingProcess.ANSWER, 5),
            SpendingProcess.UNIT,
            100,
            true,
            "pld"));
    release(withPlan);
    String unplanned = Account.newRun();
    PrivacySession withoutPlan = session(account, unplanned);
    release(withoutPlan);
    List<String> lines = store.after(0);

    crash();
    release(withPlan);
    UncheckedIOException away =
        assertThrows(UncheckedIOException.class, () -> release(withoutPlan));
    assertTrue(away.getMessage().contains("cannot be reached"), away.getMessage());
    UncheckedIOException unsettled = assertThrows(UncheckedIOException.class, withPlan::close);
    assertTrue(unsettled.getMessage().contains("account settle"), unsettled.getMessage());

    server.close(); // lets go of the folder
    try (EmbeddedPostgres again = start(port)) {
      assertEquals(port, again.getPort());
      assertEquals(lines, store.after(0), "what was acknowledged");
      release(withoutPlan);
      withoutPlan.close();
      assertEquals(2, spent(account, unplanned));
      assertEquals(5, spent(account, planned));
      account.settle(planned, Optional.of(journal(planned)));
      assertEquals(2, spent(account, planned));
      account.verify(List.of());
    }
  }

  private EmbeddedPostgres start(int port) throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder.resolve("data"))
            .setCleanDataDirectory(false);
    return (port == 0 ? builder : builder.setPort(port)).start();
  }

  /** Ends the server as a crash does: what it had in memory is gone. */
  private void crash() throws IOException, InterruptedException {
    String server = Files.readAllLines(folder.resolve("data/postmaster.pid")).get(0);
    assertEquals(0, new ProcessBuilder("kill", "-QUIT", server).start().waitFor());
    for (int i = 0; i < 600 && ProcessHandle.of(Long.parseLong(server)).isPresent(); i++) {
      Thread.sleep(50);
    }
  }

  private Path journal(String run) {
    return folder.resolve(run + ".journal");
  }

  private PrivacySession session(Account account, String run) {
    return PrivacySession.open(
        Journal.file(journal(run), SpendingProcess.RELATION, SpendingProcess.UNIT),
        Randomness.secure(),
        account.budget(run, QUERY, SpendingProcess.UNIT));
  }

  private static void release(PrivacySession session) {
    session.release(SpendingProcess.ANSWER, new GridVector(new long[] {40}, 0, Norm.L1, 1));
  }

  private static long spent(Account account, String run) {
    return account
        .state()
        .run(run)
        .orElseThrow()
        .spent()
        .ledger()
        .totals()
        .getOrDefault(SpendingProcess.ANSWER, 0L);
  }
}
