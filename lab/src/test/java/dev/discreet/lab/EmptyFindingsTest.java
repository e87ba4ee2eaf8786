package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.catalog.Experiments;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every experiment has a page before its first trial. */
class EmptyFindingsTest {
  static Stream<Experiment> experiments() {
    return Experiments.all().stream();
  }

  @ParameterizedTest
  @MethodSource("experiments")
  void aPageBeforeTheFirstTrial(Experiment experiment) throws IOException {
    for (Effort effort : List.of(Bench.QUICK, Effort.full())) {
      Finding finding = Bench.empty(experiment, effort);
      assertFalse(finding.rows().isEmpty());
      assertFalse(finding.verdicts().isEmpty());
      if (!finding.runFile().isEmpty() && !finding.isCommand()) {
        // What a page offers is a run file.
        Recipe recipe = Recipe.parse(finding.runFile());
        assertTrue(finding.runFile().endsWith(recipe.yaml()), finding.runFile());
      }
      finding.verdicts().forEach(text -> assertFalse(text.contains("null"), text));
    }
  }
}
