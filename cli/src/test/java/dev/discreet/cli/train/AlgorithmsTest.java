package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.cli.Run;
import dev.discreet.core.model.Model;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.PayingAccount;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The algorithms of the seed documents, each from the command line to its ledger. */
class AlgorithmsTest extends TrainedFiles {
  @Test
  void adaptiveClipping() throws IOException {
    Path out =
        run("adaptive", "--data gaussians --steps 4 --noise-multiplier 2 --clip-quantile 0.3");
    // A lot of 1000, so counts have noise 50 and multiplier 100.
    double gradient = 2 / Math.sqrt(1 - 4 / 1e4);
    Map<Mechanism, Long> ledger = ledger(out);
    assertEquals(1, ledger.size());
    Mechanism.PoissonSampled step = (Mechanism.PoissonSampled) ledger.keySet().iterator().next();
    assertEquals(4, ledger.get(step));
    List<Double> noise = ((Mechanism.JointGaussian) step.inner()).noiseMultipliers();
    assertEquals(List.of(100.0), noise.subList(1, noise.size()));
    assertEquals(gradient, noise.get(0), 1e-9);
    has(text(out, "run.yaml"), "clip-quantile: 0.3\n", "clip-quantile-rate: 0.2\n");
    has(text(out, "run.json"), "quantile=0.3");
    List<?> thresholds = (List<?>) JSON.std.mapFrom(text(out, "run.json")).get("thresholdsAtEnd");
    assertEquals(1, thresholds.size());
    assertTrue((double) thresholds.get(0) > 0, "" + thresholds);
    has(text(out, "report.html"), "then to the quantile 0.3 of their norms");
    // As it was, again, and with a target: the counts come out of it.
    Run again =
        Run.of(
            "train "
                + out.resolve("run.yaml")
                + " --epsilon 2 --count-noise 3 --json --quiet --out "
                + out("again"));
    assertTrue(again.number("epsilon") <= 2 && again.number("epsilon") > 1.99, again.out());
    assertEquals(1, ((List<?>) again.object().get("thresholds")).size());
  }

  @Test
  void noiseOverTime() throws IOException {
    // A lot of 1000 of 10,000 in 3 parts, each with a step of its own and one with two.
    Path out =
        run(
            "shared",
            "--data gaussians --steps 4 --noise-multiplier 2 --noise-over-time banded(3)");
    Map<Mechanism, Long> ledger = ledger(out);
    assertEquals(1, ledger.size());
    Mechanism.PoissonSampled part = (Mechanism.PoissonSampled) ledger.keySet().iterator().next();
    assertEquals(0.3, part.rate(), 1e-12);
    assertEquals(2, ledger.get(part));
    double multiplier = ((Mechanism.Gaussian) part.inner()).noiseMultiplier();
    assertTrue(multiplier < 2 && multiplier > 1, "" + multiplier);
    has(text(out, "run.yaml"), "noise-over-time: banded(3)\n", "sampler: cyclic\n");
    has(text(out, "run.json"), "\"noiseOverTime\"", "banded(3) of 4 steps");
    has(text(out, "privacy.txt"), "Noise over time: 3 steps in a row have noise in common");
    has(text(out, "report.html"), "shared by 3 steps in a row");
    // Again as it was, with a target and under replace-one, for which parts are whole.
    Run again =
        Run.of(
            "train "
                + out.resolve("run.yaml")
                + " --epsilon 2 --neighbouring replace-one --json --quiet --out "
                + out("again"));
    assertTrue(again.number("epsilon") <= 2 && again.number("epsilon") > 1.99, again.out());
  }

