package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialLogTest {
  private static final Trial ONE = trial("λ = 1, seed 1");
  private static final Trial TWO = trial("λ = 1, seed 2");

  private Path file;

  @BeforeEach
  void place(@TempDir Path folder) {
    file = folder.resolve("trials").resolve("toy.jsonl");
  }

  private static Trial trial(String text) {
    return new ToyTrial(text, workshop -> Outcome.of("value", 0));
  }

  @Test
  void whatIsKeptIsFoundAgain() throws IOException {
    Outcome outcome = Outcome.of("value", 0.1234567891).with("curve", List.of(1.0, 1e-12, -3e20));
    new TrialLog(file).add(ONE, outcome, 12.34);
    TrialLog again = new TrialLog(file);
    assertTrue(again.has(ONE));
    assertFalse(again.has(TWO));
    Outcome read = again.outcomes().of(ONE).orElseThrow();
    assertEquals(0.1234568, read.value("value"));
    assertEquals(List.of(1.0, 1e-12, -3e20), read.curve("curve"));
    assertEquals(OptionalDouble.of(12.3), again.seconds(ONE));
  }

  @Test
  void whatIsNoNumberIsKeptToo() throws IOException {
    List<Double> odd =
        List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0);
    new TrialLog(file).add(ONE, new Outcome(Map.of("value", odd)), 1);
    assertEquals(odd, new TrialLog(file).outcomes().of(ONE).orElseThrow().curve("value"));
  }

  /** Wherever the power failed, also inside a letter of two bytes. */
  @Test
  void aLastLineThatWasCutShortIsNone() throws IOException {
    TrialLog log = new TrialLog(file);
    log.add(ONE, Outcome.of("value", 1), 1);
    long first = Files.size(file);
    log.add(TWO, Outcome.of("value", 2), 1);
    byte[] whole = Files.readAllBytes(file);
    for (int length = (int) first; length < whole.length - 1; length += 3) {
      Files.write(file, Arrays.copyOf(whole, length));
      TrialLog cut = new TrialLog(file);
      assertTrue(cut.has(ONE));
      assertFalse(cut.has(TWO), "cut to " + length);
      cut.add(TWO, Outcome.of("value", 3), 1);
      TrialLog mended = new TrialLog(file);
      assertEquals(1, mended.outcomes().of(ONE).orElseThrow().value("value"));
      assertEquals(3, mended.outcomes().of(TWO).orElseThrow().value("value"));
      assertEquals(2, Files.readAllLines(file).size(), "cut to " + length);
    }
  }

  @Test
  void aWholeLineWithoutItsEndIsOne() throws IOException {
    new TrialLog(file).add(ONE, Outcome.of("value", 1), 1);
    Files.writeString(file, Files.readString(file).strip());
    TrialLog log = new TrialLog(file);
    assertTrue(log.has(ONE));
    log.add(TWO, Outcome.of("value", 2), 1);
    assertEquals(2, new TrialLog(file).outcomes().size());
  }

  @Test
  void linesOfAnotherProcessStay() throws IOException {
    TrialLog mine = new TrialLog(file);
    new TrialLog(file).add(ONE, Outcome.of("value", 1), 1);
    mine.add(TWO, Outcome.of("value", 2), 1);
    assertEquals(2, new TrialLog(file).outcomes().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "{}",
        "{\"trial\":\"a\"}",
        "{\"measures\":{\"value\":[1]}}",
        "{\"trial\":\"a\",\"measures\":{\"value\":[null]}}",
        "{\"trial\":\"a\",\"measures\":{\"value\":[\"x\"]}}",
        "{\"trial\":\"a\",\"measures\":{\"value\":1}}"
      })
  void aBadLineIsNamed(String line) throws IOException {
    new TrialLog(file).add(ONE, Outcome.of("value", 1), 1);
    Files.write(file, (line + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    IOException refused = assertThrows(IOException.class, () -> new TrialLog(file));
    assertTrue(refused.getMessage().contains("line 2"), refused.getMessage());
    assertTrue(refused.getMessage().contains("toy.jsonl"), refused.getMessage());
  }

  @Test
  void aBlankLineIsPassedOver() throws IOException {
    new TrialLog(file).add(ONE, Outcome.of("value", 1), 1);
    Files.writeString(file, "\n", StandardOpenOption.APPEND);
    assertTrue(new TrialLog(file).has(ONE));
  }
}
