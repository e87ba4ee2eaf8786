package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code discreet}, in a folder of its own and with a Maven that only pretends. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  @TempDir private Path folder;

  /** What it says on both outputs, started through a symlink from another folder. */
  private List<String> lines(String maven, String... arguments)
      throws IOException, InterruptedException {
    Path home = Files.createDirectories(folder.resolve("a check (out)"));
    Path launcher = home.resolve("discreet");
    Files.copy(Path.of("..", "discreet"), launcher);
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path mvn = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\n" + maven);
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwx------"));
    Path link = Files.createSymbolicLink(bin.resolve("discreet"), bin.relativize(launcher));
    List<String> command = new ArrayList<>(List.of("bash", link.toString()));
    command.addAll(arguments.length == 0 ? List.of("version") : List.of(arguments));
    ProcessBuilder start = new ProcessBuilder(command);
    start.environment().merge("PATH", bin.toString(), (path, ours) -> ours + ":" + path);
    start.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = start.directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, process.waitFor(), output);
    return output.lines().toList();
  }

  @Test
  void aBuildThatFailsSaysWhyInOneLine() throws IOException, InterruptedException {
    List<String> lines =
        lines(
            """
            echo '[INFO] Tests are skipped.'
            echo '[ERROR] COMPILATION ERROR : '
            printf '[\\033[1;31mERROR\\033[m] Main.java:[32,7] cannot find symbol\\n'
            echo '[ERROR] -> [Help 1]'
            exit 1
            """);
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("discreet: building "), lines.get(0));
    String failed = "discreet: the build failed: Main.java:[32,7] cannot find symbol; its whole";
    assertTrue(lines.get(1).startsWith(failed), lines.get(1));
    assertTrue(lines.get(1).endsWith("a check (out)/target/discreet/build.log"), lines.get(1));
  }

  @Test
  void aBuildThatFailsWithoutAWordIsOneLineToo() throws IOException, InterruptedException {
    List<String> lines = lines("exit 1\n");
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.get(1).startsWith("discreet: the build failed; its whole log"), lines.get(1));
  }

  /** What Maven is told to build, and what the user hears of it. */
  private void builds(String room, String words, String... arguments)
      throws IOException, InterruptedException {
    List<String> lines = lines("echo \"[ERROR] $*\"\nexit 1\n", arguments);
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("discreet: " + words), lines.get(0));
    assertTrue(lines.get(1).contains(" -pl " + room + " -am package"), lines.get(1));
  }

  @Test
  void duckDbIsBuiltWhereParquetIsNamed() throws IOException, InterruptedException {
    builds("cli", "building (first use", "train", "--data", "people.csv");
    deleteCheckout();
    builds("duckdb", "building with DuckDB", "query", "mean", "--data", "people.parquet");
    deleteCheckout();
    builds("duckdb", "building with DuckDB", "train", "--data=people.parquet");
    deleteCheckout();
    builds("spark", "building with Spark", "train", "--engine=spark", "--data", "x.parquet");
    Path file = Files.writeString(folder.resolve("run.yaml"), "data: a/people.parquet\n");
    deleteCheckout();
    builds("duckdb", "building with DuckDB", "train", file.toString());
    Files.writeString(file, "data: digits # not people.parquet\n");
    deleteCheckout();
    builds("cli", "building (first use", "train", file.toString());
  }

  @Test
  void sparkIsBuiltWhereARunAsksForIt() throws IOException, InterruptedException {
    builds("cli", "building (first use", "train", "--data", "spark", "--engine", "cpu");
    String spark = "building with Spark, whose jars Maven may have to download (first use";
    deleteCheckout();
    builds("spark", spark, "train", "--epsilon", "3", "--engine", "spark");
    deleteCheckout();
    builds("spark", spark, "train", "--engine=spark");
    Path file = Files.writeString(folder.resolve("run.yaml"), "data: mnist\nengine: spark\n");
    deleteCheckout();
    builds("spark", spark, "train", file.toString());
    Files.writeString(file, "data: mnist\n# not spark\nengine: cpu\n");
    deleteCheckout();
    builds("cli", "building (first use", "train", file.toString());
  }

  @Test
  void theEngineOfAGpuIsBuiltWhereARunAsksForIt() throws IOException, InterruptedException {
    String gpu = "building with the engine of a GPU, whose JNA Maven may have to download (first";
    builds("cuda", gpu, "train", "--epsilon", "3", "--engine", "cuda");
    deleteCheckout();
    builds("cuda", gpu, "train", "--engine=auto");
    deleteCheckout();
    builds("duckdb,cuda", "building with DuckDB", "train", "--engine=cuda", "--data=p.parquet");
    Path file = Files.writeString(folder.resolve("run.yaml"), "data: mnist\nengine: auto\n");
    deleteCheckout();
    builds("cuda", gpu, "train", file.toString());
    Files.writeString(file, "data: cuda\nengine: cpu\n");
    deleteCheckout();
    builds("cli", "building (first use", "train", file.toString());
  }

  /** With a Java and jars beside it, it builds nothing and runs them. */
  @Test
  void aDistributionRunsItsOwnJava() throws IOException, InterruptedException {
    Path home = Files.createDirectories(folder.resolve("a check (out)"));
    Files.createDirectories(home.resolve("lib"));
    Path java = home.resolve("runtime/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho \"$*\"\nexit 1\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    List<String> lines = lines("echo built\n", "help");
    assertEquals(1, lines.size(), lines.toString());
    String run = home.toRealPath().resolve("lib") + "/* dev.discreet.cli.Main help";
    assertTrue(lines.get(0).endsWith(run), lines.get(0));
    deleteCheckout();
    lines = lines("echo built\n", "train", "--engine", "spark");
    assertTrue(lines.get(0).startsWith("discreet: engine spark is not in a dist"), lines.get(0));
  }

  private void deleteCheckout() throws IOException {
    Files.delete(folder.resolve("a check (out)/discreet"));
    Files.delete(folder.resolve("bin/discreet"));
  }
}
