package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/**
 * Kills processes at random instants while they train and ask on an account, and remembers what
 * they told before.
 */
public final class KilledSpenders {
  private final AccountStore store;
  private final boolean alone;
  private final Path runs;
  private final Random random;
  private final Map<String, Long> released = new HashMap<>();
  private final Map<Long, String> lines = new HashMap<>();
  private int kills;
  private int resumed;

  private KilledSpenders(AccountStore store, boolean alone, Path runs, Random random) {
    this.store = store;
    this.alone = alone;
    this.runs = runs;
    this.random = random;
  }

  /**
   * Nobody else spends on this account.
   *
   * @param runs a folder for their journals and checkpoints
   */
  static KilledSpenders alone(AccountStore store, Path runs, Random random) {
    return new KilledSpenders(store, true, runs, random);
  }

  /** Others, who are not killed, spend on this account as well. */
  public static KilledSpenders amongOthers(Path accountFile, Path runs, Random random) {
    return new KilledSpenders(new AccountFile(accountFile), false, runs, random);
  }

  /** Kills one, and settles now and then; fails where something was lost. */
  public void killAndCheck() throws IOException, InterruptedException {
    kills++;
    kill(random.nextInt(3) == 0 ? "ask" : "train");
    check();
    if (random.nextInt(4) == 0) {
      settle();
      check();
    }
  }

  void kill(String work) throws IOException, InterruptedException {
    Path errors = runs.resolve("errors");
    Process process =
        new ProcessBuilder(SpendingProcess.command(work, store, runs))
            .redirectError(errors.toFile())
            .start();
    try (BufferedReader from = process.inputReader()) {
      String line = from.readLine();
      assertEquals("ready", line, () -> read(errors));
      // Some instants are before the first entry, others after many releases.
      for (int more = random.nextInt(4) == 0 ? 0 : random.nextInt(80); more > 0; more--) {
        add(from.readLine());
      }
      Thread.sleep(random.nextInt(20));
      // SIGKILL; the process's own method would also close the pipe that is still to be read.
      process.toHandle().destroyForcibly();
      for (line = from.readLine(); line != null; line = from.readLine()) {
        add(line);
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

  /** Takes a line that a process told. */
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
  public void check() {
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

  /** Settles what was cut short, by the journals that are there. */
  public void settle() {
    Account account = Account.at(store);
    for (AccountState.Item item : account.state().items()) {
      Optional<Path> journal =
          List.of(
                  SpendingProcess.journalOfAnswers(runs, item.run()),
                  runs.resolve(item.run()).resolve(RunFiles.JOURNAL))
              .stream()
              .filter(Files::exists)
              .findFirst();
      // Killed before its journal was there, or somebody else's: it cannot be told.
      boolean ours = alone || journal.isPresent();
      if (ours && item.standing() == AccountState.Standing.OPEN) {
        account.settle(item.run(), journal);
      }
    }
  }

  /** A run that something was released by, if there is one. */
  Optional<String> aRun() {
    return released.keySet().stream().findFirst();
  }

  int kills() {
    return kills;
  }

  public long releases() {
    return released.values().stream().mapToLong(Long::longValue).sum();
  }

  public int entries() {
    return lines.size();
  }

  public int resumed() {
    return resumed;
  }
}
