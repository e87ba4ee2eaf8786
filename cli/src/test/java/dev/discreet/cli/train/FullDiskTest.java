package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no more, for which a limit on the size of files stands in. */
@DisabledOnOs(OS.WINDOWS)
class FullDiskTest {
  @TempDir private Path folder;

  @Test
  void itIsSaidAndOnlyTheCostIsLeft() throws IOException, InterruptedException {
    Path out = folder.resolve("deep/run");
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f 20; exec \"$@\"",
                "bash",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "train",
                "--data",
                "gaussians",
                "--steps",
                "3",
                "--noise-multiplier",
                "0.7",
                "--quiet",
                "--out",
                out.toString())
            .redirectErrorStream(true)
            .start();
    // Java itself tells that a module is an incubator's.
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .replaceFirst("^WARNING: Using incubator modules: jdk.incubator.vector\n", "");
    assertEquals(1, process.waitFor(), said);
    assertEquals(
        "discreet train: what it charged is in "
            + (out + ".unfinished\ndiscreet train: " + out)
            + " could not be written: File too large\n",
        said);
    assertEquals(List.of("run.unfinished"), Small.names(folder.resolve("deep")));
  }
}
