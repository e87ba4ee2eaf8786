package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeometryCommandTest {
  @TempDir private Path folder;

  private static Map<?, ?> row(Object rows, String name) {
    return ((List<?>) rows)
        .stream()
            .map(row -> (Map<?, ?>) row)
            .filter(row -> row.get("name").equals(name))
            .findFirst()
            .orElseThrow();
  }

  private static double number(Map<?, ?> row, String name) {
    return ((Number) row.get(name)).doubleValue();
  }

  /** What docs/algorithms/clipping.md says of each rule, on this kernel. */
  @Test
  void theKernelIsWhatTheTableSays() {
    Map<String, Object> found = Run.of("geometry --json --examples 60").object();
    assertEquals("public data", found.get("label"));
    Object kernel = found.get("kernel");
    for (String symmetric : List.of("none", "global, above all norms")) {
      assertEquals(0, number(row(kernel, symmetric), "asymmetry"), 1e-12, symmetric);
      assertTrue(number(row(kernel, symmetric), "leastForm") > -1e-9, symmetric);
    }
    for (String other : List.of("flat", "flat by layer", "automatic", "normalised")) {
      assertTrue(number(row(kernel, other), "asymmetry") > 1e-4, other);
    }
    for (String one : List.of("flat", "automatic", "normalised", "global, at the median norm")) {
      assertTrue(number(row(kernel, one), "leastRealPart") > -1e-9, one);
    }
    long cosines =
        ((List<?>) found.get("cosines")).stream().mapToLong(n -> ((Number) n).longValue()).sum();
    assertEquals(60, cosines);
    Object shapes = found.get("distributions");
    assertTrue(number(row(shapes, "positively skewed"), "bias") > 0);
    assertTrue(number(row(shapes, "negatively skewed"), "bias") < 0);
    assertEquals(0, number(row(shapes, "gaussian"), "bias"), 0.02);
    assertTrue(number(row(shapes, "mixture, two thirds at -4"), "alignment") < 0, "uphill");
    assertTrue(number(row(shapes, "mixture, two thirds at -4"), "symmetry") < 0.9);
    assertTrue(number(row(shapes, "mixture of equals"), "symmetry") > 0.99);
  }

  @Test
  void theTextHasAllPartsAndThePictureAllSides() throws IOException {
    Path svg = folder.resolve("cloud.svg");
    Run run = Run.of("geometry --examples 40 --projections 8 --clip 0.1 --plot " + svg);
    assertEquals(0, run.code(), run.err());
    String text = run.out();
    assertTrue(text.startsWith("public data: gaussians"), text);
    for (String part : List.of("tangent kernel", "cosines", "symmetry", "l1 ball", "mixture")) {
      assertTrue(text.contains(part), part + " is not in " + text);
    }
    String picture = Files.readString(svg);
    assertEquals(8 * 40, picture.split("<circle", -1).length - 1);
    assertTrue(picture.contains("public data: gaussians"));
    assertEquals("discreet geometry: the plot is in " + svg + "\n", run.err());
    assertEquals(
        "discreet geometry: plot must be a new file. Provided value: " + svg,
        Run.of("geometry --plot " + svg).line(2));
  }

  @Test
  void privateRowsAreShownOnlyByNameAndLabelled() throws IOException {
    Path data = Small.table(folder, 50, 1);
    List<String> all = new ArrayList<>(List.of("geometry", "--data", data.toString()));
    all.addAll(Small.DECLARED);
    String line = Run.of(all.toArray(String[]::new)).line(2);
    assertTrue(line.contains("--outside-the-guarantee"), line);
    all.add("--outside-the-guarantee");
    String text = Run.of(all.toArray(String[]::new)).done().out();
    assertTrue(text.startsWith("OUTSIDE THE GUARANTEE"), text);
    assertFalse(text.contains("tangent kernel"), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--clip 0 | clip must be in (0, infinity). Provided value: 0",
        "--examples 1 | examples must be at least 2. Provided value: 1",
        "--kernel-examples 0 | kernel examples must be at least 1. Provided value: 0",
        "--projections 0 | projections must be at least 1. Provided value: 0",
        "--plot cloud.png | plot must be a file that ends in .svg. Provided value: cloud.png",
        "--kernel-examples 1000 | outputs they are at most 400. Provided value: 1000",
        "--kernel-examples 100000 | outputs they are at most 400. Provided value: 100000",
      })
  void nonsenseIsRefused(String options, String message) {
    String line = Run.of("geometry " + options).line(2);
    assertTrue(line.endsWith(message), line);
  }
}
