package dev.discreet.lab;

import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Runs experiments in tests. */
public final class Kept {
  private Kept() {}

  /** Quick trials of an experiment and its page, on real data where it needs them. */
  public static Finding quick(Experiment experiment, Path folder, boolean realData)
      throws IOException {
    Optional<Path> data = Optional.empty();
    if (realData) {
      data = data();
      Assumptions.assumeTrue(
          data.isPresent(), "no real data: set DISCREET_DATA to the folder that holds mnist/ …");
    }
    DataOptions none = DataOptions.none();
    DataOptions options =
        new DataOptions(
            none.labels(),
            none.label(),
            none.columns(),
            none.unit(),
            none.bounds(),
            none.mean(),
            none.deviation(),
            none.publicTest(),
            none.testShare(),
            data,
            0,
            none.progress());
    return new Laboratory(folder, 2, options, line -> {})
        .run(List.of(experiment), new Effort(true, java.util.OptionalInt.empty()))
        .get(0);
  }

  /** An experiment with those of its trials whose text has this in it. */
  public static Experiment only(String part, Experiment experiment) {
    return new Experiment() {
      @Override
      public String name() {
        return experiment.name();
      }

      @Override
      public String document() {
        return experiment.document();
      }

      @Override
      public String summary() {
        return experiment.summary();
      }

      @Override
      public List<Trial> trials(Effort effort) {
        return experiment.trials(effort).stream()
            .filter(trial -> trial.text().contains(part))
            .toList();
      }

      @Override
      public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
        return experiment.finding(effort, outcomes);
      }
    };
  }

  private static Optional<Path> data() {
    String told = System.getenv("DISCREET_DATA");
    return (told == null
            ? List.of(Path.of("../../shared/data"), Path.of("../shared/data"))
            : List.of(Path.of(told)))
        .stream().filter(folder -> Files.isDirectory(folder.resolve("mnist"))).findFirst();
  }
}
