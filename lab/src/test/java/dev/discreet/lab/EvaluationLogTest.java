package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.train.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationLogTest {
  private static final Event.Evaluated CLASSES =
      new Event.Evaluated(
          10, new Evaluation.Classification(10, 0.1 + 0.2, List.of(List.of(4, 1), List.of(2, 3))));
  private static final Event.Evaluated NUMBERS =
      new Event.Evaluated(20, new Evaluation.Regression(10, Double.NaN, 1e-300, 1e-9));
  private static final Event.Evaluated LAST =
      new Event.Evaluated(30, new Evaluation.Regression(10, 0.25, 0.5, 0.75));

  @Test
  void whatIsKeptIsTheSame(@TempDir Path folder) throws IOException {
    EvaluationLog log = new EvaluationLog(folder.resolve("log"));
    log.mend();
    assertEquals(List.of(LAST), log.with(List.of(LAST)));
    log.add(NUMBERS);
    log.add(CLASSES);
    assertEquals(List.of(CLASSES, NUMBERS, LAST), log.with(List.of(LAST)));
    // What was told again counts.
    Event.Evaluated again = new Event.Evaluated(20, LAST.evaluation());
    assertEquals(List.of(CLASSES, again), log.with(List.of(again)));
  }

  @Test
  void aLineThatWasCutShortIsNone(@TempDir Path folder) throws IOException {
    EvaluationLog log = new EvaluationLog(folder.resolve("log"));
    log.add(CLASSES);
    log.add(NUMBERS);
    String text = Files.readString(log.file());
    Files.writeString(log.file(), text.substring(0, text.length() - 5));
    log.mend();
    log.add(LAST);
    assertEquals(List.of(CLASSES, LAST), log.with(List.of()));
  }
}
