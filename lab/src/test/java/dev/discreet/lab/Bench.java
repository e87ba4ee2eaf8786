package dev.discreet.lab;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Runs an experiment, or a trial, as the command does, for tests. */
public final class Bench {
  public static final Effort QUICK = new Effort(true, OptionalInt.empty());

  private Bench() {}

  public static Finding run(Experiment experiment, Path folder) throws IOException {
    return run(experiment, folder, DataOptions.none());
  }

  /** The same on copies of the real sets; a test without them is skipped. */
  public static Finding runOnRealData(Experiment experiment, Path folder) throws IOException {
    Optional<Path> found =
        Stream.of(System.getenv("DISCREET_DATA"), "../shared/data", "../../shared/data")
            .filter(path -> path != null && Files.isDirectory(Path.of(path)))
            .map(Path::of)
            .findFirst();
    assumeTrue(found.isPresent(), "no copies of the named sets: set DISCREET_DATA");
    return run(experiment, folder, DataOptions.named(found, 0, line -> {}));
  }

  private static Finding run(Experiment experiment, Path folder, DataOptions data)
      throws IOException {
    return new Laboratory(folder, 1, data, line -> {}).run(List.of(experiment), QUICK).get(0);
  }

  /** One trial of a test's own, in a real laboratory. */
  public static Outcome trial(Path folder, Trial trial) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    Trial seen =
        new ToyTrial(
            "on bench",
            workshop -> {
              outcomes.add(trial.run(workshop));
              return Outcome.of("value", 0);
            });
    run(Toy.of("bench", seen), folder);
    return outcomes.get(0);
  }

  /** Before anything was run. */
  public static Finding empty(Experiment experiment, Effort effort) throws IOException {
    return experiment.finding(effort, new Outcomes(Map.of()));
  }

  /** The mean of the row of that setting and method. */
  public static double ours(Finding finding, String setting, String method) {
    return finding.rows().stream()
        .filter(row -> row.setting().startsWith(setting) && row.method().startsWith(method))
        .findFirst()
        .orElseThrow()
        .ours()
        .mean();
  }

  /** An experiment with those of its trials whose text has this in it. */
  public static Experiment only(String part, Experiment experiment) {
    return new Experiment(
        experiment.name(),
        experiment.number(),
        experiment.place(),
        experiment.summary(),
        setup -> new Part(setup, part, experiment));
  }

  private static final class Part extends Study {
    private final String part;
    private final Study whole;

    Part(Setup setup, String part, Experiment experiment) {
      super(setup);
      this.part = part;
      this.whole = experiment.study().apply(setup);
    }

    @Override
    protected void write() {}

    @Override
    Finding finding() {
      Finding all = whole.finding();
      return new Finding(
          all.question(),
          all.measure(),
          all.rows(),
          all.tables(),
          all.figures(),
          all.verdicts(),
          all.rulings(),
          all.assumed(),
          all.runFile(),
          all.isCommand(),
          all.trials().stream().filter(trial -> trial.text().contains(part)).toList());
    }
  }
}
