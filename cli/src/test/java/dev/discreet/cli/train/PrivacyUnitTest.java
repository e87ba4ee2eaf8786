package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom a run protects: micro-batches, units from a table, a bound on their examples. */
class PrivacyUnitTest {
  @TempDir private Path folder;

  private Path out() {
    return folder.resolve("out");
  }

  private String file(String name) throws IOException {
    return Files.readString(out().resolve(name));
  }

  /** Sixty random images of 3×3 pixels, of twenty people. */
  private Path images() throws IOException {
    ByteBuffer images = ByteBuffer.allocate(16 + 9 * 60);
    images.putInt(0x803).putInt(60).putInt(3).putInt(3);
    ByteBuffer labels = ByteBuffer.allocate(8 + 60);
    labels.putInt(0x801).putInt(60);
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder map = new StringBuilder("row,unit\n");
    for (int i = 0; i < 60; i++) {
      for (int p = 0; p < 9; p++) {
        images.put((byte) random.nextInt(256));
      }
      labels.put((byte) random.nextInt(2));
      map.append(i + ",person " + i % 20 + "\n");
    }
    Files.write(folder.resolve("scans-labels-idx1-ubyte"), labels.array());
    Files.writeString(folder.resolve("people.csv"), map);
    return Files.write(folder.resolve("scans-images-idx3-ubyte"), images.array());
  }

  private Run scans(String... more) throws IOException {
    List<String> all = new ArrayList<>(List.of("train", "--data", images().toString()));
    all.addAll(List.of("--label", "0|1", "--steps", "3", "--lot-size", "4"));
    all.addAll(List.of("--quiet", "--noise-multiplier", "2", "--held-out", "none"));
    all.addAll(List.of("--out", out().toString()));
    all.addAll(List.of(more));
    return Run.of(all.toArray(String[]::new));
  }

  @Test
  void microBatchesAreAccountedAtTwiceTheThreshold() throws IOException {
    Run run =
        Run.of(
            "train --data gaussians --steps 5 --noise-multiplier 2 --sampling-rate 0.05"
                + " --micro-batch 4 --out "
                + out());
    run.done();
    assertTrue(run.out().contains("each single example (replace-one); one of about 4"), run.out());
    assertTrue(run.out().contains("moves a sum by twice the threshold"), run.out());
    Mechanism entry = new Mechanism.PoissonSampled(0.05, new Mechanism.Gaussian(2));
    assertEquals(Ledger.of(Neighbouring.REPLACE_ONE, entry, 5), Ledger.parse(file("ledger.json")));
    assertTrue(file("privacy.txt").contains("micro-batches of about 4"), file("privacy.txt"));
    assertTrue(file("run.yaml").contains("micro-batch: 4"), file("run.yaml"));
    assertTrue(file("run.yaml").contains("neighbouring: replace-one"), file("run.yaml"));
    Map<String, Object> json = JSON.std.mapFrom(file("run.json"));
    assertTrue(json.toString().contains("microBatches=MicroBatches[size=4"), json.toString());
  }

  @Test
  void wholeMicroBatchesAreNamedAsWhatIsProtected() {
    String[] asked =
        ("train --data gaussians --dry-run --steps 5 --noise-multiplier 2 --micro-batch 4 --unit")
            .split(" ");
    List<String> all = new ArrayList<>(List.of(asked));
    all.add("micro-batch group");
    String plan = Run.of(all.toArray(String[]::new)).done().out();
    assertTrue(plan.contains("each single micro-batch group (add/remove)"), plan);
    assertTrue(plan.contains("alone, is promised less"), plan);
  }

  @Test
  void aTableSaysWhoseEachImageIsAndABoundHowManyCount() throws IOException {
    String map = folder.resolve("people.csv").toString();
    Run run = scans("--unit-map", map, "--unit", "patient", "--examples-per-unit", "2");
    run.done();
    assertTrue(file("privacy.txt").contains("Each single patient."), file("privacy.txt"));
    assertFalse(file("privacy.txt").contains("The number of patients, 60"), file("privacy.txt"));
    assertTrue(file("run.yaml").contains("examples-per-unit: 2"), file("run.yaml"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--micro-batch 0 | micro-batch must be a whole number in [1, 2147483647]",
        "--micro-batch 1000 | micro-batch must be in [2, ",
        "--micro-batch 2 --neighbouring add/remove | or else the unit micro-batch group. Provided"
            + " value: add/remove of one example",
        "--micro-batch 2 --held-out released | must be add/remove",
        "--examples-per-unit 3 | --examples-per-unit needs --unit-column or --unit-map",
        "--unit-map MAP --unit-column id | unit map must be left out beside a unit column",
        "--unit-map MAP --examples-per-unit 0 | examples per unit must be",
      })
  void nonsenseIsRefused(String options, String message) throws IOException {
    String given = options.replace("MAP", folder.resolve("people.csv").toString());
    List<String> more = new ArrayList<>(List.of(given.split(" ")));
    if (given.contains("--held-out")) {
      // SettingValues twice it would be refused for that.
      Path data = images();
      List<String> all = new ArrayList<>(List.of("train", "--data", data.toString()));
      all.addAll(List.of("--label", "0|1", "--steps", "3", "--out", out().toString()));
      all.addAll(more);
      String line = Run.of(all.toArray(String[]::new)).line(2);
      assertTrue(line.contains(message), line);
      return;
    }
    String line = scans(more.toArray(String[]::new)).line(2);
    assertTrue(line.contains(message), line);
    assertFalse(Files.exists(out()));
  }
}
