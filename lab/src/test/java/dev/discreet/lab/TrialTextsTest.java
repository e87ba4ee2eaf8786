package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.catalog.Experiments;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is kept is found again by its text. */
class TrialTextsTest {

  static Stream<Experiment> all() {
    return Experiments.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void aTrialsTextTellsItFromTheOthers(Experiment experiment) {
    Effort effort = Effort.full();
    List<String> texts = experiment.trials(effort).stream().map(Trial::text).toList();
    assertFalse(texts.isEmpty());
    // The same trial may be asked for twice; a second call must ask for the same.
    assertEquals(texts, experiment.trials(effort).stream().map(Trial::text).toList());
    List<String> quick = experiment.trials(Bench.QUICK).stream().map(Trial::text).toList();
    assertTrue(new HashSet<>(quick).size() <= new HashSet<>(texts).size());
  }
}
