package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.lab.catalog.Experiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hours of trials are kept in the sources, each under the text of its trial. Whoever changes what
 * such a text is made of carries the kept lines over: an outcome that is not found is run again.
 */
class KeptTrialsTest {
  private static final Path KEPT = Path.of("..", "docs", "results", "trials");

  /** As many seeds as anyone may have asked for. */
  private static final Effort MANY = new Effort(false, OptionalInt.of(20));

  static Stream<Experiment> all() {
    return Experiments.all().stream();
  }

  private static List<String> texts(Experiment experiment) throws IOException {
    List<String> texts = new ArrayList<>();
    for (String line : Files.readAllLines(KEPT.resolve(experiment.name() + ".jsonl"))) {
      texts.add((String) JSON.std.mapFrom(line).get("trial"));
    }
    return texts;
  }

  /**
   * No kept line is found by no trial or by two, and what the pages are made of need not be run
   * again.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void everyKeptLineIsOfOneTrialAndEveryTrialOfThePagesIsKept(Experiment experiment)
      throws IOException {
    List<String> kept = texts(experiment);
    assertEquals(kept.stream().distinct().toList(), kept);
    List<String> full = texts(experiment, Effort.full());
    Set<String> trials = new HashSet<>(full);
    trials.addAll(texts(experiment, MANY));
    assertEquals(List.of(), kept.stream().filter(text -> !trials.contains(text)).toList());
    assertEquals(List.of(), full.stream().filter(text -> !kept.contains(text)).toList());
  }

  private static List<String> texts(Experiment experiment, Effort effort) {
    return experiment.trials(effort).stream().map(Trial::text).toList();
  }

  @Test
  void nothingIsKeptOfExperimentsThatAreNone() throws IOException {
    try (Stream<Path> files = Files.list(KEPT)) {
      assertEquals(
          all().map(experiment -> experiment.name() + ".jsonl").collect(Collectors.toSet()),
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
    }
  }
}
