package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.filter.PrivacyFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills processes at random instants while they train and ask on an account. Then no entry is lost
 * of which a process knew that it is there, and no run has less recorded than it released.
 *
 * <p>{@code -Dkills=1000} kills more often than {@code verify} does; {@code -Dkills.seed=N} repeats
 * the instants, as far as processes repeat themselves.
 */
@DisabledOnOs(OS.WINDOWS)
class KilledProcessesTest {
  private static final int KILLS = Integer.getInteger("kills", 25);

  /** So many kills, then a new account: long ones would be read for longer and longer. */
  private static final int KILLS_AN_ACCOUNT = 25;

  @TempDir private Path folder;

  private static AccountTerms terms() {
    return new AccountTerms(
        SpendingProcess.UNIT, "", SpendingProcess.RELATION, new PrivacyFilter(1000, 1e-5));
  }

  @Test
  void inAFile() throws IOException, InterruptedException {
    killAll(
        "in a file", KILLS - KILLS / 5, name -> new AccountFile(folder.resolve(name + ".account")));
  }

  @Test
  void inADatabase() throws IOException, InterruptedException {
    killAll("in PostgreSQL", KILLS / 5, name -> PostgresServer.as("olga", "killed " + name));
  }

  private void killAll(String where, int kills, Function<String, AccountStore> at)
      throws IOException, InterruptedException {
    long seed = Long.getLong("kills.seed", System.nanoTime());
    Random random = new Random(seed);
    int killings = 0;
    long released = 0;
    int lines = 0;
    int resumed = 0;
    try {
      for (int done = 0; done < kills; done += KILLS_AN_ACCOUNT) {
        Path runs = Files.createDirectory(folder.resolve("runs-" + done));
        AccountStore store = at.apply("of-" + done);
        KilledSpenders killed =
            killed(store, runs, Math.min(KILLS_AN_ACCOUNT, kills - done), random);
        killings += killed.kills();
        released += killed.releases();
        lines += killed.entries();
        resumed += killed.resumed();
      }
    } finally {
      System.out.printf(
          "%d kills %s with seed %d: %d releases, %d entries, %d trainings resumed%n",
          killings, where, seed, released, lines, resumed);
    }
  }

  private static KilledSpenders killed(AccountStore store, Path runs, int kills, Random random)
      throws IOException, InterruptedException {
    Account.open(store, terms());
    KilledSpenders killed = KilledSpenders.alone(store, runs, random);
    // The instants decide how much is released between them: of five, all may come at once.
    for (int kill = 0; kill < kills || killed.releases() <= kills; kill++) {
      long released = killed.releases();
      assertTrue(kill < 10 * kills, () -> "too few releases to mean anything: " + released);
      killed.killAndCheck();
    }
    killed.settle();
    killed.check();
    assertTrue(
        Account.at(store).state().items().stream()
            .noneMatch(item -> item.standing() == AccountState.Standing.OPEN));
    return killed;
  }

  /** That nothing is missing means something only if what is missing would be found. */
  @Test
  void whatIsMissingIsFound() throws IOException, InterruptedException {
    AccountFile store = new AccountFile(folder.resolve("people.account"));
    Account.open(store, terms());
    KilledSpenders killed = KilledSpenders.alone(store, folder, new Random(1));
    killed.kill("ask");
    assertTrue(killed.entries() > 1, "nothing was told");
    List<String> lines = Files.readAllLines(store.path());
    killed.check();
    Files.delete(folder.resolve("people.account.head"));
    Files.write(store.path(), lines.subList(0, lines.size() - 2));
    assertThrows(AssertionError.class, killed::check);
    Files.write(store.path(), lines);
    killed.check();
    String run = killed.aRun().orElseThrow();
    for (int i = 0; i < SpendingProcess.TOGETHER; i++) {
      killed.add("released " + run);
    }
    assertThrows(AssertionError.class, killed::check);
  }
}
