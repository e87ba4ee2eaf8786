package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForgedCheckpointTest {
  @TempDir Path folder;

  @Test
  void stepsBelowZeroAreRefused() throws IOException {
    Path file = folder.resolve("c.safetensors");
    float[] none = {};
    new Checkpoint(
            Map.of(),
            -1,
            none,
            0,
            none,
            none,
            new double[0],
            List.of(),
            0,
            none,
            Optional.empty(),
            List.of())
        .write(file, "for a test");
    String message =
        assertThrows(IllegalArgumentException.class, () -> Checkpoint.read(file, Map.of()))
            .getMessage();
    assertTrue(message.contains("at least 0"), message);
  }
}
