package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.privacy.journal.Journal;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run that was killed goes on as. */
class KilledTrainingTest {
  private static final Examples TRAIN = Problems.classes(400, 1);

  @TempDir private Path folder;

  private void kill(int afterSteps) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledTraining.class.getName(),
                folder.resolve("run").toString(),
                Integer.toString(afterSteps))
            .redirectError(folder.resolve("errors").toFile())
            .start();
    try (BufferedReader from = process.inputReader()) {
      assertEquals("waiting", from.readLine());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private long charged() {
    return Journal.read(folder.resolve("run").resolve(RunFiles.JOURNAL))
        .ledger()
        .totals()
        .values()
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private Result resume(List<Long> steps) {
    return KilledTraining.trainer()
        .checkpoints(folder.resolve("run"), 32)
        .listener(
            event -> {
              if (event instanceof Event.StepDone done) {
                steps.add(done.step());
              }
            })
        .resume(TRAIN, null);
  }

  /** The journal charges two steps at a time here, and checkpoints are 32 steps apart. */
  @Test
  void withNothingChargedSinceItsCheckpointItEndsAsOneThatWasNeverStopped()
      throws IOException, InterruptedException {
    float[] whole = KilledTraining.trainer().train(TRAIN).model().parameters();
    kill(128);
    assertEquals(128, charged());
    List<Long> steps = new ArrayList<>();
    assertArrayEquals(whole, resume(steps).model().parameters());
    assertEquals(129, steps.get(0));
    assertEquals(72, steps.size());
  }

  @Test
  void whatWasChargedSinceStaysChargedAndIsNotTakenAgain()
      throws IOException, InterruptedException {
    float[] whole = KilledTraining.trainer().train(TRAIN).model().parameters();
    kill(129);
    assertEquals(130, charged());
    List<Long> steps = new ArrayList<>();
    Result result = resume(steps);
    assertFalse(Arrays.equals(whole, result.model().parameters()));
    assertEquals(131, steps.get(0));
    assertEquals(70, steps.size());
    assertEquals(200, charged());
  }
}
