package dev.discreet.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.engine.Engine;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceCommandTest {
  private static final String SMALL =
      "bench device --models logistic,mlp(8) --input 4x4x1 --lots 50 --seconds 0.05";

  /** Beside itself, the engine of the cores is off by nothing. */
  @Test
  void sumsAreHeldAgainstTheCoresAndStepsAreTimed() {
    Run run = Run.of(SMALL + " --engine cpu");
    assertEquals(0, run.code(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals("Engine `cpu`: this machine.", lines.get(0));
    assertTrue(
        lines.get(4).matches("\\| `logistic` \\| 50 \\| 0\\.0e\\+00 of its length \\|.*yes \\|"),
        lines.get(4));
    double moved = Double.parseDouble(lines.get(5).split("\\|")[4].strip().split(" ")[0]);
    assertTrue(moved > 0 && moved <= 1, lines.get(5));
    assertTrue(lines.get(10).startsWith("| `mlp(8)` | 50 | "), lines.get(10));
  }

  @Test
  void aMissingEngineIsNamedInOneLine() {
    if (!Engine.names().contains("cuda")) {
      Run run = Run.of(SMALL);
      assertTrue(run.code() != 0);
      assertTrue(run.err().endsWith("Provided value: cuda\n"), run.err());
    }
  }
}
