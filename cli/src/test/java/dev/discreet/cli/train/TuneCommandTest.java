package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.algorithms.tuning.RandomStopping;
import dev.discreet.cli.Run;
import dev.discreet.core.privacy.Randomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A search from its file to its folder, on a table of a few hundred rows. */
class TuneCommandTest {
  private static final List<String> FILES =
      List.of(
          "coefficients.csv",
          "ledger.json",
          "metrics.csv",
          "model.json",
          "model.safetensors",
          "privacy.txt",
          "report.html",
          "run.json",
          "run.yaml",
          "tune.yaml");

  @TempDir private Path folder;

  private Path file(String tune) throws IOException {
    Path data = Small.table(folder, 600, 1);
    return Files.writeString(
        folder.resolve("run.yaml"),
        "data: '"
            + data
            + "'\nlabel: sick=no|yes\ncolumn: [age=0..100, sex=f|m]\nsteps: 6\nlot-size: 40\n"
            + "tune:\n"
            + tune.indent(2));
  }

  private Run tune(String section, String... more) throws IOException {
    List<String> all = new ArrayList<>(List.of("tune", file(section).toString()));
    all.addAll(List.of("--out", folder.resolve("out").toString()));
    all.addAll(List.of(more));
    return Run.of(all.toArray(String[]::new));
  }

