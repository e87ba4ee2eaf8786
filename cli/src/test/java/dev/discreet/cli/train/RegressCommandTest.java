package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Run;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegressCommandTest {
  @TempDir private Path folder;

  /** pay = 1000·years + 500, within a few. */
  private Path table() throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder("years,old,pay\n");
    for (int i = 0; i < 3000; i++) {
      double years = 20 * random.nextDouble();
      text.append(
          String.format(
              Locale.ROOT,
              "%.3f,%d,%.2f%n",
              years,
              years > 10 ? 1 : 0,
              1000 * years + 500 + 10 * random.nextGaussian()));
    }
    return Files.writeString(folder.resolve("pay.csv"), text);
  }

  private String declared() throws IOException {
    return "regress --data " + table() + " --label pay=0..25000 --column years=0..20 ";
  }

  @ParameterizedTest
  @ValueSource(strings = {"functional", "functional-gaussian", "sufficient-statistics"})
  void writesWhatMayBeReleasedAndNoMore(String method) throws IOException {
    Path out = folder.resolve(method);
    Run run = Run.of(declared() + "--method " + method + " --epsilon 5000 --unit row --out " + out);
    run.done();
    assertTrue(run.out().contains("held-out RMSE"), run.out());
    assertEquals(
        List.of(
            "coefficients.csv",
            "ledger.json",
            "model.json",
            "model.safetensors",
            "privacy.txt",
            "report.html",
            "run.json",
            "run.yaml"),
        Small.names(out));
    Map<String, Object> fields = JSON.std.mapFrom(Files.readString(out.resolve("run.json")));
    assertEquals("privacy", fields.keySet().iterator().next());
    assertEquals("pay", fields.get("predicts"));
    double weight = ((Number) ((List<?>) fields.get("weights")).get(0)).doubleValue();
    assertEquals(20_000, weight, 200);
    assertEquals(500, ((Number) fields.get("intercept")).doubleValue(), 200);
    assertFalse(Files.readString(out.resolve("run.json")).contains("heldOut"));
    assertTrue(((Number) fields.get("epsilon")).doubleValue() <= 5000);
    Ledger ledger = Ledger.parse(Files.readString(out.resolve("ledger.json")));
    assertEquals(
        method.equals("functional") ? 2 : 1,
        ledger.entries().stream().mapToLong(Ledger.Entry::count).sum());
    assertTrue(Files.readString(out.resolve("privacy.txt")).contains("row"));
  }

  /** pay = 1000·years + 500, in the unit of the table, with a category that changes nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {"functional", "functional-gaussian", "sufficient-statistics", "least-squares"})
  void coefficientsHaveNamesUnitsAndIntervals(String method) throws IOException {
    Path out = folder.resolve(method);
    String epsilon = method.equals("least-squares") ? "" : " --epsilon 2000";
    String asked =
        "regress --label pay=0..25000 --column years=0..20 --column old=0|1 --method " + method;
    Run run = Run.of(asked + epsilon + " --data " + table() + " --out " + out).done();
    assertTrue(run.out().contains("1 of years"), run.out());
    Map<String, Object> fields = JSON.std.mapFrom(Files.readString(out.resolve("run.json")));
    List<?> coefficients = (List<?>) fields.get("coefficients");
    List<?> names = coefficients.stream().map(each -> ((Map<?, ?>) each).get("name")).toList();
    assertEquals(List.of("(intercept)", "years", "old = 1"), names);
    double[] exact = {500, 1000, 0};
    for (int i = 0; i < exact.length; i++) {
      Map<?, ?> each = (Map<?, ?>) coefficients.get(i);
      double low = ((Number) each.get("low")).doubleValue();
      double high = ((Number) each.get("high")).doubleValue();
      double value = ((Number) each.get("value")).doubleValue();
      assertTrue(low < value && value < high, "" + each);
      // Twelve deviations where the interval has two: even a Laplace number is farther off with a
      // chance below 1e-7 only. The intervals are a few tens wide.
      assertEquals(exact[i], value, 3 * (high - low), "" + each);
      assertTrue(high - low < 300, "" + each);
    }
    List<String> lines = Files.readAllLines(out.resolve("coefficients.csv"));
    assertEquals(4, lines.size());
    assertTrue(lines.get(3).startsWith("old = 1,instead of 0,"), lines.get(3));
    String page = Files.readString(out.resolve("report.html"));
    assertTrue(page.contains("old = 1") && page.contains("instead of 0"), page);
    assertTrue(page.contains(method.equals("least-squares") ? "NOT PRIVATE" : "epsilon"), page);
    assertEquals(method.equals("least-squares"), page.contains("NO PRIVACY – Regression"));
  }

  /** Intervals need one more sum, which takes part of the budget; and noise may drown all. */
  @Test
  void intervalsMayBeLeftOutOrHaveNoEnds() throws IOException {
    Path out = folder.resolve("none");
    Run none = Run.of(declared() + "--epsilon 100 --no-intervals --out " + out).done();
    assertFalse(none.out().contains("; in the model"), none.out());
    assertFalse(Files.readString(out.resolve("run.json")).contains("standardError"));
    Run drowned = Run.of(declared() + "--epsilon 0.001").done();
    assertTrue(drowned.out().contains("the noise hides what the rows say (more"), drowned.out());
    // What is added to a sum by noise of deviation 1.3 must reach 2√18 to be taken for a town,
    // since
    // there are so many others: with three of them it was taken for one in 4 fits of 100.
    Path rare = folder.resolve("rare.csv");
    List<String> others = IntStream.range(0, 16).mapToObj(i -> "town" + i).toList();
    List<String> lines = new ArrayList<>(List.of("years,town,pay"));
    for (int i = 0; i < 12_000; i++) {
      String town = i == 0 ? "islet" : others.get(i % 16);
      lines.add(i * 7 % 20 + "," + town + "," + 1000 * (i * 7 % 20));
    }
    Files.write(rare, lines);
    String towns =
        "regress --label pay=0..25000 --column years=0..20 --epsilon 2 --data "
            + rare
            + " --column town="
            + String.join("|", others);
    Run hidden = Run.of(towns + "|islet").done();
    assertTrue(
        hidden.out().contains("for they have too little of town = islet (leave"), hidden.out());
    Run shown = Run.of(towns);
    assertTrue(shown.out().contains("sampling and noise"), shown.out());
    Map<?, ?> first =
        (Map<?, ?>)
            ((List<?>) Run.of(declared() + "--json --epsilon 0.001").object().get("coefficients"))
                .get(0);
    assertEquals("Infinity", first.get("high"));
    assertFalse(first.containsKey("value"));
  }

  @Test
  void neighboursCanBeOthers() throws IOException {
    Path out = folder.resolve("replaced");
    Run.of(declared() + "--epsilon 5000 --neighbouring replace-one --out " + out).done();
    Ledger ledger = Ledger.parse(Files.readString(out.resolve("ledger.json")));
    assertEquals(Neighbouring.REPLACE_ONE, ledger.neighbouring());
    String result = Files.readString(out.resolve("run.json"));
    assertEquals("replace-one", JsonFields.parse("run.json", result).text("neighbouring"));
  }

  /** A noun for people over rows that are taken one by one would promise what is not kept. */
  @Test
  void peopleAreProtectedWhereAColumnSaysWhoTheyAre() throws IOException {
    assertTrue(
        Run.of(declared() + "--epsilon 1 --unit patient")
            .line(2)
            .contains("unit must be given with --unit-column"));
    String grouped = declared() + "--unit-column old --epsilon 1 --force --out ";
    Path out = folder.resolve("grouped");
    Run.of(grouped + out + " --unit patient").done();
    assertTrue(Files.readString(out.resolve("privacy.txt")).contains("patient"));
    Run.of(grouped + out).done();
    String text = Files.readString(out.resolve("privacy.txt"));
    assertTrue(text.contains("unit") && !text.contains("example"), text);
  }

  /** What did best in docs/results/functional.md. */
  @Test
  void theDefaultIsGaussianNoise() throws IOException {
    Run run = Run.of(declared() + "--json --epsilon 1");
    assertEquals("functional-gaussian", run.object().get("method"));
    assertTrue(run.number("delta") > 0, run.out());
  }

  @Test
  void aLedgerRemembers() throws IOException {
    String ledger = " --method functional --json --ledger " + folder.resolve("people.ledger");
    assertEquals(2, Run.of(declared() + "--epsilon 2" + ledger).number("epsilon"), 1e-6);
    assertEquals(5, Run.of(declared() + "--epsilon 3" + ledger).number("epsilon"), 1e-6);
    Run third =
        Run.of(
            declared()
                + "--delta 1e-5 --epsilon 1"
                + ledger.replace("functional", "functional-gaussian"));
    assertTrue(third.number("epsilon") > 3 && third.number("epsilon") < 6, third.out());
    Run last = Run.of(declared() + "--delta 1e-5 --epsilon 1" + ledger);
    assertTrue(last.number("epsilon") > third.number("epsilon"), last.out());
    assertEquals(1e-5, last.number("delta"));
  }

  /** With earlier releases the sum is one that was read off afterwards. */
  @Test
  void whatWasReleasedBeforeMakesTheSumConditional() throws IOException {
    String condition = "if all of it was fixed before the first answer";
    String asked =
        declared() + "--epsilon 1 --delta 1e-5 --ledger " + folder.resolve("people.ledger");
    assertFalse(Run.of(asked).done().out().contains(condition));
    Path out = folder.resolve("second");
    String console = Run.of(asked + " --out " + out).done().out();
    assertTrue(console.contains(condition), console);
    String json = Files.readString(out.resolve("run.json"));
    assertTrue(json.contains(condition), json);
    assertTrue(Files.readString(out.resolve("ledger.json")).contains(condition));
    String text = Files.readString(out.resolve("privacy.txt"));
    assertTrue(text.contains("\nChosen: ") && !text.contains("\nDeclared: "), text);
    assertTrue(text.replaceAll("\\s+", " ").contains(condition), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 90), text);
  }

  @Test
  void aNumberThatNobodyDeclaredIsSaidToBeTaken() throws IOException {
    String said = "taken as public because none was declared (--declared-units)";
    Run console = Run.of(declared() + "--epsilon 1").done();
    assertTrue(console.out().contains(said), console.out());
    Run json = Run.of(declared() + "--epsilon 1 --json");
    assertEquals("taken as public", json.object().get("unitsAre"), json.out());
    json = Run.of(declared() + "--epsilon 1 --declared-units 2000 --json");
    assertEquals("declared", json.object().get("unitsAre"), json.out());
    assertEquals(2000, json.number("units"));
    assertFalse(
        Run.of(declared() + "--epsilon 1 --declared-units 2000").done().out().contains(said));
  }

  @Test
  void leastSquaresSaysThatItIsNotPrivate() throws IOException {
    Path out = folder.resolve("plain");
    Run run = Run.of(declared() + "--method least-squares --json --out " + out);
    Map<String, Object> fields = run.object();
    assertTrue(fields.get("privacy").toString().startsWith("NOT PRIVATE"), run.out());
    assertEquals("Infinity", fields.get("epsilon"));
    assertFalse(Small.names(out).contains("ledger.json"));
    assertTrue(Model.load(out).privacy().startsWith("NOT PRIVATE"));
  }

  /** 500 + 1000 years, from a table without a label. */
  @Test
  void itsFolderPredictsInTheUnitOfTheLabel() throws IOException {
    Path out = folder.resolve("fit");
    Run.of(declared() + "--epsilon 5000 --out " + out).done();
    Path other = Files.writeString(folder.resolve("new.csv"), "old,years\n0,3\n1,15\n");
    String use = " --run " + out + " --data ";
    List<String> lines = Run.of("predict" + use + other).done().out().lines().toList();
    assertEquals("row,value", lines.get(0));
    assertEquals(3_500, Double.parseDouble(lines.get(1).substring(2)), 300);
    assertEquals(15_500, Double.parseDouble(lines.get(2).substring(2)), 300);
    assertEquals(3_500, Model.load(out).predict(List.of("3")).value(), 300);
    Run rows = Run.of("evaluate --json" + use + table());
    assertTrue(rows.number("testRmse") < 300 && rows.number("testRSquared") > 0.99, rows.out());
    // Its own held-out rows are the same ones again.
    Run own = Run.of("evaluate --json --run " + out);
    assertEquals(600, own.number("examples"), 60);
    Path lacking = Files.writeString(folder.resolve("lacking.csv"), "old\n1\n");
    String line = Run.of("predict" + use + lacking).line(2);
    assertTrue(line.contains("years"), line);
  }

  @Test
  void itsFolderPredictsAClassAndProbabilities() throws IOException {
    Path out = folder.resolve("fit");
    String fit = "regress --label old=0|1 --column years=0..20 --epsilon 100 --data " + table();
    Run.of(fit + " --out " + out).done();
    Run told = Run.of("predict --run " + out + " --data " + table()).done();
    List<String> lines = told.out().lines().limit(2).toList();
    assertEquals("row,class,p(0),p(1)", lines.get(0));
    assertEquals(
        1, told.out().lines().skip(1).filter(each -> each.contains(",1,")).count() / 1500.0, 0.2);
    assertTrue(Run.of("evaluate --json --run " + out).number("testAccuracy") > 0.9);
  }

  /** What was set is in the folder, and fits the same again; train has nothing to do with it. */
  @Test
  void itsRunFileFitsAgain() throws IOException {
    Path out = folder.resolve("fit");
    Run.of(declared() + "--epsilon 2 --method functional --out " + out).done();
    Path file = out.resolve("run.yaml");
    Run again = Run.of("regress --json --epsilon 3 " + file);
    assertEquals("functional", again.object().get("method"));
    assertEquals(3, again.number("epsilon"), 1e-6);
    String line = Run.of("train " + file).line(2);
    assertTrue(line.contains("method is for discreet regress"), line);
    Path other = Files.writeString(folder.resolve("other.yaml"), "data: census\nepochs: 2\n");
    line = Run.of("regress --epsilon 1 " + other).line(2);
    assertTrue(line.contains("line 2: epochs is for discreet train"), line);
  }

  @Test
  void twoClassesAreLogistic() throws IOException {
    Run run =
        Run.of(
            "regress --json --data "
                + table()
                + " --label old=0|1 --column years=0..20 --epsilon 100 --method functional --linear-share 0.5");
    Map<?, ?> heldOut = (Map<?, ?>) run.object().get("outsideTheGuarantee");
    assertTrue(((Number) heldOut.get("heldOutAccuracy")).doubleValue() > 0.9, run.out());
    assertEquals(0.5, ((Number) heldOut.get("heldOutLargestClass")).doubleValue(), 0.1);
  }

  @Test
  void publicRowsAreInTheFields() {
    Run run = Run.of("regress --json --data linear-1d --feature-bounds -4..4 --epsilon 50");
    assertTrue(run.number("testMeanSquaredError") < 1e-3, run.out());
    assertTrue(run.number("testRSquared") > 0.9, run.out());
    double rest = run.number("testRmse") / run.number("testRmseOfMean");
    assertEquals(1 - rest * rest, run.number("testRSquared"), 1e-9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--data census; --epsilon E is missing",
        "--epsilon 1; --data NAME|PATH is missing",
        "--data census --epsilon 0; epsilon must be in (0, infinity). Provided value: 0",
        "--data census --epsilon 1 --method ridge; method must be one of functional-gaussian,",
        "--data census --method functional --epsilon 1 --delta 1e-5; --delta is for Gaussian noise",
        "--data census --epsilon 1 --linear-share 1; linear share must be in (0, 1)",
        "--data census --epsilon 1 --feature-bounds 1..0; bounds",
        "--data census --epsilon 1 --method least-squares; --epsilon cannot stand beside",
        "--data digits --epsilon 1; data to regress must be a table",
        "--data census-50k --epsilon 1 --method sufficient-statistics; label of",
        "--data census --epsilon 1 --force; --force is for --out",
        "--data pay.csv --label pay --column years=0..20 --epsilon 1; pay"
      })
  void badInputIsOneLine(String options, String message) {
    String line = Run.of("regress " + options).line(2);
    assertTrue(line.contains(message), line);
  }
}
