package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What makes a cold start slow is what it loads; that can be checked where time cannot. */
class ColdStartTest {

  @Test
  void asksForNoPlotAndLoadsNothingToDrawWith() throws IOException, InterruptedException {
    List<String> loaded =
        loaded("epsilon --noise-multiplier 4 --sampling-rate 0.01 --steps 100 --delta 1e-5");
    assertTrue(loaded.stream().anyMatch(line -> line.contains("dev.discreet.cli.EpsilonCommand ")));
    List<String> drawing =
        loaded.stream()
            .filter(
                line ->
                    line.contains(" java.awt.")
                        || line.contains(" javax.xml.")
                        // Three small classes of it write numbers, and read or write no JSON.
                        || (line.contains(" com.fasterxml.jackson.")
                            && !line.contains(".jackson.core.io.NumberOutput ")
                            && !line.contains(".jackson.core.io.schubfach.")))
            .toList();
    assertEquals(List.of(), drawing);
  }

  private static List<String> loaded(String arguments) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        new ArrayList<>(
            List.of(
                java,
                "-Xlog:class+load:stdout",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output.lines().toList();
  }
}
