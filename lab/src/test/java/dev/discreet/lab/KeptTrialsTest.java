package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.lab.catalog.Experiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** None is found by no trial, and none by two. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void everyKeptLineIsOfOneTrial(Experiment experiment) throws IOException {
    List<String> kept = texts(experiment);
    assertEquals(kept.stream().distinct().toList(), kept);
    Set<String> trials =
        Stream.of(Effort.full(), MANY)
            .flatMap(effort -> experiment.trials(effort).stream())
            .map(Trial::text)
            .collect(Collectors.toSet());
    assertEquals(List.of(), kept.stream().filter(text -> !trials.contains(text)).toList());
  }

  /** What the pages are made of need not be run again. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void everyTrialOfTheFullPagesIsKept(Experiment experiment) throws IOException {
    Set<String> kept = Set.copyOf(texts(experiment));
    List<String> missing =
        experiment.trials(Effort.full()).stream()
            .map(Trial::text)
            .filter(text -> !kept.contains(text))
            .toList();
    assertEquals(List.of(), missing);
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
