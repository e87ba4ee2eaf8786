package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.discreet.lab.catalog.Experiments;
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
      finding.verdicts().forEach(text -> assertFalse(text.contains("null"), text));
    }
  }
}
