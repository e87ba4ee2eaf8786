package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight processes that want the last of a budget get all of it, and nothing beyond. */
class RacingProcessesTest {
  private static final int PROCESSES = 8;
  private static final double LIMIT = 0.7;

  @TempDir private Path folder;

  @Test
  void inAFile() throws IOException, InterruptedException {
    race(new AccountFile(folder.resolve("people.account")));
  }

  @Test
  void inADatabase() throws IOException, InterruptedException {
    race(PostgresServer.as("olga", "race"));
  }

  private void race(AccountStore store) throws IOException, InterruptedException {
    Account account =
        Account.open(
            store,
            new AccountTerms(
                SpendingProcess.UNIT, "", SpendingProcess.RELATION, new PrivacyFilter(3, 1e-5)));
    account.limit(LIMIT);
    List<Process> processes = new ArrayList<>();
    long released = 0;
    int winners = 0;
    try {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(
            new ProcessBuilder(SpendingProcess.command("race", store, folder))
                .redirectError(folder.resolve("errors-" + i).toFile())
                .start());
      }
      for (Process each : processes) {
        assertEquals("ready", each.inputReader().readLine());
      }
      for (Process each : processes) {
        each.outputWriter().append('\n').flush();
      }
      for (Process each : processes) {
        try (BufferedReader from = each.inputReader()) {
          List<String> told = from.lines().toList();
          assertEquals("refused", told.get(told.size() - 1), told::toString);
          long own = told.stream().filter(line -> line.startsWith("released ")).count();
          released += own;
          winners += own > 0 ? 1 : 0;
        }
        assertEquals(0, each.waitFor());
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    AccountState state = account.state();
    assertTrue(state.share() <= LIMIT, "" + state.share());
    Spending once =
        state
            .terms()
            .ceiling()
            .cost(
                Ledger.of(
                    SpendingProcess.RELATION, SpendingProcess.ANSWER, SpendingProcess.TOGETHER));
    assertEquals(0, state.stillFits(once), "another run would have fitted");
    assertEquals(released, SpendingProcess.TOGETHER * (long) state.items().size());
    assertTrue(winners > 1, "one process took everything before the others had begun");
    assertEquals(
        Set.of(AccountState.Standing.SETTLED),
        state.items().stream().map(AccountState.Item::standing).collect(Collectors.toSet()));
    account.verify(List.of());
  }
}