  private static final String RATES = "mean: 2\nsettings:\n  learning-rate: [0.1, 1, 4]\n";

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve("out").resolve(name));
  }

  private Ledger ledger() throws IOException {
    return Ledger.parse(read("ledger.json"));
  }

  /** Files are the winner's alone, and what they promise is the price of the search. */
  @Test
  void theBestOfARandomNumberOfRuns() throws IOException {
    Run run = tune(RATES, "--epsilon", "2", "--quiet", "--json");
    Map<String, Object> fields = run.object();
    String explained = Files.readString(Path.of("..", "docs/commands.md"));
    fields.keySet().forEach(name -> assertTrue(explained.contains("`" + name + "`"), name));
    assertEquals(FILES, Small.names(folder.resolve("out")));
    assertEquals(List.of("out", "patients-1.csv", "run.yaml"), Small.names(folder));
    double epsilon = ((Number) fields.get("epsilon")).doubleValue();
    assertTrue(epsilon <= 2 && epsilon >= 2 * 0.999, "" + epsilon);

    Ledger ledger = ledger();
    assertEquals(1, ledger.entries().size());
    Mechanism.BestOf best = (Mechanism.BestOf) ledger.entries().get(0).mechanism();
    assertEquals(2, best.runs().mean(), 1e-9);
    // The steps, and the score.
    assertEquals(1, best.candidates().size());
    assertEquals(2, best.candidates().get(0).size());

    Path path = folder.resolve("out/ledger.json");
    Run asked = Run.of("epsilon", "--ledger", path.toString(), "--delta", "1e-5", "--json");
    assertEquals(epsilon, asked.number("epsilon"));
    String statement = read("privacy.txt").replaceAll("\\s+", " ");
    assertTrue(statement.contains("epsilon = " + dev.discreet.accounting.Digits.up(epsilon)));
    assertTrue(statement.contains("the best of a random number of runs (geometric"), statement);
    assertTrue(statement.contains("Public: The number of examples"), statement);
    assertTrue(statement.contains("Held out: "), statement);
    assertTrue(statement.contains("Secret: How many runs there were"), statement);

    Map<?, ?> json = JSON.std.mapFrom(read("run.json"));
    assertEquals(epsilon, json.get("epsilon"));
    String rate = (String) ((Map<?, ?>) fields.get("chosen")).get("learning-rate");
    assertEquals(rate, ((Map<?, ?>) json.get("settings")).get("learning-rate"));
    assertTrue(read("model.json").contains("Private: epsilon <= "), read("model.json"));
    double own =
        new PldAccountant()
            .epsilon(new Ledger(ledger.neighbouring(), best.candidates().get(0)), 1e-5)
            .epsilon();
    assertTrue(own < 0.9 * epsilon, own + " alone of " + epsilon);
    assertEquals(fields.get("heldOutAccuracy"), json.get("heldOutAccuracy"));
  }

  /** Neither how many runs there were nor what they scored nor how long they took. */
  @Test
  void oneRunAndManyLookTheSameButForTheNumbersOfTheWinner() throws IOException {
    Map<String, String> one = told(seed(1, 1));
    Map<String, String> many = told(seed(4, 9));
    assertTrue(one.get("console").contains("is a secret that the cost rests on"), one.toString());
    assertFalse(one.get("console").contains("score #"), one.get("console"));
    for (String name : one.keySet()) {
      assertFalse(one.get(name).contains("seconds"), name);
      assertEquals(one.get(name), many.get(name), name);
    }
    assertEquals(one.keySet(), many.keySet());
    // A seed protects no one, and everything says so.
    assertFalse(one.containsKey("ledger.json"));
    assertTrue(read("privacy.txt").startsWith("INSECURE"));
    assertTrue(read("metrics.csv").contains("INSECURE"));
  }

  /** One by which there are so many runs. */
  private static long seed(long least, long most) {
    RandomRuns law = RandomRuns.NegativeBinomial.ofMean(1, 3);
    return LongStream.range(0, 1000)
        .filter(
            seed -> {
              long runs = RandomStopping.draw(law, Randomness.insecure(seed).dice("tuning"));
              return runs >= least && runs <= most;
            })
        .findFirst()
        .orElseThrow();
  }

  /** All that a search prints and writes, numbers left out. */
  private Map<String, String> told(long seed) throws IOException {
    Run run =
        tune(
            "mean: 3\nsettings: {learning-rate: [1]}\n",
            "--noise-multiplier",
            "4",
            "--force",
            "--insecure-seed",
            Long.toString(seed));
    assertEquals(0, run.code(), run.err());
    Map<String, String> told = new TreeMap<>();
    told.put("console", withoutNumbers(run.out() + run.err()));
    for (Path file : Small.files(folder.resolve("out"))) {
      String name = file.getFileName().toString();
      told.put(name, name.endsWith("safetensors") ? "" : withoutNumbers(Files.readString(file)));
    }
    return told;
  }

  private static String withoutNumbers(String text) {
    return text.replaceAll("((?<![\\w-])-)?[0-9]+([.,][0-9]+)*(E-?[0-9]+)?", "#")
        .replaceAll(" +", " ");
  }

  /** The steps of a winner cost the search from the first on. */
  @Test
  void publicRowsNeedNoScoreOnTheLedger() throws IOException {
    Path test = Small.table(folder, 200, 2);
    Run run =
        tune(
            "runs: logarithmic\n" + RATES,
            "--epsilon",
            "2",
            "--evaluate-every",
            "2",
            "--public-test",
            test.toString(),
            "--public-rows-are-other-people",
            "--quiet");
    run.done();
    Mechanism.BestOf best = (Mechanism.BestOf) ledger().entries().get(0).mechanism();
    assertEquals(1, best.candidates().get(0).size());
    assertEquals(1, ledger().entries().size());
    List<String> rows = read("metrics.csv").lines().skip(1).toList();
    assertEquals(3, rows.size());
    String epsilon = rows.get(2).split(",")[1];
    assertTrue(Double.parseDouble(epsilon) > 1.99, epsilon);
    assertTrue(rows.stream().allMatch(row -> row.split(",")[1].equals(epsilon)), rows.toString());
    // The curve is flat, and has no step that was free.
    String report = read("report.html");
    assertTrue(report.contains("step 1: ") && !report.contains("step 0: "), report);
  }

  /** Candidates of several kinds together keep to the budget. */
  @Test
  void candidatesMayDifferInWhatTheyCost() throws IOException {
    Run run =
        tune(
            "runs: poisson\nmean: 2\ncandidates:\n- {lot-size: 20, learning-rate: 1}\n"
                + "- {steps: 12, clip: 2}\n- {sampling-rate: 0.2}\n",
            "--epsilon",
            "3",
            "--quiet",
            "--json");
    double epsilon = run.number("epsilon");
    assertTrue(epsilon <= 3 && epsilon >= 3 * 0.999, "" + epsilon);
    Mechanism.BestOf best = (Mechanism.BestOf) ledger().entries().get(0).mechanism();
    assertEquals(3, best.candidates().size());
  }

  /** All runs on one ledger, and all of them kept. */
  @Test
  void aGridSumsItsRuns() throws IOException {
    Run run =
        tune(
            "search: grid\nsettings:\n  learning-rate: [0.1, 1]\n  clip: [1, 2]\n",
            "--epsilon",
            "2",
            "--quiet",
            "--json");
    double epsilon = run.number("epsilon");
    assertTrue(epsilon <= 2 && epsilon >= 2 * 0.999, "" + epsilon);
    long releases = ledger().entries().stream().mapToLong(Ledger.Entry::count).sum();
    assertEquals(4 * 7, releases);
    List<String> scores = read("scores.csv").lines().toList();
    assertEquals("candidate,learning-rate,clip,score,scoreNoise,chosen", scores.get(0));
    assertEquals(5, scores.size());
    assertEquals(1, scores.stream().filter(line -> line.endsWith(",true")).count());
    assertEquals(List.of("1", "2", "3", "4"), Small.names(folder.resolve("out/candidates")));
    assertTrue(
        Files.readString(folder.resolve("out/candidates/2/privacy.txt"))
            .contains("epsilon = " + dev.discreet.accounting.Digits.up(epsilon)));
    assertFalse(read("privacy.txt").contains("Secret:"));
    // And may give way to the next.
    String one = "search: grid\nsettings:\n  clip: [1]\n";
    Run again = tune(one, "--noise-multiplier", "4", "--force");
    assertEquals(0, again.code(), again.err());
    assertTrue(again.err().contains("run 1: "), again.err());
    // Nothing of a grid is a secret.
    assertFalse(again.err().contains("outside the guarantee"), again.err());
    assertEquals(List.of("1"), Small.names(folder.resolve("out/candidates")));
  }

  /** What each run may cost is given, and the search tells what that comes to. */
  @Test
  void aBudgetForEachRun() throws IOException {
    Run dry = tune("budget: each\n" + RATES, "--epsilon", "1", "--dry-run", "--json");
    assertTrue(dry.number("epsilon") > 1.2, dry.out());
    assertEquals(3, dry.object().get("candidates"));
    assertFalse(Files.exists(folder.resolve("out")));
    String text = tune("budget: each\n" + RATES, "--epsilon", "1", "--dry-run").done().out();
    assertTrue(text.contains("a run alone  epsilon 0.99"), text);
    assertTrue(text.contains("how many is a secret"), text);
  }

  /** Principal directions are paid for out of the same budget, the whole search's or each run's. */
  @Test
  void directionsKeepToTheBudget() throws IOException {
    String one = "search: grid\nsettings: {learning-rate: [1]}\nbudget: ";
    for (String budget : List.of("each", "total")) {
      Run dry = tune(one + budget, "--epsilon", "1", "--pca", "1", "--dry-run", "--json");
      assertTrue(dry.number("epsilon") <= 1 && dry.number("epsilon") > 0.99, dry.out());
    }
    tune(one + "total", "--epsilon", "1", "--pca", "1", "--pca-share", "0.2", "--quiet").done();
    // Of one Gaussian that costs the whole, divided by √share.
    double whole = MechanismCalibration.analyticGaussian(1, 1e-5);
    List<Double> once =
        ledger().totals().keySet().stream()
            .filter(each -> each instanceof Mechanism.Gaussian)
            .map(each -> ((Mechanism.Gaussian) each).noiseMultiplier())
            .sorted()
            .toList();
    assertEquals(2, once.size());
    assertEquals(whole / Math.sqrt(0.2), once.get(0), 0.01 * whole);
    assertEquals(whole / Math.sqrt(0.01), once.get(1), 0.1 * whole);
  }

  /** Directions and score each have the noise of their own share, whichever the budget is. */
  @ParameterizedTest
  @CsvSource({"each", "total"})
  void directionsAndScoreKeepToTheirShares(String budget) throws IOException {
    String[] options = {
      "--epsilon", "2", "--pca", "1", "--pca-share", "0.2", "--metric-share", "0.05", "--quiet"
    };
    tune("budget: " + budget + "\n" + RATES, options).done();
    Mechanism.BestOf best = (Mechanism.BestOf) ledger().entries().get(0).mechanism();
    Ledger run = new Ledger(ledger().neighbouring(), best.candidates().get(0));
    Ledger paid = budget.equals("each") ? run : ledger();
    double epsilon = new PldAccountant().epsilon(paid, 1e-5).epsilon();
    assertTrue(epsilon <= 2 && epsilon >= 2 * 0.995, "" + epsilon);
    List<Double> besides =
        run.entries().stream()
            .filter(entry -> entry.mechanism() instanceof Mechanism.Gaussian)
            .map(entry -> ((Mechanism.Gaussian) entry.mechanism()).noiseMultiplier())
            .toList();
    assertEquals(2, besides.size());
    // First the directions, and then the score, of a quarter of their share.
    assertEquals(2, besides.get(1) / besides.get(0), 1e-9);
  }

  /** What was written searches again, and its winner's own file trains again. */
  @Test
  void theFilesCanBeUsedAgain() throws IOException {
    tune(RATES, "--noise-multiplier", "4", "--quiet").done();
    Path again = folder.resolve("again");
    for (String verb : List.of("tune tune.yaml", "train run.yaml")) {
      String[] words = verb.split(" ");
      Run.of(
              words[0],
              folder.resolve("out").resolve(words[1]).toString(),
              "--out",
              again.toString(),
              "--force",
              "--quiet")
          .done();
    }
    // Alone, the winner's settings cost what one run costs: the score's noise is in its file.
    Ledger alone = Ledger.parse(Files.readString(again.resolve("ledger.json")));
    Mechanism.BestOf best = (Mechanism.BestOf) ledger().entries().get(0).mechanism();
    assertEquals(best.candidates().get(0), alone.entries());
    Run.of("evaluate", "--run", folder.resolve("out").toString(), "--json").object();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          settings: {learning-rate: []}!  !learning-rate must be a list of at least one
          settings: {learning-rate: 1}!  !learning-rate must be a list
          settings: {learning-rate: [1, -1]}!  !learning rate must be in [0, infinity). Provided value: -1
          settings: {learing-rate: [1]}!  !unknown key 'learing-rate'; did you mean learning-rate?
          settings: {epsilon: [1, 2]}!  !setting to search must be one of the model
          settings: {data: [a]}!  !setting to search must be one of the model
          settings: {steps: [3], epochs: [1]}!  !cannot stand together
          settings: {}!  !settings must be at least one
          mean: 10!  !tune must be with settings
          candidates: []!  !candidates must be a list of at least one
          candidates: [1]!  !candidates must be lines of the form KEY: VALUE
          mean: 1;settings: {clip: [1]}!  !mean number of runs must be above 1 and at most 1e6
          mean: many;settings: {clip: [1]}!  !mean must be
          runs: always;settings: {clip: [1]}!  !runs must be one of geometric, logarithmic
          shape: 2;settings: {clip: [1]}!  !shape is for runs: negative-binomial
          runs: negative-binomial;shape: -1;settings: {clip: [1]}!  !shape must be above -1
          search: grid;mean: 3;settings: {clip: [1]}!  !mean is for search: random
          search: binary;settings: {clip: [1]}!  !search must be one of random, grid
          budgets: each;settings: {clip: [1]}!  !unknown key 'budgets' of tune; did you mean budget?
          budget: half;settings: {clip: [1]}!  !budget must be one of total, each
          settings: {clip: [1]}!--clip 2!--clip is searched by the run file's section tune
          settings: {clip: [1]}!--non-private!must be private
          settings: {clip: [1]}!--checkpoints x!what it keeps would tell of runs that lost
          settings: {clip: [1]}!--held-out console!score of discreet tune must be on rows
          settings: {clip: [1]}!--test-share 0!score of discreet tune must be on rows
          settings: {lot-size: [40, 4000]}!--epsilon 1!lot size must be at most the number of units
          settings: {clip: [1]}!--noise-temperature 1 --learning-rate 1!--noise-temperature is not for discreet tune
          settings: {clip: [1]}!--micro-batch 4 --unit micro-batch_group!unit of discreet tune must be another noun
          budget: total;settings: {clip: [1]}!--noise-multiplier 1!budget of runs with a noise multiplier must be each
          """)
  void badInputIsOneLine(String section, String options, String message) throws IOException {
    List<String> more = options == null ? List.of() : List.of(options.split(" "));
    more = more.stream().map(each -> each.replace('_', ' ')).toList();
    String line = tune(section.replace(';', '\n') + "\n", more.toArray(String[]::new)).line(2);
    assertTrue(line.contains(message), line);
    assertFalse(line.contains("Exception"), line);
    assertEquals(List.of("patients-1.csv", "run.yaml"), Small.names(folder));
  }

  @Test
  void aFileIsForOneOfTheTwo() throws IOException {
    Path path = file(RATES);
    String line = Run.of("train", path.toString()).line(2);
    assertTrue(line.contains("tune must be in a file for discreet tune"), line);
    Files.writeString(path, "steps: 3\n");
    line = Run.of("tune", path.toString()).line(2);
    assertTrue(line.contains("one with a section tune"), line);
  }
}
