package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Ctrl-C, which a terminal sends to the command and to its executors alike. */
@DisabledOnOs(OS.WINDOWS)
@Execution(ExecutionMode.CONCURRENT)
class StopOnSparkTest {
  @TempDir private Path folder;

  @Test
  void theRunEndsItsStepAndStatesItsWholePlan() throws IOException, InterruptedException {
    Path csv = Files.writeString(folder.resolve("people.csv"), People.csv());
    Path run =
        Files.writeString(
            folder.resolve("run.yaml"),
            "engine: spark\nmaster: local-cluster[1,1,1024]\ndata: "
                + csv
                + "\nlabel: employed=0|1\ncolumn: [age=0..120, sex=male|female]\n"
                + "unit-column: person\ndeclared-units: 400\nmodel: logistic\nlot-size: 100\n"
                + "steps: 20000\nevaluate-every: 20000\nnoise-multiplier: 3\nout: "
                + folder.resolve("out")
                + "\n");
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(each -> each.startsWith("--add-") || each.startsWith("-XX:+Ignore"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Ddiscreet.terminal=true",
            "-XX:TieredStopAtLevel=1",
            "-Dlog4j2.configurationFile=classpath:dev/discreet/spark/log4j2.properties",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.discreet.cli.Main",
            "train",
            run.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader from = process.inputReader()) {
      StringBuilder seen = new StringBuilder();
      for (int c = from.read(); c >= 0 && seen.indexOf("/20000,") < 0; c = from.read()) {
        seen.append((char) c);
      }
      List<ProcessHandle> executors = process.descendants().toList();
      assertFalse(executors.isEmpty(), seen.toString());
      Assumptions.assumeTrue(hears(process), "this process ignores INT");
      for (ProcessHandle each : executors) {
        interrupt(each);
      }
      interrupt(process.toHandle());
      String rest = from.lines().reduce("", (a, b) -> a + "\n" + b);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(130, process.exitValue(), seen + rest);
      assertTrue(rest.contains("stopping after this step"), rest);
      assertTrue(rest.contains("(stopped; epsilon is that of the whole plan"), rest);
      assertFalse(rest.contains("Spark:"), rest);
      for (ProcessHandle each : executors) {
        each.onExit().orTimeout(30, TimeUnit.SECONDS).join();
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String statement = Files.readString(folder.resolve("out").resolve("privacy.txt"));
    assertTrue(statement.contains("20000 steps"), statement);
  }

  private static void interrupt(ProcessHandle process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }

  /** A shell's background job may be deaf to INT, and its children with it. */
  private static boolean hears(Process process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .allMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) == 0);
  }
}
