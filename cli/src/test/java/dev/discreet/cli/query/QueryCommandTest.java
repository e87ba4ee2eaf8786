package dev.discreet.cli.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.cli.Run;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryCommandTest {
  @TempDir Path folder;
  private Path file;
  private Path ledger;
  private double sum;

  /** 600 people of two rows each; some cells are no numbers, and one row is too short. */
  @BeforeEach
  void table() throws IOException {
    file = folder.resolve("data.csv");
    ledger = folder.resolve("queries.ledger");
    StringBuilder text = new StringBuilder("person,income,state\n");
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1200; i++) {
      double income = Math.rint(random.nextDouble() * 120_000);
      boolean missing = i % 100 == 7;
      text.append("p").append(i / 2).append(',').append(missing ? "" : income);
      text.append(',').append(i % 3 == 0 ? "CA" : "NY").append('\n');
      sum += missing ? 0 : Math.min(income, 100_000);
    }
    text.append("p9999\n");
    Files.writeString(file, text);
  }

  private Run ask(String question) {
    return Run.of("query " + question + " --data " + file);
  }

  @Test
  void everyQuestionIsAnswered() {
    assertEquals(1188, ask("count --json --column income --epsilon 500").number("value"), 1);
    assertEquals(
        1188, ask("count --json --column income --bounds 0..1e6 --epsilon 500").number("value"), 1);
    Run total = ask("sum --json --column income --bounds 0..100000 --epsilon 500");
    assertEquals(sum, total.number("value"), 20_000);
    assertEquals(Math.sqrt(2) * 200, total.number("deviation"), 1);
    Run mean = ask("mean --json --column income --bounds 0..100000 --epsilon 500");
    assertEquals(sum / 1188, mean.number("value"), 20);
    assertEquals("laplace", mean.object().get("mechanism"));
    Run normal = ask("mean --json --column income --bounds 0..100000 --epsilon 500 --delta 1e-6");
    assertEquals(sum / 1188, normal.number("value"), 20);
    assertEquals("gaussian", normal.object().get("mechanism"));
    Run states = ask("histogram --json --column state --categories CA|NY|TX --epsilon 500");
    assertEquals(List.of("CA", "NY", "TX"), states.object().get("bins"));
    assertEquals(List.of(400.0, 800.0, 0.0), states.object().get("counts"));
    Run bins = ask("histogram --json --column income --bounds 0..120000 --bins 3 --epsilon 500");
    assertEquals(List.of("0..40000", "40000..80000", "80000..120000"), bins.object().get("bins"));
    Run quantile = ask("quantile --json --column income --bounds 0..120000 --epsilon 500");
    assertEquals(60_000, quantile.number("value"), 4000);
    assertEquals("exponential", quantile.object().get("mechanism"));
  }

  /** The exact answer is known here, and nearly all of ε = 500 is in every interval. */
  @Test
  void everyAnswerHasAnInterval() {
    for (String question :
        List.of(
            "sum --column income --bounds 0..100000",
            "mean --column income --bounds 0..100000",
            "quantile --column income --bounds 0..120000",
            "count --column income")) {
      Run run = ask(question + " --json --confidence 0.999999 --epsilon 500");
      assertEquals(0.999999, run.number("confidence"));
      double low = run.number("low");
      double high = run.number("high");
      assertTrue(low <= run.number("value") && run.number("value") <= high, run.out());
      double exact =
          question.startsWith("sum") ? sum : question.startsWith("mean") ? sum / 1188 : 1188;
      assertTrue(
          question.startsWith("quantile") || low <= exact && exact <= high, run.out() + exact);
    }
    Run bins = ask("histogram --json --column state --categories CA|NY|TX --epsilon 1");
    List<?> counts = (List<?>) bins.object().get("counts");
    List<?> highs = (List<?>) bins.object().get("highs");
    // Laplace noise of scale 1: |round(N)| ≤ 3 has probability 1 − e^−3.5.
    assertEquals((double) counts.get(2) + 3, highs.get(2));
    Run all = ask("quantile --json --no-interval --column income --bounds 0..120000 --epsilon 1");
    assertEquals(120_000, all.number("high"));
    assertEquals(
        "discreet query count: confidence must be in (0, 1). Provided value: 1",
        ask("count --column income --epsilon 1 --confidence 1").line(2));
  }

  @Test
  void unitsCountNoMoreThanTheirRows() {
    Run people =
        ask(
            "count --json --column income --epsilon 500"
                + " --unit person --unit-column person --examples-per-unit 1");
    assertEquals(600, people.number("value"), 1);
    assertEquals("person", people.object().get("unit"));
    Run two =
        ask(
            "sum --json --column income --bounds 0..10 --epsilon 1 --unit-column person"
                + " --examples-per-unit 7");
    assertEquals(Math.sqrt(2) * 70, two.number("deviation"), 1e-3);
  }

  /** As train writes them: one category called 0|1 would be counted, and charged, for nothing. */
  @Test
  void boundsAndCategoriesAreWrittenAsElsewhere() throws IOException {
    Files.writeString(file, "x,flag\n-3,0\n2.5,1\n0.001,1.0\n");
    Run flags = ask("histogram --json --column flag --categories 0|1 --epsilon 500");
    assertEquals(List.of("0", "1"), flags.object().get("bins"));
    assertEquals(List.of(1.0, 2.0), flags.object().get("counts"));
    Run range = ask("histogram --json --column flag --categories {0..2} --epsilon 500");
    assertEquals(List.of(1.0, 2.0, 0.0), range.object().get("counts"));
    String count = "count --json --column x --epsilon 500 --bounds ";
    assertEquals(3, ask(count + "-5..5").number("value"));
    assertEquals(2, ask(count + "1e-3..2.5").number("value"));
    assertEquals(1, ask(count + "-3.5..-2.5e0").number("value"));
  }

  @Test
  void theTableIsNamedByAnOption() {
    assertEquals(
        "discreet query count: --data TABLE is missing",
        Run.of("query count --column income --epsilon 1").line(2));
    assertEquals(
        "discreet query count: unknown argument 'data.csv'; data are given as --data data.csv",
        Run.of("query count --column income --epsilon 1 data.csv").line(2));
  }

  /** As one unit they would stand in for one another, and each move a sum by twice its bound. */
  @Test
  void rowsWithoutAUnitCountForNoOne() throws IOException {
    Files.writeString(file, "person,income\n,100\na,50\n ,-100\n");
    String sum =
        "sum --json --column income --bounds -100..100 --epsilon 1000"
            + " --unit-column person --examples-per-unit 1 --accept-misfits --data ";
    Run run = Run.of("query " + sum + file);
    assertTrue(run.err().contains("2 of 3 rows of data.csv do not fit"), run.err());
    assertEquals(50, new Run(run.code(), run.out(), "").number("value"), 5);
  }

  @Test
  void theTableIsForPeople() {
    Run run = ask("mean --column income --bounds 0..100000 --epsilon 1 --insecure-seed 4").done();
    List<String> lines = run.out().lines().toList();
    assertEquals("INSECURE: lots and noise came from a seed that anyone can guess.", lines.get(0));
    assertTrue(lines.get(1).startsWith("mean of income  "), run.out());
    assertTrue(lines.get(2).startsWith("interval        "), run.out());
    assertEquals(
        "confidence      95%, of the exact answer on these rows, over the noise", lines.get(3));
    assertTrue(lines.get(4).startsWith("noise           standard deviation "), run.out());
    assertEquals("cost            epsilon 1, delta 0 (laplace)", lines.get(5));
    assertEquals("neighbouring    add/remove", lines.get(6));
    assertEquals("unit            example", lines.get(7));
    assertEquals(
        run.out(),
        ask("mean --column income --bounds 0..100000 --epsilon 1 --insecure-seed 4").out());
  }

  /** And a refusal comes before the file is opened: there is none. */
  @Test
  void theLedgerGrowsUpToTheBudget() {
    String budget =
        " --epsilon 0.5 --json --ledger " + ledger + " --budget-epsilon 1 --column income ";
    assertEquals(0.5, ask("count" + budget).number("spentEpsilon"));
    assertEquals(1, ask("quantile --bounds 0..1" + budget).number("spentEpsilon"));
    String refused =
        Run.of("query count" + budget + "--data " + folder.resolve("no-such-file")).line(2);
    assertEquals(
        "discreet query count: epsilon spent with this release must be at most that of the budget,"
            + " 1 at delta 0. Provided value: 1.5",
        refused);
    try (Journal journal = Journal.file(ledger, Neighbouring.ADD_REMOVE)) {
      assertTrue(journal.isSecure() && journal.isPrivate());
      assertEquals(
          Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(2), 1)
              .plus(new Mechanism.Exponential(0.25), 1)
              .plus(new Mechanism.Exponential(0.125), 2),
          journal.ledger());
    }
    Run read = Run.of("epsilon --delta 1e-5 --json --ledger " + ledger);
    assertEquals(4, read.number("steps"));
    assertTrue(read.number("epsilon") <= 1, read.out());
  }

  @Test
  void gaussiansAreAddedUpTightly() {
    String gaussian =
        "count --column income --epsilon 0.5 --delta 1e-6 --json --budget-delta 1e-5"
            + " --budget-epsilon 3 --ledger "
            + ledger;
    double spent = 0;
    for (int i = 0; i < 4; i++) {
      spent = ask(gaussian).number("spentEpsilon");
    }
    assertTrue(spent < 4 * 0.5, "spent " + spent);
  }

  /** At delta > 0 a sum that is looked at on the way is no bound, and is not called one. */
  @Test
  void whatWasChosenAfterLookingIsHeldToABudgetThatWasFixedFirst() {
    String gaussian = "count --column income --epsilon 0.5 --delta 1e-6 --json --ledger " + ledger;
    assertEquals("however it was chosen", ask(gaussian).object().get("spentHolds"));
    assertEquals(
        "if all of it was fixed before the first answer", ask(gaussian).object().get("spentHolds"));
    String late = ask(gaussian + " --budget-epsilon 3 --budget-delta 1e-5").line(2);
    assertTrue(late.contains("budget must be fixed before the first release"), late);

    Path other = folder.resolve("other.ledger");
    String held = gaussian.replace(ledger.toString(), other.toString());
    String budget = " --budget-epsilon 3 --budget-delta 1e-5";
    // A question that was refused has shown nothing: the budget is still open.
    ask(held + " --budget-epsilon 0.01 --budget-delta 1e-5").line(2);
    Run first = ask(held + budget);
    assertEquals("however it was chosen", first.object().get("spentHolds"));
    assertTrue(first.number("spentEpsilon") <= 3, first.out());
    String another = ask(held + " --budget-epsilon 4 --budget-delta 1e-5").line(2);
    assertTrue(another.contains("what it was at the first release, epsilon 3"), another);
    int answers = 1;
    Run next = ask(held);
    while (next.code() == 0) {
      assertEquals(3, next.number("budgetEpsilon"), "the ledger remembers its budget");
      answers++;
      next = ask(held);
    }
    PrivacyFilter filter = new PrivacyFilter(3, 1e-5);
    double sigma = MechanismCalibration.analyticGaussian(0.5, 1e-6);
    Mechanism one = new Mechanism.Gaussian(sigma);
    assertTrue(filter.admits(Ledger.of(Neighbouring.ADD_REMOVE, one, answers)));
    assertTrue(!filter.admits(Ledger.of(Neighbouring.ADD_REMOVE, one, answers + 1)));
    assertTrue(
        next.line(2).contains("of the budget, 3 at delta 1e-5. Provided value: 3."), next.err());
  }

  /** One who stops when the answers tell exceeds its delta: a sum is no guarantee by itself. */
  @Test
  void aSumThatIsReadOffAfterwardsHasItsConditionEverywhere() {
    String condition = "if all of it was fixed before the first answer";
    String gaussian = "count --column income --epsilon 0.5 --delta 1e-6 --ledger " + ledger;
    String read = "epsilon --delta 1e-5 --ledger " + ledger;
    ask(gaussian).done();
    assertFalse(Run.of(read).done().out().contains(condition), "of one release nothing is chosen");
    ask(gaussian).done();
    ask(gaussian).done();
    String text = Run.of(read).done().out();
    assertTrue(text.contains(condition), text);
    assertFalse(text.contains("the figure to state)"), text);
    Run json = Run.of(read + " --json");
    assertEquals(condition, json.object().get("holds"));
    assertTrue(json.object().get("conditions").toString().contains(condition), json.out());
    String statement = Run.of(read + " --statement").done().out();
    assertTrue(statement.replaceAll("\\s+", " ").contains(condition), statement);
    assertTrue(statement.lines().allMatch(line -> line.length() <= 90), statement);
    assertTrue(Run.of("compare --delta 1e-5 --ledger " + ledger).done().out().contains(condition));
    // At delta 0 a sum of worst losses holds whenever one stops.
    Path pure = folder.resolve("pure.ledger");
    ask("count --column income --epsilon 0.5 --ledger " + pure).done();
    ask("count --column income --epsilon 0.5 --ledger " + pure).done();
    text = Run.of("epsilon --delta 0 --ledger " + pure).done().out();
    assertFalse(text.contains(condition), text);
  }

  @Test
  void aBudgetIsSaidWithWhatIsSpentOfIt() {
    String gaussian = "count --column income --epsilon 0.5 --delta 1e-6 --ledger " + ledger;
    ask(gaussian + " --budget-epsilon 3 --budget-delta 1e-5").done();
    double spent = ask(gaussian + " --json").number("spentEpsilon");
    String read = "epsilon --delta 1e-5 --ledger " + ledger;
    Run json = Run.of(read + " --json");
    assertEquals(3, json.number("budgetEpsilon"));
    assertEquals(1e-5, json.number("budgetDelta"));
    assertEquals(spent, json.number("budgetSpent"));
    String held =
        "However it was chosen, the budget that was fixed first holds: epsilon 3 at delta"
            + " 1e-5";
    for (String how : List.of("", " --statement")) {
      String text = Run.of(read + how).done().out().replaceAll("\\s+", " ");
      assertTrue(text.contains(held), text);
    }
  }

  @Test
  void whatIsNotThereCostsNothing() {
    String missing =
        Run.of("query count --column income --epsilon 1 --ledger " + ledger + " --data no-such.csv")
            .line(2);
    assertTrue(missing.endsWith("no-such.csv does not exist."), missing);
    String column = ask("count --column incom --epsilon 1 --ledger " + ledger).line(2);
    assertTrue(column.endsWith("must have the column incom. Its columns: person, income, state"));
    try (Journal journal = Journal.file(ledger, Neighbouring.ADD_REMOVE)) {
      assertTrue(journal.ledger().entries().isEmpty());
    }
  }

  @Test
  void aLedgerIsOfOneRelationAndOneUnit() {
    String count = "count --column income --epsilon 1 --ledger " + ledger;
    ask(count).done();
    assertTrue(ask(count + " --neighbouring replace-one").line(2).contains("that of the journal"));
    assertTrue(
        ask(count + " --unit-column person --examples-per-unit 2")
            .line(2)
            .endsWith(", example. Provided value: unit"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          sum --column income --bounds 5..1 --epsilon 1 ; bounds must be LOW..HIGH with LOW below HIGH, as in 0..100. Provided value: 5..1
          sum --column income --bounds 5 --epsilon 1 ; bounds must be LOW..HIGH with LOW below HIGH, as in 0..100. Provided value: 5
          sum --column income --bounds 0..x --epsilon 1 ; bounds must be LOW..HIGH with LOW below HIGH, as in 0..100. Provided value: 0..x
          sum --column income --bounds 0,200000 --epsilon 1 ; bounds must be LOW..HIGH with LOW below HIGH, as in 0..100. Provided value: 0,200000
          sum --column income --bounds 0..1e999 --epsilon 1 ; bounds must be LOW..HIGH with LOW below HIGH, as in 0..100. Provided value: 0..1e999
          sum --column income --bounds 0..1 --epsilon 0     ; epsilon must be in (0, infinity). Provided value: 0
          sum --column income --bounds 0..1 --epsilon 1e9   ; epsilon must be in [1e-6, 1000]. Provided value: 1e9
          sum --column income --bounds 0..1 --epsilon 1 --mechanism gaussian ; --delta D is missing
          sum --column income --bounds 0..1 --epsilon 1 --mechanism gaussian --delta 0 ; delta must be in (0, 1) for Gaussian noise. Provided value: 0
          sum --column income --bounds 0..1 --epsilon 1 --mechanism laplace --delta 1e-5 ; delta must be 0 or left out for laplace. Provided value: 1e-5
          sum --column income --bounds 0..1 --epsilon 1 --mechanism classical-gaussian ; mechanism must be one of laplace, gaussian. Provided value: classical-gaussian
          sum --column income --bounds 0..1 --epsilon 1 --examples-per-unit 2 ; --unit-column and --examples-per-unit go together
          sum --column income --bounds 0..1 --epsilon 1 --unit-column a --examples-per-unit 0 ; examples per unit must be a whole number in [1, 1000000]. Provided value: 0
          sum --column income --bounds 0..1 --epsilon 1 --budget-epsilon 1 ; --ledger FILE is missing, which a budget needs to know what was spent
          sum --column income --bounds 0..1 --epsilon 1 --delta 1e-5 --ledger L --budget-epsilon 1 ; --budget-delta D is missing
          quantile --column income --bounds 0..1 --epsilon 1 --quantile 1 ; quantile must be in (0, 1). Provided value: 1
          quantile --column income --bounds 0..1 --epsilon 1 --delta 0.1 ; delta must be 0 or left out for a quantile. Provided value: 0.1
          quantile --column income --bounds 0..1 --epsilon 1 --mechanism laplace ; --mechanism is not for a quantile: it has the exponential mechanism
          quantile --column income --bounds 0..1 --epsilon 1 --candidates 1 ; candidates must be a whole number in [2, 1048576]. Provided value: 1
          histogram --column income --epsilon 1            ; one of --bins N with --bounds LOW..HIGH, --edges A,B,C or --categories A|B|C is needed
          histogram --column income --epsilon 1 --bins 3   ; one of --bins N with --bounds LOW..HIGH, --edges A,B,C or --categories A|B|C is needed
          histogram --column income --epsilon 1 --edges 1,0 ; edges of bins must be finite and rising. Provided value: 0
          histogram --column state --epsilon 1 --categories CA,NY ; categories must be two or more, as in A|B|C or {1..9} for integers. Provided value: CA,NY
          histogram --column state --epsilon 1 --categories CA||NY ; category of column categories must be not empty. Provided value: nothing
          sum --column income --bounds 0..1 --epsilon 1 --unit person ; unit must be given with --unit-column, to say whose each row is, or with --one-row-each, which declares that each person has one (without, each row is protected by itself, as an example). Provided value: person
          """)
  void wrongUsageIsOneLine(String question, String message) {
    String line = ask(question).line(2);
    assertEquals("discreet query " + question.split(" ")[0] + ": " + message, line);
    assertFalse(Files.exists(ledger));
  }

  @ParameterizedTest
  @ValueSource(strings = {"count", "sum", "mean", "histogram", "quantile"})
  void everyQuestionHasHelp(String verb) {
    String help = Run.of("query " + verb + " --help").done().out();
    assertTrue(help.contains("--bounds=LOW..HIGH") && help.contains("--ledger"), help);
  }

  /** The document's commands run as they stand there, and it has a word for each field. */
  @Test
  void theDocumentIsTrue() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "algorithms", "queries.md"));
    List<String> commands =
        document
            .lines()
            .filter(line -> line.startsWith("discreet query ") && line.contains(" data.csv "))
            .toList();
    assertEquals(2, commands.size());
    for (String command : commands) {
      String here =
          command
              .replace("discreet ", "")
              .replace("data.csv", file.toString())
              .replace("queries.ledger", ledger.toString());
      Run.of(here).done();
      Run.of(here + " --json --insecure-seed 1")
          .object()
          .keySet()
          .forEach(field -> assertTrue(document.contains("`" + field + "`"), field));
    }
    ask("histogram --json --column state --categories CA|NY --epsilon 1"
            + " --unit-column person --examples-per-unit 1")
        .object()
        .keySet()
        .forEach(field -> assertTrue(document.contains("`" + field + "`"), field));
  }
}
