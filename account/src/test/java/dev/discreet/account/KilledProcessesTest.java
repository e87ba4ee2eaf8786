package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.files.RunFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** What processes told before they were killed. */
  private static final class Told {
    final Map<String, Long> released = new HashMap<>();
    final Map<Long, String> lines = new HashMap<>();
    int resumed;

    void add(String line) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "released" -> released.merge(words[1], 1L, Long::sum);
        case "line" -> lines.put(Long.parseLong(words[1]), words[2]);
        case "resumed" -> resumed++;
        default -> throw new AssertionError(line);
      }
    }

    /** Fails where the account knows less than was told. */
    void check(AccountStore store) {
      List<String> kept = store.after(0);
      lines.forEach(
          (number, hash) -> {
            assertTrue(number < kept.size(), () -> "entry " + number + " of " + kept.size());
            assertEquals(hash, AccountLine.hash(kept.get(number.intValue())), "entry " + number);
          });
      Account account = Account.at(store);
      account.verify(List.of());
      AccountState state = account.state();
      released.forEach(
          (run, count) -> {
            long recorded =
                state
                    .run(run)
                    .map(item -> item.spent().ledger().totals().values())
                    .orElse(List.of())
                    .stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertTrue(
                recorded >= count, () -> run + " released " + count + ", recorded " + recorded);
          });
    }

    long all() {
      return released.values().stream().mapToLong(Long::longValue).sum();
    }
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
    long released = 0;
    int lines = 0;
    int resumed = 0;
    try {
      for (int done = 0; done < kills; done += KILLS_AN_ACCOUNT) {
        Path runs = Files.createDirectory(folder.resolve("runs-" + done));
        AccountStore store = at.apply("of-" + done);
        Told told = killed(store, runs, Math.min(KILLS_AN_ACCOUNT, kills - done), random);
        released += told.all();
        lines += told.lines.size();
        resumed += told.resumed;
      }
    } finally {
      System.out.printf(
          "%d kills %s with seed %d: %d releases, %d entries, %d trainings resumed%n",
          kills, where, seed, released, lines, resumed);
    }
    assertTrue(released > kills, "too few releases to mean anything: " + released);
  }

  private Told killed(AccountStore store, Path runs, int kills, Random random)
      throws IOException, InterruptedException {
    Account.open(store, terms());
    Told told = new Told();
    for (int kill = 0; kill < kills; kill++) {
      kill(store, runs, random.nextInt(3) == 0 ? "ask" : "train", random, told);
      told.check(store);
      if (random.nextInt(4) == 0) {
        settle(store, runs);
        told.check(store);
      }
    }
    settle(store, runs);
    told.check(store);
    assertTrue(
        Account.at(store).state().items().stream()
            .noneMatch(item -> item.standing() == AccountState.Standing.OPEN));
    return told;
  }

  private void kill(AccountStore store, Path runs, String work, Random random, Told told)
      throws IOException, InterruptedException {
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(SpendingProcess.command(work, store, runs))
            .redirectError(errors.toFile())
            .start();
    try (BufferedReader from = process.inputReader()) {
      String line = from.readLine();
      assertEquals("ready", line, () -> read(errors));
      // Some instants are before the first entry, others after many releases.
      for (int more = random.nextInt(4) == 0 ? 0 : random.nextInt(80); more > 0; more--) {
        told.add(from.readLine());
      }
      Thread.sleep(random.nextInt(20));
      // SIGKILL; the process's own method would also close the pipe that is still to be read.
      process.toHandle().destroyForcibly();
      for (line = from.readLine(); line != null; line = from.readLine()) {
        told.add(line);
      }
      assertEquals(128 + 9, process.waitFor(), () -> read(errors));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Settles what was cut short, by the journals that are there. */
  private static void settle(AccountStore store, Path runs) {
    Account account = Account.at(store);
    for (AccountState.Item item : account.state().items()) {
      if (item.standing() == AccountState.Standing.OPEN) {
        Optional<Path> journal =
            List.of(
                    SpendingProcess.journalOfAnswers(runs, item.run()),
                    runs.resolve(item.run()).resolve(RunFiles.JOURNAL))
                .stream()
                .filter(Files::exists)
                .findFirst();
        account.settle(item.run(), journal);
      }
    }
  }

  /** That nothing is missing means something only if what is missing would be found. */
  @Test
  void whatIsMissingIsFound() throws IOException, InterruptedException {
    AccountFile store = new AccountFile(folder.resolve("people.account"));
    Account.open(store, terms());
    Told told = new Told();
    kill(store, folder, "ask", new Random(1), told);
    assertTrue(told.lines.size() > 1, "nothing was told");
    List<String> lines = Files.readAllLines(store.path());
    told.check(store);
    Files.delete(folder.resolve("people.account.head"));
    Files.write(store.path(), lines.subList(0, lines.size() - 2));
    assertThrows(AssertionError.class, () -> told.check(store));
    Files.write(store.path(), lines);
    told.check(store);
    String run = told.released.keySet().iterator().next();
    for (int i = 0; i < SpendingProcess.TOGETHER; i++) {
      told.add("released " + run);
    }
    assertThrows(AssertionError.class, () -> told.check(store));
  }
}
