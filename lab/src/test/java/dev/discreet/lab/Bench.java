package dev.discreet.lab;

import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Runs an experiment as the command does, for tests. */
public final class Bench {
  public static final Effort QUICK = new Effort(true, OptionalInt.empty());

  private Bench() {}

  public static Finding run(Experiment experiment, Path folder) throws IOException {
    return new Laboratory(folder, 1, DataOptions.none(), line -> {})
        .run(List.of(experiment), QUICK)
        .get(0);
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
}
