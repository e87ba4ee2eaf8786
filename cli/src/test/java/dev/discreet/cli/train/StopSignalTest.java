package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Mechanism;
import dev.discreet.cli.Main;
import dev.discreet.cli.Run;
import dev.discreet.core.privacy.journal.Journal;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C, in a process of its own. */
@DisabledOnOs(OS.WINDOWS)
class StopSignalTest {
  @TempDir private Path folder;

  private Process start(Path out, String... more) throws IOException {
    return start(out, List.of("train"), more);
  }

  /**
   * A Java that starts fast: what is tested are signals, so the plain kernels and the quick
   * compiler do, which need a third of the processor's time.
   */
  private static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"));
  }

  private static Process discreet(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(java());
    Collections.addAll(command, "-Ddiscreet.terminal=true", Main.class.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static Process start(Path out, List<String> verb, String... more) throws IOException {
    List<String> command = new ArrayList<>(verb);
    Collections.addAll(
        command,
        "--data",
        "gaussians",
        "--steps",
        "20000",
        "--evaluate-every",
        "20000",
        "--noise-multiplier",
        "1",
        "--lot-size",
        "2000",
        "--model",
        "mlp(300)",
        "--out",
        out.toString());
    Collections.addAll(command, more);
    return discreet(command);
  }

  /** Waits for the bar, and so for the first steps. */
  private static String untilStep(BufferedReader from) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (int c = from.read(); c >= 0; c = from.read()) {
      seen.append((char) c);
      if (seen.indexOf("step ") >= 0 && seen.indexOf("/20000") >= 0) {
        return seen.toString();
      }
    }
    return seen.toString();
  }

  /** A shell's background job may be deaf to INT, and its children with it. */
  private static void assumeHears(Process process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    Assumptions.assumeTrue(Files.exists(status), "no /proc to ask whether INT is ignored");
    String ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> line.substring(7).strip())
            .findFirst()
            .orElse("0");
    Assumptions.assumeTrue(
        (Long.parseUnsignedLong(ignored, 16) & 2) == 0, "this process ignores INT");
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Test
  void theFirstStopsCleanlyWithEverythingWritten() throws IOException, InterruptedException {
    Path out = folder.resolve("run");
    Process process = start(out);
    try (BufferedReader from = process.inputReader()) {
      String seen = untilStep(from);
      assertTrue(process.isAlive(), seen);
      assumeHears(process);
      signal(process, "INT");
      String rest = from.lines().reduce("", (a, b) -> a + "\n" + b);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(130, process.exitValue(), rest);
      assertTrue(rest.contains("stopping after this step"), rest);
      assertTrue(rest.contains("(stopped; epsilon is that of the whole plan"), rest);
    } finally {
      process.destroyForcibly();
    }
    Map<String, Object> run = JSON.std.mapFrom(Files.readString(out.resolve("run.json")));
    long steps = ((Number) run.get("steps")).longValue();
    assertTrue(steps > 0 && steps < 20_000);
    // The ledger is of the steps planned: when it stopped may have been chosen by what was seen.
    String ledger = Files.readString(out.resolve("ledger.json"));
    assertTrue(ledger.contains("20000"), ledger);
    String statement = Files.readString(out.resolve("privacy.txt"));
    assertTrue(statement.contains("20000 steps " + steps + " were taken"), statement);
    assertTrue(Files.exists(out.resolve("report.html")));
    assertEquals(List.of("run"), Small.names(folder));
  }

  /** A pipe that no one writes to is read for ever. */
  @Test
  void whilePlanningNothingIsSpentOrWritten() throws IOException, InterruptedException {
    Path pipe = folder.resolve("patients.csv");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process process =
        discreet(List.of(Small.train(pipe, folder.resolve("run"), "--noise-multiplier", "2")));
    try (BufferedReader from = process.inputReader()) {
      String line = from.readLine();
      while (line != null && !line.startsWith("reading the data")) {
        line = from.readLine();
      }
      assertTrue(process.isAlive(), line);
      assumeHears(process);
      signal(process, "INT");
      String rest = from.lines().reduce("", (a, b) -> a + "\n" + b);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(130, process.exitValue(), rest);
      assertTrue(rest.contains("stopped while planning: nothing is spent"), rest);
    } finally {
      process.destroyForcibly();
    }
    assertEquals(List.of("patients.csv"), Small.names(folder));
  }

  @Test
  void aTermIsAStopToo() throws IOException, InterruptedException {
    Path out = folder.resolve("run");
    Process process = start(out, "--watch-private");
    try (BufferedReader from = process.inputReader()) {
      untilStep(from);
      signal(process, "TERM");
      from.lines().toList();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(143, process.exitValue());
      for (String file :
          List.of("privacy.txt", "model.json", "run.json", "report.html", "ledger.json")) {
        String text = Files.readString(out.resolve(file));
        assertTrue(text.toLowerCase(Locale.ROOT).contains("un-noised values"), file);
      }
      String metrics = Files.readString(out.resolve("metrics.csv"));
      assertTrue(metrics.endsWith(",private but for its length\n"), metrics);
    } finally {
      process.destroyForcibly();
    }
  }

  /** No hook runs, and what was charged is on the disk all the same. */
  @Test
  void aKillLeavesTheJournalBesideThePlace() throws IOException, InterruptedException {
    Process process = start(folder.resolve("run"));
    try (BufferedReader from = process.inputReader()) {
      untilStep(from);
      process.destroyForcibly();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }
    assertEquals(List.of("run.unfinished"), Small.names(folder));
    Path left = folder.resolve("run.unfinished");
    assertEquals(List.of("NOT-FINISHED.txt", "ledger.journal"), Small.names(left));
    Run read =
        Run.of(
            "epsilon",
            "--ledger",
            left.resolve("ledger.journal").toString(),
            "--delta",
            "1e-5",
            "--json");
    // The whole plan counts: when it ended may have been chosen.
    assertEquals(20_000, read.number("steps"));
    String note = Files.readString(left.resolve("NOT-FINISHED.txt"));
    assertTrue(note.contains("epsilon " + Digits.up(read.number("epsilon")) + " at delta"), note);
  }

  /** Whoever stops the public phase has no use for a private step. */
  @Test
  void inThePublicPhaseNothingIsSpent() throws IOException, InterruptedException {
    Path out = folder.resolve("run");
    Process process =
        start(out, "--pretrain-data", "gaussians", "--pretrain-epochs", "100000", "--new-head");
    try (BufferedReader from = process.inputReader()) {
      String line = from.readLine();
      while (line != null && !line.startsWith("public phase: epoch")) {
        line = from.readLine();
      }
      signal(process, "TERM");
      String rest = from.lines().reduce("", (a, b) -> a + "\n" + b);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertTrue(rest.contains("stopped before the first step: nothing is spent"), rest);
      assertEquals(List.of(), Small.names(folder));
    } finally {
      process.destroyForcibly();
    }
  }

  /** A search has nothing to show before its last run. */
  @Test
  void aSearchThatIsStoppedLeavesItsOneChargeAndNothingOfItsRuns()
      throws IOException, InterruptedException {
    Path file = folder.resolve("run.yaml");
    Files.writeString(file, "tune: {mean: 3, settings: {clip: [1, 2]}}\n");
    Process process = start(folder.resolve("run"), List.of("tune", file.toString()));
    try (BufferedReader from = process.inputReader()) {
      StringBuilder seen = new StringBuilder();
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        seen.append(line).append('\n');
        if (line.contains("searching")) {
          break;
        }
      }
      assertTrue(process.isAlive(), seen.toString());
      signal(process, "TERM");
      String rest = from.lines().reduce("", (a, b) -> a + "\n" + b);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(143, process.exitValue(), rest);
      assertTrue(rest.contains("discreet tune: stopped before the search was done"), rest);
      assertEquals(List.of("run.unfinished", "run.yaml"), Small.names(folder));
      var charged = Journal.read(folder.resolve("run.unfinished/ledger.journal")).ledger();
      assertEquals(1, charged.entries().size());
      assertEquals(1, charged.entries().get(0).count());
      assertTrue(charged.entries().get(0).mechanism() instanceof Mechanism.BestOf);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The second arrives while the hook waits for a run that will not end. */
  @Test
  void theSecondEndsAtOnce() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(java());
    command.add(Stubborn.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader from = process.inputReader()) {
      assertEquals("ready", from.readLine());
      signal(process, "TERM");
      assertEquals("asked", from.readLine());
      assertFalse(process.waitFor(300, TimeUnit.MILLISECONDS));
      signal(process, "TERM");
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(143, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  /** A program that never closes its signal. */
  static final class Stubborn {
    public static void main(String[] arguments) throws InterruptedException {
      new StopSignal(line -> System.out.println("asked"));
      System.out.println("ready");
      Thread.sleep(60_000);
    }
  }
}
