package dev.discreet.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepBenchTest {

  @Test
  @SuppressWarnings("unchecked")
  void bothKindsAreTimed() {
    Map<String, Object> answer =
        Run.of(
                "bench step --model logistic --input 4x4x1 --lot 50 --threads 1 --rounds 1 --seconds 0.1"
                    + " --json")
            .object();
    for (String kind : new String[] {"private", "nonPrivate"}) {
      Map<String, Object> timed = (Map<String, Object>) answer.get(kind);
      double rate = ((Number) timed.get("examplesPerSecond")).doubleValue();
      double seconds = ((Number) timed.get("stepSeconds")).doubleValue();
      assertEquals(50, rate * seconds, 1e-6);
      assertTrue(((Number) timed.get("steps")).intValue() >= 1);
    }
  }

  @Test
  void stepsThatAreChargedToAnAccountAreTimedToo(@TempDir Path folder) throws IOException {
    Map<String, Object> answer =
        Run.of(
                "bench step --model logistic --input 4x4x1 --lot 50 --threads 1 --rounds 1 --seconds 0.1"
                    + " --json --account-in "
                    + folder)
            .object();
    assertTrue(((Number) answer.get("chargedMeanTimeOverPrivate")).doubleValue() > 0);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void refusals() {
    assertEquals(
        "discreet bench step: lot must be a whole number in [1, 60000]. Provided value: 0",
        Run.of("bench step --lot 0").line(2));
    assertEquals(
        "discreet bench step: shape must be HEIGHTxWIDTHxCHANNELS or SIZE. Provided value: 3x3",
        Run.of("bench step --input 3x3").line(2));
    assertEquals(
        "discreet bench step: threads must be a whole number in [1, 1024]. Provided value: 1.5",
        Run.of("bench step --threads 1.5").line(2));
  }
}
