package dev.discreet.core.train;

import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.LabelUnit;
import dev.discreet.core.evaluate.Metric;
import dev.discreet.core.evaluate.Metrics;
import dev.discreet.core.evaluate.NoisyFigures;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.evaluate.ScoreNoise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The door to checkpoints, which only a run reads, for the tests of hostile input. */
public final class CheckpointReading {
  private static final Map<String, String> CONFIGURATION =
      Map.of("network", "dense(2)", "steps", "9");

  private static final NoisyFigures FIGURES =
      new NoisyFigures(
          List.of(List.of(40.5, -1.0), List.of(3.0, 50.0)),
          4,
          Collections.nCopies(10, List.of(5.0, 5.5, -0.25)),
          4,
          16,
          Double.NaN,
          0.04);

  private CheckpointReading() {}

  /** Writes one. */
  public static void write(Path file) throws IOException {
    new Checkpoint(
            CONFIGURATION,
            7,
            new float[] {1, 2, 3, 4},
            6,
            new float[] {0.5f, 0, 0, 1},
            new float[0],
            new double[] {0.25},
            List.of(1.5),
            3,
            new float[] {1, 1, 1, 1},
            Optional.of(
                new NoisyScore(
                    true,
                    0.9,
                    new ScoreNoise(0.01, 0.5),
                    100,
                    2,
                    Double.NaN,
                    Optional.of(FIGURES))),
            List.of(
                new Event.Evaluated(
                    5,
                    new Evaluation.Classification(10, 0.5, List.of(List.of(4, 1), List.of(2, 3)))),
                new Event.Evaluated(6, new Evaluation.Regression(10, 0.5, 0.1, 0.2))))
        .write(file, "NOT PRIVATE: a test.");
  }

  /** Reads one, writes it elsewhere and reads that. */
  public static void readTwice(Path file, Path scratch) throws IOException {
    Checkpoint read = Checkpoint.read(file, CONFIGURATION);
    for (Event.Evaluated each : read.evaluations()) {
      each.evaluation().match(Evaluation.Classification::accuracy, Evaluation.Regression::rSquared);
    }
    read.heldOut().ifPresent(NoisyScore::range);
    read.heldOut().ifPresent(score -> Metrics.of(score, LabelUnit.SCALED).forEach(Metric::text));
    read.write(scratch, "NOT PRIVATE: a test.");
    Checkpoint again = Checkpoint.read(scratch, CONFIGURATION);
    if (again.step() != read.step()
        || !Arrays.equals(again.theta(), read.theta())
        || !Arrays.equals(again.noise(), read.noise())
        || !again.evaluations().equals(read.evaluations())
        || !again.heldOut().equals(read.heldOut())) {
      throw new AssertionError("read, written and read again: " + read + " and " + again);
    }
  }
}