  @Test
  void langevin() throws IOException {
    Path out =
        run(
            "langevin",
            "--data gaussians --steps 4 --noise-multiplier 2 --optimizer langevin"
                + " --temperature 0.01 --temperature-schedule linear --langevin-seed 7");
    // Its noise is on no ledger.
    assertEquals(
        Map.of(new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(2)), 4L), ledger(out));
    has(text(out, "run.yaml"), "optimizer: langevin\n", "temperature-schedule: linear\n");
    has(text(out, "run.json"), "Langevin[");
    has(text(out, "privacy.txt"), "Langevin: The optimizer adds noise from a public seed");
    has(text(out, "report.html"), "temperature 0.01 linear; its noise protects no one");
  }

  private static TrainingSetup setup(SettingValues given) throws IOException {
    return TrainingSetup.of(
        new EffectiveSettings(given),
        GeneratedSets.make("gaussians", 0).rows(),
        PayingAccount.NONE,
        line -> {});
  }

  /** What a saved run has by default stands in no one's way. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "clip-quantile: 0.5",
        "noise-temperature: 1e-5\nlearning-rate: 1",
        "optimizer: langevin",
        "project-onto: 2",
        "pca: 1",
        "norm-projections: 3",
        "pretrain:\n  data: gaussians\nfreeze: start\nnew-head: true\nmodel: mlp(3)"
      })
  void aSavedRunTakesMore(String more) throws IOException {
    Path first = Files.writeString(out("first.yaml"), "steps: 2\nnoise-multiplier: 1\n");
    String saved = RunFile.text("", setup(RunFile.read(first)).chosen());
    assertTrue(saved.contains("clip-schedule: constant"), saved);
    SettingValues file = RunFile.read(Files.writeString(out("saved.yaml"), saved));
    SettingValues options = RunFile.read(Files.writeString(out("more.yaml"), more));
    assertEquals(2, setup(options.over(file)).plan().steps());
  }

  /** η = 0.5, L = 1000, C = 2: σ = √(2T/η)·L/C. */
  @Test
  void theNoiseOfATemperature() throws IOException {
    Path out =
        run(
            "temperature",
            "--data gaussians --steps 3 --noise-temperature 4e-6 --learning-rate 0.5 --clip 2");
    assertEquals(
        Map.of(new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(2)), 3L), ledger(out));
    has(text(out, "report.html"), "the private noise is that of temperature 4e-6");
    assertEquals(ledger(out), ledger(run("again", out.resolve("run.yaml") + "")));
  }

  /** On the ledger as if there were no projection; what it is made of is public and said. */
  @Test
  void projection() throws IOException {
    Path out =
        run(
            "projected",
            "--data gaussians --project-onto 2 --public-examples 20 --project-every 2" + STEP);
    assertEquals(THREE, ledger(out));
    has(text(out, "run.yaml"), "project-onto: 2\n", "public-examples: 20\n", "project-every: 2\n");
    has(text(out, "run.json"), "projected(k=2, every=2, from=0, public=20, SHA-256 ");
    has(text(out, "privacy.txt").replaceAll("\\s+", " "), "20 examples declared public steer");
    has(text(out, "report.html"), "onto 2 directions of 20 public examples");
    // What was taken is not tested on.
    Map<String, Object> json = JSON.std.mapFrom(text(out, "run.json"));
    Map<?, ?> last = (Map<?, ?>) ((List<?>) json.get("evaluations")).get(0);
    assertEquals(1980, last.get("examples"));
    has(
        text(
            run("other", "--data gaussians --project-onto 2 --public-data gaussians" + STEP),
            "run.json"),
        "public=100",
        "\"public-seed\" : \"1\"");
  }

  /** A file of public rows must not have private ones. */
  @Test
  void publicRowsOfAFile() throws IOException {
    Path data = Small.table(folder, 200, 3);
    String[] options = {
      "--project-onto",
      "2",
      "--public-examples",
      "50",
      "--noise-multiplier",
      "2",
      "--quiet",
      "--held-out",
      "none",
      "--public-data"
    };
    String[] same = Arrays.copyOf(options, options.length + 1);
    same[options.length] = data.toString();
    String line = Run.of(Small.train(data, out("no"), same)).line(2);
    has(line, "public examples must be none of the private ones", "inputs and the target");
    String[] others = Arrays.copyOf(same, same.length + 1);
    others[same.length] = "--public-rows-are-other-people";
    Run.of(Small.train(data, out("others"), others)).done();
    has(text(out("others"), "run.yaml"), "public-rows-are-other-people: true");
    has(text(out("others"), "run.json"), "public-rows-are-other-people", "publicRows");
    has(text(out("others"), "privacy.txt"), "Other people: It was declared that");
    has(
        Run.of(Small.train(data, out("none"), "--public-rows-are-other-people")).line(2),
        "--public-rows-are-other-people needs public rows");
  }

  /** Metrics of rows that were trained on would be released as they are. */
  @Test
  void publicRowsToTestOnAreNotPrivateOnes() throws IOException {
    Path data = Small.table(folder, 200, 3);
    Path same = folder.resolve("same.csv");
    Files.write(same, Files.readAllLines(data).subList(0, 51));
    String[] test = {"--public-test", same.toString(), "--noise-multiplier", "2", "--quiet"};
    has(
        Run.of(Small.train(data, out("no"), test)).line(2),
        "public examples must be none of the private ones",
        "--public-rows-are-other-people");
    String[] others = Arrays.copyOf(test, test.length + 1);
    others[test.length] = "--public-rows-are-other-people";
    Run.of(Small.train(data, out("yes"), others)).done();
    has(text(out("yes"), "privacy.txt"), "Other people: It was declared that");
  }

  /** One release more, and a first layer that goes wherever the model goes. */
  @Test
  void principalDirections() throws IOException {
    Path out = run("pca", "--data gaussians --pca 1 --pca-noise 5" + STEP);
    Map<Mechanism, Long> both = new HashMap<>(THREE);
    both.put(new Mechanism.Gaussian(5), 1L);
    assertEquals(both, ledger(out));
    has(text(out, "run.yaml"), "pca: 1\n", "pca-noise: 5\n");
    has(text(out, "run.json"), "pca(k=1, noiseMultiplier=5.0)");
    has(
        text(out, "privacy.txt").replaceAll("\\s+", " "),
        "1 principal direction of the data left with");
    has(text(out, "report.html"), "1 direction, released once before the first step");
    float[] parameters = Model.load(out).parameters();
    assertEquals(1, Math.hypot(parameters[0], parameters[1]), 1e-5);
    // The last figure of the metrics has the directions in it, too.
    Map<String, Object> json = JSON.std.mapFrom(text(out, "run.json"));
    String last = text(out, "metrics.csv").lines().reduce((a, b) -> b).orElseThrow();
    assertEquals(json.get("epsilon"), Double.parseDouble(last.split(",")[1]));
    Run evaluated = Run.of("evaluate --json --run " + out);
    Map<?, ?> tested = (Map<?, ?>) ((List<?>) json.get("evaluations")).get(0);
    assertEquals(tested.get("testAccuracy"), evaluated.object().get("testAccuracy"));
    assertEquals(2001, Run.of("predict --run " + out).done().out().lines().count());
    Run target =
        Run.of("train --data gaussians --pca 2 --steps 3 --json --quiet --out " + out("3"));
    assertTrue(target.number("epsilon") <= 3 && target.number("epsilon") > 2.99, target.out());
    assertEquals(2, Ledger.parse(text(out("3"), "ledger.json")).totals().size());
  }

  /** The curve begins with the first release and ends with the whole, the score included. */
  @Test
  void theCurveBeginsAndEndsWithAllThatLeft() throws IOException {
    Path out = out("curve");
    Small.run(
            Small.table(folder, 300, 4),
            out,
            "--pca",
            "1",
            "--pca-noise",
            "5",
            "--noise-multiplier",
            "2",
            "--metric-noise",
            "9",
            "--quiet")
        .done();
    Map<String, Object> json = JSON.std.mapFrom(text(out, "run.json"));
    Ledger ledger = Ledger.parse(text(out, "ledger.json"));
    double first =
        new PldAccountant()
            .epsilon(Ledger.of(ledger.neighbouring(), new Mechanism.Gaussian(5), 1), 1e-5)
            .epsilon();
    double whole = ((Number) json.get("epsilon")).doubleValue();
    has(
        text(out, "report.html"),
        "step 0: ε ≤ " + Digits.up(first),
        "up to step 6: ε ≤ " + Digits.up(whole) + ".");
  }

  /** A unit adds one clipped gradient, however many views it is the mean of. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --model logistic --augment flip | 2 of each example, averaged before clipping: flip
          --model logistic --augment flip,crop(2) --views 3 | 3 of each example, averaged before clipping: flip,crop(2)
          --model logistic --augment shift(1) | 8 of each example, averaged before clipping: shift(1)
          """)
  void views(String options, String words) throws IOException {
    String digits = "--data digits --steps 2 --lot-size 50 --noise-multiplier 2 ";
    Path out = run("views", digits + options);
    has(text(out, "report.html"), words);
    has(text(out, "run.yaml"), "\naugment: ", "\nviews: " + words.charAt(0));
    has(text(out, "run.json"), words.charAt(0) + " views of each example by ");
    Path plain = run("plain", digits + "--model logistic");
    assertEquals(ledger(plain), ledger(out));
    assertEquals(ledger(out), ledger(run("again", out.resolve("run.yaml") + "")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --data digits --augment flip --views 0 | views must be a whole number in [1, 1024]. Provided value: 0
          --data digits --augment flip --views 3 | views must be at most 2 where images are only mirrored. Provided value: 3
          --data digits --augment turn | augment must be some of flip, crop(N) and shift(N), each once, with commas. Provided value: turn
          --data digits --augment crop(40) | augment must be by less than the sides of an image, 28. Provided value: crop(40)
          --data digits --augment crop(2) --model scattering-linear | augment must be flip alone before features that are computed once
          --data digits --views 3 | --views needs --augment
          --data gaussians --augment flip | augment must be absent where inputs are no images. Provided value: flip of 2
          --data digits --augment flip --norm-projections 3 | views must be 1 where norms are estimated. Provided value: 2
          """)
  void refusesViews(String options, String message) {
    Run run = Run.of("train --steps 2 --noise-multiplier 1 --quiet " + options);
    assertTrue(run.line(2).contains(message), run.line(2));
  }

  /** Every clipping: what one unit can do is the threshold, so the ledger is that of flat. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --clipping automatic --clipping-gamma 0.1 | clipped by the rule automatic to 2
          --clipping psac --clipping-r 0.2 | clipped by the rule psac to 2
          --clipping normalised | clipped by the rule normalised to 2
          --clipping global --clipping-cutoff 3 | clipped by the rule global to 2
          --noise-before-clipping 0.01 | get noise of deviation 0.01 and are clipped to 2
          --clip-per-layer 3,4 --model mlp(4) | clipped to 2 thresholds, the first 3
          """)
  void clipping(String options, String words) throws IOException {
    Path out = run("clipped", "--data gaussians " + options + STEP);
    has(text(out, "report.html"), words);
    if (options.contains("layer")) {
      // The same noise on every coordinate, 2·5.
      Mechanism.PoissonSampled step =
          (Mechanism.PoissonSampled) ledger(out).keySet().iterator().next();
      List<Double> noise = ((Mechanism.JointGaussian) step.inner()).noiseMultipliers();
      assertEquals(10 / 3.0, noise.get(0), 1e-9);
      assertEquals(10 / 4.0, noise.get(1), 1e-9);
    } else {
      assertEquals(THREE, ledger(out));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --clip-quantile 1 | clipping quantile must be in (0, 1). Provided value: 1
          --clip-quantile 0 | clipping quantile must be in (0, 1). Provided value: 0
          --clip-quantile-rate 1 | --clip-quantile-rate needs --clip-quantile
          --count-noise 1 | --count-noise needs --clip-quantile
          --clip-quantile 0.5 --clip-schedule linear | --clip-schedule is not for --clip-quantile
          --clip-quantile 0.5 --clipping automatic | clipping rule of adaptive clipping must be flat
          --clip-quantile 0.5 --noise-multiplier 9 --count-noise 4 | count noise must be greater than 4.5
          --clip-quantile 0.5 --non-private | --clip-quantile needs --clip
          --noise-over-time tree | noise over time must be banded(B), with B in [1, 4096]. Provided value: tree
          --noise-over-time banded(3) --sampler poisson | --sampler must be cyclic with --noise-over-time
          --noise-over-time banded(3) --checkpoints x | checkpoints of a run with noise over time must be none
          --noise-over-time banded(3) --clip-quantile 0.5 | clipping thresholds of noise over time must be the same
          --noise-over-time banded(3) --noise-schedule linear | noise multiplier of noise over time must be the same
          --noise-over-time banded(3) --non-private | --noise-over-time is not for a run that is --non-private
          --temperature 1 | --temperature is for --optimizer langevin
          --optimizer langevin --temperature -1 | temperature must be in [0, infinity). Provided value: -1
          --noise-temperature 0 | noise temperature must be in (0, infinity). Provided value: 0
          --noise-temperature 1 | noise temperature must be given with a --learning-rate
          --noise-temperature 1 --learning-rate 1 --warm-up 3 | --warm-up is not for --noise-temperature
          --noise-temperature 1 --learning-rate 1 --schedule linear | --schedule is not for --noise-temperature
          --noise-temperature 1 --learning-rate 1 --optimizer adam | --noise-temperature is for --optimizer sgd
          --noise-temperature 1 --epsilon 1 | --epsilon and --noise-temperature cannot stand together
          --pretrain-data patients.csv | pretrain data must be public, as named and generated sets are
          --pretrain-data linear-1d | shape of linear-1d must be that of the private data
          --pretrain-data gaussians --pretrain-seed 0 | public examples must be none of the private ones
          --pretrain-data gaussians --start-from x | --start-from and --pretrain-data cannot stand
          --pretrain-epochs 3 | --pretrain-epochs needs --pretrain-data
          --pretrain-data gaussians --pretrain-epochs 0 | pretrain epochs must be in (0, infinity)
          --start-public x | --start-public needs --start-from
          --start-not-private | --start-not-private needs --start-from
          --freeze start | --freeze start needs --start-from or --pretrain-data
          --rate-factor 0=0 | rate factor of 0 must be in (0, infinity)
          --rate-factor 0 | rate factor must be LAYER=FACTOR
          --rate-factor 9=1 | layer must be the name of one with parameters
          --rate-factor start=1 | rate factor of start must be given with --start-from
          --new-head | --new-head needs --start-from or --pretrain-data
          --project-onto 0 | project onto must be a whole number in [1,
          --project-onto 3 --public-examples 0 | public examples must be a whole number in [1,
          --project-onto 7 | project onto must be at most the number of trainable parameters, 6
          --project-onto 5 --public-examples 4 | project onto must be at most the number of public examples, 4
          --project-onto 2 --public-examples 2000 | public examples must be fewer than the 2000 public rows
          --project-onto 2 --public-data gaussians --public-seed 0 | public examples must be none of the private
          --project-onto 2 --public-data linear-2d | what linear-2d has to predict must be
          --project-onto 2 --public-data gaussians --public-examples 20000 | public examples must be at most
          --project-onto 2 --optimizer dp-adam | --project-onto is not for --optimizer dp-adam
          --public-examples 3 | --public-examples needs --project-onto
          --pca 0 | pca must be a whole number in [1,
          --pca 3 | pca must be at most the number of inputs, 2. Provided value: 3
          --pca 1 --non-private | --pca is not for a run that is --non-private
          --pca 1 --neighbouring replace-one | neighbouring of a run that releases principal directions must be add/remove
          --pca 1 --pca-noise 0 | pca noise must be in (0, infinity)
          --pca 1 --pca-share 0.6 | pca share must be in (0, 0.5]
          --pca 1 --pca-share 0.1 --noise-multiplier 1 | --pca-share needs --epsilon
          --pca 1 --pca-share 0.1 --pca-noise 1 | --pca-share and --pca-noise cannot stand together
          --pca 1 --pretrain-data gaussians | --pretrain-data is not for --pca
          --pca-noise 1 | --pca-noise needs --pca
          """)
  void refused(String options, String line) {
    Run run = Run.of("train --data gaussians --steps 2 " + options + " --out " + out("refused"));
    has(run.line(2), line);
  }
}
