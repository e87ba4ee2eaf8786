package dev.discreet.lab.course;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.Bench;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Row;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvergenceTest {
  @TempDir Path folder;

  @Test
  void theKernelsTableIsWhatTheoryMakesIt() throws IOException {
    Finding finding = Bench.run(ConvergenceTable.EXPERIMENT, folder);
    for (Row row : finding.rows()) {
      boolean even =
          row.setting().endsWith("none")
              || row.setting().endsWith("C = 1000")
              || row.setting().endsWith("Z = 1000");
      if (row.method().equals("symmetric") && !row.setting().contains("Z = 1")) {
        assertEquals(even ? 100 : 0, row.ours().mean(), row.toString());
      } else if (even && row.method().startsWith("semi-definite")) {
        assertEquals(100, row.ours().mean(), row.toString());
      } else if (even && row.method().equals("loss never rises")) {
        assertEquals(100, row.ours().mean(), row.toString());
      }
    }
    // No clipping and a threshold that nothing reaches are the same run.
    assertEquals(finding.rows().get(4).ours(), finding.rows().get(19).ours());
  }

  @Test
  void noiseHoldsTheLossUp() throws IOException {
    Finding finding = Bench.run(Bench.only("noisy fit", NoiseOnly.EXPERIMENT), folder);
    var perfect =
        finding.rows().stream()
            .filter(row -> row.setting().startsWith("perfect"))
            .map(row -> row.ours().mean())
            .toList();
    assertEquals(5, perfect.size());
    for (int i = 1; i < perfect.size(); i++) {
      assertTrue(perfect.get(i) > perfect.get(i - 1), perfect::toString);
    }
  }
}
