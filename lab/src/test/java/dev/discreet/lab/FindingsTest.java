package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every experiment must do, whatever was run. */
class FindingsTest {

  static Stream<Experiment> all() {
    return Experiments.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void aFindingCopesWithNothing(Experiment experiment) throws IOException {
    for (Effort effort : List.of(Effort.full(), new Effort(true, java.util.OptionalInt.empty()))) {
      Finding finding = experiment.finding(effort, new Outcomes(Map.of()));
      assertFalse(finding.rows().isEmpty());
      assertFalse(finding.question().isBlank());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void aTrialsTextTellsItFromTheOthers(Experiment experiment) {
    Effort effort = Effort.full();
    List<String> texts = experiment.trials(effort).stream().map(Trial::text).toList();
    assertFalse(texts.isEmpty());
    // The same trial may be asked for twice; a second call must ask for the same.
    assertEquals(texts, experiment.trials(effort).stream().map(Trial::text).toList());
    List<String> quick =
        experiment.trials(new Effort(true, java.util.OptionalInt.empty())).stream()
            .map(Trial::text)
            .toList();
    assertTrue(new HashSet<>(quick).size() <= new HashSet<>(texts).size());
  }
}
