package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.cli.Run;
import dev.discreet.recipe.setting.LotSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.SettingValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainCommandTest {
  private static final List<String> FILES =
      List.of(
          "ledger.json",
          "metrics.csv",
          "model.json",
          "model.safetensors",
          "privacy.txt",
          "report.html",
          "run.json",
          "run.yaml");

  @TempDir private Path folder;
  private Path data;

  @BeforeEach
  void makeData() throws IOException {
    data = Small.table(folder, 1317, 1);
  }

  private Path out(String name) {
    return folder.resolve(name);
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  @Test
  void aRunWithATargetWritesAllItsFiles() throws IOException {
    Path out = out("target");
    Run run = Run.of("train --data gaussians --steps 5 --epsilon 2 --out " + out);
    run.done();
    for (String row :
        List.of("data ", "will spend ", "lots ", "memory ", "time ", "test accuracy ")) {
      assertTrue(run.out().lines().anyMatch(line -> line.startsWith(row)), row + run.out());
    }
    assertTrue(run.out().contains(out.resolve("report.html").toString()));
    assertEquals(FILES, Small.names(out));
    String metrics = text(out.resolve("metrics.csv"));
    assertTrue(
        metrics.startsWith(
            "step,epsilon,testLoss,testAccuracy,testBalancedAccuracy,testAuc,testF1,testLogLoss,"
                + "testCalibrationError,privacy\n5,1.9"),
        metrics);
    Map<String, Object> json = JSON.std.mapFrom(text(out.resolve("run.json")));
    assertEquals("privacy", json.keySet().iterator().next());
    assertEquals("gaussians", ((Map<?, ?>) json.get("settings")).get("data"));
    String report = text(out.resolve("report.html"));
    assertTrue(report.contains("gaussians"));
    // One evaluation, and a curve all the same.
    for (int step = 0; step <= 5; step++) {
      assertTrue(report.contains("step " + step + ": "), "step " + step);
    }
  }

  @Test
  void jsonIsOneValueWithTheNamesOfTheDesign() {
    Run run = Run.of("train --data gaussians --steps 3 --json --quiet --out " + out("json"));
    Map<String, Object> fields = run.object();
    for (String name :
        List.of(
            "epsilon",
            "epsilonLower",
            "delta",
            "noiseMultiplier",
            "samplingRate",
            "steps",
            "accountant",
            "testAccuracy",
            "testLoss",
            "seconds",
            "examplesPerSecond")) {
      assertTrue(fields.containsKey(name), name);
    }
    assertEquals(0.1, run.number("samplingRate"));
    assertTrue(run.number("epsilon") <= 3 && run.number("epsilon") > 2.99);
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    Path place = Files.createDirectory(out("dry"));
    Run run = Run.of(Small.train(data, place.resolve("run"), "--dry-run"));
    run.done();
    assertTrue(run.out().contains("will spend  epsilon 2.99"), run.out());
    assertEquals(List.of(), Small.names(place));
    Run json = Run.of(Small.train(data, place.resolve("run"), "--dry-run", "--json"));
    assertTrue(json.number("epsilon") > 2.99 && json.number("estimatedSeconds") > 0, json.out());
    Run seeded =
        Run.of(
            Small.train(data, place.resolve("run"), "--dry-run", "--json", "--insecure-seed", "3"));
    assertTrue(seeded.out().contains("\"epsilon\":\"Infinity\""), seeded.out());
    assertTrue(seeded.number("epsilonWithSecretKeys") > 2.99, seeded.out());
  }

  /** The saved run has all defaults filled in, and is the same run again. */
  @Test
  void aSavedRunIsTheSameRun() throws IOException {
    Path saved = out("saved.yaml");
    Small.run(data, out("first"), "--insecure-seed", "5", "--quiet", "--save-run", saved.toString())
        .done();
    SettingValues given = RunFile.read(saved);
    assertEquals(6L, given.get(LotSettings.STEPS).orElseThrow());
    assertEquals(3.0, given.get(PrivacySettings.EPSILON).orElseThrow());
    Run.of("train", saved.toString(), "--quiet", "--out", out("second").toString()).done();
    for (String name : FILES) {
      if (Files.exists(out("first").resolve(name))) {
        assertEquals(text(out("first").resolve(name)), text(out("second").resolve(name)), name);
      }
    }
    Run.of("train", out("first") + "/run.yaml", "--quiet", "--out", out("third").toString()).done();
    assertEquals(
        text(out("first").resolve("model.safetensors")),
        text(out("third").resolve("model.safetensors")));
    String again = Run.of("train", saved.toString(), "--save-run", saved.toString()).line(2);
    assertTrue(again.contains("save run must be a new file (or --force replaces it)"), again);
  }

  @Test
  void anOptionOverridesTheFile() throws IOException {
    Path file =
        Files.writeString(
            out("over.yaml"), "data: gaussians\nepochs: 3\nclip: 0.5\nnoise-multiplier: 0.75\n");
    Run run =
        Run.of(
            "train",
            file.toString(),
            "--steps",
            "2",
            "--json",
            "--quiet",
            "--out",
            out("over").toString());
    assertEquals(2, run.number("steps"));
    assertEquals(0.75, run.number("noiseMultiplier"));
    String written = text(out("over").resolve("run.yaml"));
    assertTrue(written.contains("\nsteps: 2\n") && written.contains("\nclip: 0.5\n"), written);
    assertFalse(written.contains("epochs"), written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--non-private", "--insecure-seed 3", "--non-private --insecure-seed 3"})
  void aRunThatProtectsNoOneSaysSoInEveryFile(String options) throws IOException {
    Path out = out("marked" + options.replace(" ", ""));
    Run run = Small.run(data, out, (options + " --held-out console --quiet").split(" "));
    run.done();
    List<String> marks =
        options.startsWith("--non-private") ? List.of("NOT PRIVATE") : List.of("INSECURE");
    assertTrue(run.out().contains(marks.get(0)), run.out());
    assertTrue(Small.files(out).size() >= 7);
    for (Path file : Small.files(out)) {
      for (String mark : marks) {
        assertTrue(text(file).contains(mark), file + " does not say " + mark);
      }
    }
    assertFalse(Files.exists(out.resolve("ledger.json")));
  }

  /**
   * Rows are 1317, of which a fifth is held out; 1000 are declared. Nothing else that the rows
   * decide is in a file.
   */
  @Test
  void noFileTellsWhatTheRowsDecide() throws IOException {
    Path out = out("discreet");
    Run run =
        Small.run(
            data,
            out,
            "--declared-units",
            "1000",
            "--held-out",
            "console",
            "--evaluate-every",
            "1",
            "--noise-multiplier",
            "1");
    run.done();
    assertTrue(run.out().contains("outside the guarantee, for your eyes"), run.out());
    String heldOut = run.out().replaceAll("(?s).*held-out accuracy +([0-9.]+)%.*", "$1");
    for (Path file : Small.files(out)) {
      String text = text(file);
      String name = file.toString();
      assertFalse(text.matches("(?s).*\\b1317\\b.*"), name);
      assertFalse(text.contains("person1-"), name);
      assertFalse(text.matches("(?s).*(trainLoss|trainingLoss|seconds|examplesPerSecond).*"), name);
      if (!name.endsWith(".safetensors") && !name.endsWith(".html")) {
        assertFalse(text.contains(heldOut), name + " has " + heldOut);
      }
    }
    assertEquals(
        "step,epsilon,heldOutAccuracy,heldOutAccuracyNoise,privacy",
        text(out.resolve("metrics.csv")).lines().findFirst().orElseThrow());
    assertEquals(2, text(out.resolve("metrics.csv")).lines().count());
  }

  /** Other rows under the same public facts give the same files, but for the weights. */
  @Test
  void onlyTheWeightsDependOnTheRows() throws IOException {
    String[] more = {
      "--insecure-seed",
      "1",
      "--noise-multiplier",
      "1",
      "--declared-units",
      "900",
      "--held-out",
      "console",
      "--evaluate-every",
      "2",
      "--quiet"
    };
    Small.run(data, out("one"), more).done();
    Files.move(
        Small.table(folder, 1100, 2), data, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Small.run(data, out("two"), more).done();
    assertEquals(Small.names(out("one")), Small.names(out("two")));
    for (Path file : Small.files(out("one"))) {
      // Coefficients are the weights, in the units of the columns.
      boolean weights = file.endsWith("model.safetensors") || file.endsWith("coefficients.csv");
      boolean same = text(file).equals(text(out("two").resolve(file.getFileName())));
      assertEquals(!weights, same, file.toString());
    }
  }

  /** By default private held-out rows are scored with noise, within the target. */
  @Test
  void theHeldOutScoreIsOnTheLedger() throws IOException {
    Path out = out("released");
    Run run = Small.run(data, out, "--quiet", "--json", "--epsilon", "2");
    assertTrue(run.number("epsilon") <= 2 && run.number("epsilon") > 1.99, run.out());
    assertTrue(run.number("heldOutAccuracyNoise") > 0, run.out());
    assertFalse(run.object().containsKey("outsideTheGuarantee"));
    String ledger = text(out.resolve("ledger.json"));
    assertEquals(2, ledger.split("gaussian\"", -1).length - 1, ledger);
    assertTrue(
        text(out.resolve("metrics.csv")).contains("," + run.number("heldOutAccuracy") + ","));
    assertTrue(text(out.resolve("run.json")).contains("heldOutAccuracy"));
  }

  /** Were the held-out ones counted, a declared number would hide nothing. */
  @Test
  void aDeclaredNumberHidesTheNumberOfHeldOutUnits() throws IOException {
    String[] given = {"--noise-multiplier", "1", "--quiet", "--declared-units", "1000"};
    Small.run(data, out("one"), given).done();
    Small.run(Small.table(folder, 1200, 2), out("two"), given).done();
    for (String run : List.of("one", "two")) {
      Map<String, Object> json = JSON.std.mapFrom(text(out(run).resolve("run.json")));
      assertEquals(250, json.get("heldOutUnits"));
      String statement = text(out(run).resolve("privacy.txt")).replaceAll("\\s+", " ");
      assertTrue(
          statement.contains("250, follows from the declared number and the share held out."),
          statement);
    }
    String file = out("one").resolve("run.yaml").toString();
    Run.of("train", file, "--quiet", "--declared-held-out", "300", "--out", out("b").toString())
        .done();
    assertEquals(300, JSON.std.mapFrom(text(out("b").resolve("run.json"))).get("heldOutUnits"));
    assertTrue(
        text(out("b").resolve("privacy.txt"))
            .replaceAll("\\s+", " ")
            .contains("300, was declared public."));
  }

  @Test
  void forceReplacesARunAndNothingElseDoes() throws IOException {
    Path out = out("forced");
    Small.run(data, out, "--quiet", "--noise-multiplier", "1", "--held-out", "none").done();
    String refused = Small.run(data, out, "--quiet").line(2);
    assertTrue(refused.contains("out must be a new folder (or --force"), refused);
    String before = text(out.resolve("run.json"));
    Small.run(data, out, "--quiet", "--noise-multiplier", "0.5", "--force", "--held-out", "none")
        .done();
    assertFalse(before.equals(text(out.resolve("run.json"))));
  }

  /** The folder is put in its place whole, and would take the journal of what was spent with it. */
  @Test
  void checkpointsLieOutsideOfTheFolder() {
    Path out = out("run");
    String inside = out.resolve("c").toString();
    String line = Small.run(data, out, "--noise-multiplier", "1", "--checkpoints", inside).line(2);
    assertTrue(line.contains("checkpoints must be outside of --out"), line);
    assertFalse(Files.exists(out));
  }

  @Test
  void theRunFileOfARunWithCheckpointsCanBeRun() {
    String noise = "--noise-multiplier";
    Small.run(
            data,
            out("one"),
            noise,
            "1",
            "--held-out",
            "none",
            "--checkpoints",
            out("c").toString())
        .done();
    String file = out("one").resolve("run.yaml").toString();
    Run.of("train", file, "--quiet", "--out", out("two").toString()).done();
  }

  @Test
  void aRunGoesOnFromItsCheckpoints() throws IOException {
    Path checkpoints = out("checkpoints");
    String[] more = {
      "--noise-multiplier",
      "1",
      "--held-out",
      "none",
      "--checkpoints",
      checkpoints.toString(),
      "--quiet",
      "--json"
    };
    Small.run(data, out("whole"), more).done();
    // A whole run has nothing left to do, and says what it cost all the same. Its folder is its
    // own.
    String[] resumed = more.clone();
    resumed[4] = "--resume";
    String model = text(out("whole").resolve("model.safetensors"));
    Run run = Small.run(data, out("whole"), resumed);
    assertEquals(6, run.number("steps"));
    assertEquals(model, text(out("whole").resolve("model.safetensors")));
    String[] aloud = java.util.Arrays.copyOf(resumed, resumed.length - 2);
    String said = Small.run(data, out("whole"), aloud).err();
    assertTrue(said.contains("goes on after step 6; no charged step was lost"), said);
    // Another run's is not.
    Small.run(data, out("other"), "--noise-multiplier", "2", "--held-out", "none", "--quiet");
    String refused = Small.run(data, out("other"), resumed).line(2);
    assertTrue(refused.contains("that of the run that is resumed"), refused);
    resumed[5] = out("nowhere").toString();
    String none = Small.run(data, out("whole"), resumed).line(2);
    assertTrue(none.contains("resume must be the --checkpoints folder of an earlier run"), none);
    assertFalse(Files.exists(out("nowhere")));
    String again = Small.run(data, out("again"), more).line(2);
    assertTrue(again.contains("checkpoint folder must be without an earlier run"), again);
    assertFalse(Files.exists(out("again")));
  }

  /** Every knob is understood by the library, and comes back in the run file. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--sampler fixed-size --optimizer momentum --momentum 0.5 --clipping automatic"
            + " --clipping-gamma 0.1 --schedule linear(0.1)",
        "--sampler shuffled --neighbouring zero-out --optimizer nesterov --clipping normalised"
            + " --schedule cosine --warm-up 2",
        "--sampler poisson --optimizer adam --beta1 0.8 --clipping global --clipping-cutoff 3"
            + " --schedule step(0.5,2)",
        "--optimizer adamw --weight-decay 0.1 --noise-schedule linear(0.5)",
        "--optimizer dp-adam --adam-floor 1e-6 --clip-schedule linear(0.5)",
        "--model mlp(5) --clip-per-layer 1 --weight-decay 0.1 --weight-decay-mode before-clipping"
            + " --weight-decay-on weights",
        "--model mlp(5) --clip-per-layer 1,2 --noise-weights 1,2 --clipping-group 1"
            + " --clipping-group 3 --ema 0",
        "--model mlp(5) --freeze 1 --initialiser he-normal --initial-seed 3"
            + " --noise-before-clipping 0.1 --threads 1",
        "--neighbouring replace-one --unit patient --unit-column id --public-ids --delta 1e-4",
      })
  void everyKnobTurns(String options) throws IOException {
    Path out = out("knobs" + Integer.toHexString(options.hashCode()));
    String[] more = (options + " --noise-multiplier 0.7 --quiet --held-out none").split(" ");
    Small.run(data, out, more).done();
    String written = text(out.resolve("run.yaml"));
    for (int i = 0; i + 1 < more.length; i++) {
      if (more[i].startsWith("--") && !more[i + 1].startsWith("--")) {
        String key = more[i].substring(2);
        assertTrue(written.contains("\n" + key + ":"), key + " in " + written);
        assertTrue(written.contains(more[i + 1]), more[i + 1] + " in " + written);
      }
    }
  }

  @Test
  void moreThreadsThanProcessorsAreSaid() {
    String processors = String.valueOf(Runtime.getRuntime().availableProcessors());
    String more = String.valueOf(Runtime.getRuntime().availableProcessors() + 1);
    for (String threads : List.of(processors, more)) {
      Run run =
          Small.run(
              data,
              out("threads" + threads),
              "--noise-multiplier",
              "1",
              "--quiet",
              "--held-out",
              "none",
              "--threads",
              threads);
      assertEquals(0, run.code(), run.err());
      assertEquals(
          threads.equals(more),
          run.err()
              .startsWith(
                  "discreet train: " + more + " threads share the " + processors + " processors "),
          run.err());
    }
  }

  @Test
  void aRunCanStartFromAnother() throws IOException {
    Small.run(data, out("parent"), "--noise-multiplier", "1", "--quiet", "--held-out", "none")
        .done();
    Small.run(
            data,
            out("child"),
            "--noise-multiplier",
            "1",
            "--quiet",
            "--held-out",
            "none",
            "--start-from",
            out("parent").toString())
        .done();
    assertTrue(text(out("child").resolve("run.json")).contains("given, SHA-256"));
  }

  @Test
  void fullBatchesNeedNoSize() {
    Run.of(
            "train --data linear-1d --sampler full-batch --steps 2 --noise-multiplier 5 --quiet"
                + " --out "
                + out("full"))
        .done();
  }
}
