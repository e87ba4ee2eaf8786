package dev.discreet.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.cli.bench.ScalingBench.Cell;
import dev.discreet.cli.bench.ScalingBench.Slower;
import dev.discreet.cli.bench.StepTimer.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScalingCommandTest {
  private static final String SMALL =
      "bench scaling --models logistic,mlp(8) --input 4x4x1 --lots 50 --threads 2,1 --rounds 1"
          + " --seconds 0.05 --warm-up 0.05";

  @Test
  @SuppressWarnings("unchecked")
  void everyCellIsMeasuredInOrderOfThreads() {
    Run run = Run.of(SMALL + " --json");
    assertTrue(run.err().endsWith("round 1 of 1: mlp(8), lot 50\n"), run.err());
    Map<String, Object> answer = new Run(run.code(), run.out(), "").object();
    List<Map<String, Object>> cells = (List<Map<String, Object>>) answer.get("cells");
    assertEquals(
        List.of("logistic 1", "logistic 2", "mlp(8) 1", "mlp(8) 2"),
        cells.stream().map(cell -> cell.get("model") + " " + cell.get("threads")).toList());
    for (Map<String, Object> cell : cells) {
      for (String kind : new String[] {"private", "nonPrivate"}) {
        Map<String, Object> timed = (Map<String, Object>) cell.get(kind);
        double seconds = number(timed, "stepSeconds");
        assertEquals(50, number(timed, "examplesPerSecond") * seconds, 1e-6);
        assertEquals(
            number(timed, "speedUp"), number(timed, "efficiency") * number(cell, "threads"), 1e-9);
        Map<String, Object> phases = (Map<String, Object>) timed.get("phaseSeconds");
        assertTrue(number(phases, "gradients") > 0, phases::toString);
        assertEquals(kind.equals("private"), phases.containsKey("noise"));
      }
      assertEquals(
          number((Map<String, Object>) cell.get("private"), "stepSeconds")
              / number((Map<String, Object>) cell.get("nonPrivate"), "stepSeconds"),
          number(cell, "privateTimeOverNonPrivate"),
          1e-9);
    }
  }

  private static double number(Map<String, Object> fields, String name) {
    return ((Number) fields.get(name)).doubleValue();
  }

  @Test
  void aPageKeepsASectionForEachMachine(@TempDir Path folder) throws IOException {
    Path page = folder.resolve("scaling.md");
    String printed = Run.of(SMALL + " --out " + page).out();
    assertTrue(printed.startsWith("## "), printed);
    assertEquals(1, sections(page));
    Files.writeString(page, Files.readString(page) + "\n## Another machine\n\nIts tables.\n");
    Run.of(SMALL + " --out " + page);
    assertEquals(2, sections(page));
    String text = Files.readString(page);
    assertTrue(text.contains("\nIts tables.\n"), text);
    assertEquals(8, text.lines().filter(line -> line.startsWith("| `mlp(8)`, 50")).count() + 2);
    Path other = Files.writeString(folder.resolve("other.md"), "mine\n");
    assertEquals(
        "discreet bench scaling: out must be a new file, or a page of an earlier measurement."
            + " Provided value: "
            + other,
        Run.of(SMALL + " --out " + other).line(2));
    assertEquals("mine\n", Files.readString(other));
  }

  private static long sections(Path page) throws IOException {
    return Files.readString(page).lines().filter(line -> line.startsWith("## ")).count();
  }

  private static Cell cell(int threads, double withPrivacy, double plain) {
    return new Cell("m", 100, threads, timing(withPrivacy), timing(plain));
  }

  private static Timing timing(double seconds) {
    return new Timing(new double[] {seconds}, Map.of(), 0, 0);
  }

  /** Compared with the quickest of fewer threads, and beyond what chance may do. */
  @Test
  void whatMoreThreadsMakeSlowerIsNamed() {
    List<Cell> cells =
        List.of(cell(1, 1, 1), cell(2, 0.5, 1.04), cell(4, 0.6, 0.8), cell(8, 0.52, 0.9));
    List<Slower> slower = ScalingBench.slower(List.of(cells));
    assertEquals(
        List.of(
            "`m`, 100, private: 4 threads take 1.20 times as long as 2.",
            "`m`, 100, plain: 8 threads take 1.13 times as long as 4."),
        slower.stream().map(ScalingPage::sentence).toList());
    String section = new ScalingPage("machine", "how", List.of(cells)).section();
    assertTrue(section.contains("| `m`, 100 | 8 | 192 | 1.92 | 0.24 | 111 | 1.11 | 0.58 |"));
    assertTrue(section.contains("- `m`, 100, private: 4 threads"), section);
    String fine = new ScalingPage("machine", "how", List.of(cells.subList(0, 2))).section();
    assertTrue(fine.contains("More threads made no step slower by over 5%."), fine);
  }

  @Test
  void threadsDoubleUpToTheCores() {
    assertEquals(List.of(1L), ScalingCommand.upTo(1));
    assertEquals(List.of(1L, 2L, 4L, 6L), ScalingCommand.upTo(6));
    assertEquals(List.of(1L, 2L, 4L, 8L, 16L), ScalingCommand.upTo(16));
  }

  @Test
  void threadsBeyondTheProcessorsAreSaid() {
    int more = Runtime.getRuntime().availableProcessors() + 1;
    Run run =
        Run.of(
            "bench scaling --models logistic --input 2x2x1 --lots 5 --rounds 1 --seconds 0.01 --warm-up 0.01"
                + " --threads "
                + more);
    assertTrue(
        run.err().startsWith("discreet bench scaling: " + more + " threads share the "), run.err());
    assertFalse(run.out().isEmpty());
  }

  @Test
  void refusals() {
    assertEquals(
        "discreet bench scaling: threads must be a whole number in [1, 1024]. Provided value: 0",
        Run.of("bench scaling --threads 1,0").line(2));
    assertEquals(
        "discreet bench scaling: lot must be a whole number in [1, 60000]. Provided value: x",
        Run.of("bench scaling --lots 600,x").line(2));
    assertEquals(
        "discreet bench scaling: seconds must be in (0, 3600]. Provided value: 0",
        Run.of("bench scaling --seconds 0").line(2));
    assertEquals(
        "discreet bench scaling: shape must be HEIGHTxWIDTHxCHANNELS or SIZE. Provided value: 3x3",
        Run.of("bench scaling --input 3x3").line(2));
    assertTrue(Run.of("bench scaling --models mnist-cnn,nonsense").line(2).contains("nonsense"));
  }
}
