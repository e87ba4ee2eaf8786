package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibratedRunTest {
  @TempDir private Path folder;
  private Path data;
  private Path run;

  @BeforeEach
  void train() throws IOException {
    data = Small.table(folder, 600, 1);
    run = folder.resolve("run");
    // Weights make it say the second class too often.
    Small.run(
            data,
            run,
            "--noise-multiplier",
            "0.5",
            "--class-weights",
            "yes=9",
            "--held-out",
            "none",
            "--steps",
            "60",
            "--quiet")
        .done();
  }

  private Run evaluate(Path of, String... more) {
    return Run.of(
        Stream.concat(Stream.of("evaluate", "--run", of.toString()), Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void theCopyCanBeBelievedAndKeepsItsPromise() throws IOException {
    String rows = Small.table(folder, 500, 2).toString();
    Path out = folder.resolve("calibrated");
    // Two columns of few values: rows of others look the same.
    Run made =
        evaluate(
                run,
                "--public-test",
                rows,
                "--public-rows-are-other-people",
                "--calibrate",
                out.toString())
            .done();
    assertTrue(made.out().contains("calibrated"), made.out());
    assertEquals(
        List.of(
            "ledger.json",
            "model.json",
            "model.safetensors",
            "privacy.txt",
            "run.json",
            "run.yaml"),
        Small.names(out));
    for (String same : List.of("ledger.json", "privacy.txt", "run.json")) {
      assertEquals(Files.readString(run.resolve(same)), Files.readString(out.resolve(same)), same);
    }
    String model = Files.readString(out.resolve("model.json"));
    assertTrue(model.contains("\"calibration\""), model);
    assertTrue(model.contains("patients-2.csv, declared public"), model);
    // On rows that it was not fitted to.
    String others = Small.table(folder, 500, 3).toString();
    double before = evaluate(run, "--data", others, "--json").number("testCalibrationError");
    double after = evaluate(out, "--data", others, "--json").number("testCalibrationError");
    assertTrue(after < before, after + " after " + before);
  }

  @Test
  void rowsThatAreNotPublicAreRefused() throws IOException {
    Path out = folder.resolve("refused");
    String others = Small.table(folder, 300, 3).toString();
    Run unlabelled = evaluate(run, "--data", others, "--calibrate", out.toString());
    assertEquals(2, unlabelled.code());
    assertTrue(unlabelled.err().contains("rows to calibrate on must be public"), unlabelled.err());
    // Who calls the private rows public does not make them so.
    List<String> lines = Files.readAllLines(data);
    String copy = Files.write(folder.resolve("part.csv"), lines.subList(0, 300)).toString();
    Run own = evaluate(run, "--public-test", copy, "--calibrate", out.toString());
    assertTrue(own.err().contains("public examples must be none of the private ones"), own.err());
    // Nor can other data beside them hide that they are the run's.
    Run beside =
        evaluate(
            run,
            "--data",
            others,
            "--public-test",
            copy,
            "--pass-over-account",
            "--calibrate",
            out.toString());
    assertTrue(
        beside.err().contains("data beside --calibrate must be those of the run"), beside.err());
    assertFalse(Files.exists(out));
  }

  @Test
  void anotherRunIsNotReplaced() throws IOException {
    String rows = Small.table(folder, 300, 2).toString();
    Run again = evaluate(run, "--public-test", rows, "--calibrate", run.toString());
    assertEquals(2, again.code());
    assertTrue(again.err().contains("must be a new folder"), again.err());
  }
}
