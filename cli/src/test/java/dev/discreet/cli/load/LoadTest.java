package dev.discreet.cli.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.KilledSpenders;
import dev.discreet.cli.load.SteadyWork.Holdings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * One process trains, asks and audits in a loop, and others, which spend on the same accounts, are
 * killed all the time. The first one must not hold more and more memory, threads or files, and no
 * account may lose anything.
 *
 * <p>{@code -Dload.seconds=3600} goes on for an hour. In {@code verify} it is a few rounds, which
 * show that nothing is lost; whether something grows is judged from {@value #ENOUGH_ROUNDS} rounds
 * on.
 */
@DisabledOnOs(OS.WINDOWS)
class LoadTest {
  private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("load.seconds", 8));

  /** Below this, classes are still being loaded, and heaps say nothing. */
  private static final int ENOUGH_ROUNDS = 60;

  @TempDir private Path folder;

  @Test
  void nothingGrowsAndNothingIsLost() throws Exception {
    Path errors = folder.resolve("errors");
    List<Path> accounts = new CopyOnWriteArrayList<>();
    List<Holdings> rounds = new CopyOnWriteArrayList<>();
    List<KilledSpenders> killed = new ArrayList<>();
    int kills = 0;
    Process steady = start(errors);
    try (BufferedReader from = steady.inputReader()) {
      CompletableFuture<Void> listening =
          CompletableFuture.runAsync(
              () -> from.lines().forEach(line -> hear(line, accounts, rounds)));
      Instant end = Instant.now().plus(TIME);
      long seed = System.nanoTime();
      Random random = new Random(seed);
      System.out.println("instants of kills by seed " + seed);
      while (Instant.now().isBefore(end) || rounds.isEmpty()) {
        assertTrue(steady.isAlive(), () -> read(errors));
        int current = accounts.size();
        if (current > killed.size()) {
          Path runs = Files.createDirectory(folder.resolve("killed-" + current));
          killed.add(KilledSpenders.amongOthers(accounts.get(current - 1), runs, random));
        }
        if (killed.isEmpty()) {
          Thread.sleep(100);
        } else {
          killed.get(killed.size() - 1).killAndCheck();
          kills++;
        }
      }
      steady.outputWriter().append('\n').flush();
      listening.join();
      assertEquals(0, steady.waitFor(), () -> read(errors));
    } finally {
      steady.destroyForcibly();
    }
    for (KilledSpenders each : killed) {
      each.settle();
      each.check();
    }
    System.out.printf(
        "%d s of load: %d rounds, %d accounts, %d kills, %d releases of killed processes, %d of their"
            + " trainings resumed%n",
        TIME.toSeconds(),
        rounds.size(),
        accounts.size(),
        kills,
        killed.stream().mapToLong(KilledSpenders::releases).sum(),
        killed.stream().mapToInt(KilledSpenders::resumed).sum());
    tell("heap in MB", rounds, each -> each.heap() >> 20);
    tell("threads", rounds, Holdings::threads);
    tell("open files", rounds, Holdings::handles);
    if (rounds.size() >= ENOUGH_ROUNDS) {
      assertTrue(isFlat(of(rounds, Holdings::heap), 1.05), "heap");
      assertTrue(isFlat(of(rounds, Holdings::threads), 1), "threads");
      assertTrue(isFlat(of(rounds, Holdings::handles), 1), "open files");
    }
  }

  private Process start(Path errors) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-modules=jdk.incubator.vector",
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            SteadyWork.class.getName(),
            Files.createDirectory(folder.resolve("steady")).toString())
        .redirectError(errors.toFile())
        .start();
  }

  private static void hear(String line, List<Path> accounts, List<Holdings> rounds) {
    if (line.startsWith("account ")) {
      accounts.add(Path.of(line.substring("account ".length())));
    } else {
      rounds.add(Holdings.parse(line));
    }
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static List<Long> of(List<Holdings> rounds, ToLongFunction<Holdings> what) {
    return rounds.stream().map(what::applyAsLong).toList();
  }

  private static void tell(String name, List<Holdings> rounds, ToLongFunction<Holdings> what) {
    StringBuilder text = new StringBuilder(name + ", largest in each sixth of the time:");
    for (int part = 0; part < 6; part++) {
      List<Long> values = of(rounds, what);
      List<Long> some = values.subList(part * values.size() / 6, (part + 1) * values.size() / 6);
      text.append(' ').append(some.isEmpty() ? "-" : Collections.max(some));
    }
    System.out.println(text);
  }

  /** Whether the last third never holds more than the one before it, times a factor. */
  private static boolean isFlat(List<Long> values, double factor) {
    int third = values.size() / 3;
    long before = Collections.max(values.subList(third, 2 * third));
    return Collections.max(values.subList(2 * third, values.size())) <= factor * before;
  }

  @Test
  void whatGrowsIsNoticed() {
    List<Long> leaking = IntStream.range(0, 300).mapToObj(i -> 50_000_000L + i * 30_000L).toList();
    List<Long> flat = IntStream.range(0, 300).mapToObj(i -> 50_000_000L + i % 7 * 90_000L).toList();
    assertFalse(isFlat(leaking, 1.05));
    assertTrue(isFlat(flat, 1.05));
    assertFalse(isFlat(IntStream.range(0, 300).mapToObj(i -> 40L + i / 100).toList(), 1));
  }
}
