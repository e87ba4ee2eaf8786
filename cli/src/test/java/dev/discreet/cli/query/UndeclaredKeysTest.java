package dev.discreet.cli.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions in the cells of values that nobody declared. */
class UndeclaredKeysTest {
  private static final String KEYS = " --by-undeclared town --delta 1e-9 ";
  private static final String EXACT = KEYS + "--epsilon 900 --json ";
  private static final String PEOPLE =
      " --unit-column person --unit person --examples-per-unit 1 --cells-per-unit ";

  @TempDir Path folder;
  private Path file;

  /** 300 people of 3 rows: at Ulm and in Aachen each, and at home, where some live alone. */
  @BeforeEach
  void table() throws IOException {
    file = folder.resolve("visits.csv");
    StringBuilder text = new StringBuilder("person,town,cost\n");
    for (int person = 0; person < 300; person++) {
      String home = person == 7 ? "Hermitage" : person < 100 ? "" : "\u001b[31mBonn";
      for (String town : List.of("Ulm", "Aachen", home)) {
        text.append('p').append(person).append(',').append(town).append(',');
        text.append(person % 50).append('\n');
      }
    }
    Files.writeString(file, text);
  }

  private Run ask(String question) {
    return Run.of(
        Stream.of(("query " + question + " --data " + file).split(" +")).toArray(String[]::new));
  }

  private static Map<String, Double> cells(Run run) {
    Map<String, Double> cells = new LinkedHashMap<>();
    for (Object each : (List<?>) run.done().object().get("cells")) {
      Map<?, ?> cell = (Map<?, ?>) each;
      cells.put((String) ((Map<?, ?>) cell.get("cell")).get("town"), (double) cell.get("value"));
    }
    return cells;
  }

  @Test
  void everyKeyThatManyHaveIsShownByNameAndAskedAbout() {
    Map<String, Double> counts = cells(ask("count" + KEYS + "--epsilon 4 --json" + PEOPLE + 3));
    assertEquals(List.of("\u001b[31mBonn", "Aachen", "Ulm"), List.copyOf(counts.keySet()));
    Map<String, Double> counted = cells(ask("count" + KEYS + "--epsilon 40 --json" + PEOPLE + 3));
    assertEquals(200, counted.get("\u001b[31mBonn"), 5);
    assertEquals(300, counted.get("Ulm"), 5);
    double sum = 300 / 50 * (49 * 50 / 2);
    assertEquals(sum, cells(ask("sum --column cost=0..50" + EXACT + PEOPLE + 3)).get("Ulm"), 20);
    assertEquals(
        sum / 300, cells(ask("mean --column cost=0..50" + EXACT + PEOPLE + 3)).get("Ulm"), 0.2);
    Map<String, Double> some =
        cells(ask("mean --column cost=0..50 --where cost<10" + EXACT + PEOPLE + 3));
    assertEquals(4.5, some.get("Aachen"), 0.2);
  }

  /** Nobody's later rows stand in for those of a key that is not shown. */
  @Test
  void aUnitIsInItsFirstKeysAlone() {
    Map<String, Double> one = cells(ask("count" + EXACT + PEOPLE + 1));
    assertEquals(List.of("Ulm"), List.copyOf(one.keySet()));
    assertEquals(300, one.get("Ulm"), 0.2);
    assertEquals(
        List.of("Aachen", "Ulm"), List.copyOf(cells(ask("count" + EXACT + PEOPLE + 2)).keySet()));
  }

  /** Half of epsilon each; all of delta selects, but for Gaussian noise. */
  @Test
  void thePriceIsSplitAsItIsTold() throws IOException {
    Path out = folder.resolve("out.csv");
    Path plot = folder.resolve("out.svg");
    Path ledger = folder.resolve("ledger");
    Run laplace =
        ask(
            "count"
                + KEYS
                + "--epsilon 4 --json --out "
                + out
                + " --plot "
                + plot
                + " --ledger "
                + ledger
                + PEOPLE
                + 2);
    Map<String, Object> told = laplace.done().object();
    assertEquals("laplace", told.get("mechanism"));
    assertEquals(2.0, told.get("selectionEpsilon"));
    assertEquals(1e-9, (double) told.get("selectionDelta"), 1e-17);
    assertEquals(4.0, told.get("epsilon"));
    assertEquals(1e-9, told.get("delta"));
    assertEquals(4, (double) told.get("spentEpsilon"), 4e-3);
    assertEquals(1e-9, (double) told.get("spentDelta"));
    Map<?, ?> cell = (Map<?, ?>) ((List<?>) told.get("cells")).get(0);
    // Laplace noise for 2, of a unit in 2 cells.
    assertEquals(Math.sqrt(2), (double) cell.get("deviation"), 1e-5);
    String keys = "selected privately, for epsilon 2, delta 1e-9 of the cost; there may be others";
    assertEquals(keys, told.get("keys"));
    List<String> lines = Files.readAllLines(out);
    assertEquals("question,town,value,low,high,deviation,confidence,kind,keys", lines.get(0));
    assertTrue(lines.get(1).startsWith("count of rows,Aachen,"), lines.get(1));
    assertTrue(lines.get(2).endsWith(",noisy,\"" + keys + "\""), lines.get(2));
    assertTrue(Files.readString(plot).contains("count of rows: keys " + keys));
    Run gaussian =
        ask(
            "count"
                + KEYS
                + "--mechanism gaussian --epsilon 4 --json --ledger "
                + ledger
                + 2
                + PEOPLE
                + 2);
    assertEquals("gaussian", gaussian.done().object().get("mechanism"));
    assertEquals(5e-10, gaussian.number("selectionDelta"), 1e-18);
    assertEquals(1e-9, gaussian.number("delta"));
    double spent = gaussian.number("spentEpsilon");
    assertTrue(spent > 3 && spent <= 4.004, "" + spent);
    String document = Files.readString(Path.of("..", "docs", "algorithms", "queries.md"));
    told.keySet().forEach(field -> assertTrue(document.contains("`" + field + "`"), field));
  }

  /** A key may be any text: here it would colour the terminal red. */
  @Test
  void theTableIsForPeople() {
    String out = ask("count --epsilon 20" + KEYS + PEOPLE + 3).done().out();
    List<String> lines = out.lines().toList();
    assertTrue(lines.get(0).matches("town +count of rows +interval +noise"), out);
    assertTrue(lines.get(1).startsWith("?[31mBonn "), out);
    assertTrue(lines.get(2).startsWith("Aachen ") && lines.get(3).startsWith("Ulm "), out);
    assertTrue(
        out.contains("keys          selected privately, for epsilon 10, delta 1e-9 of"), out);
    assertTrue(out.contains("cost          epsilon 20, delta 1e-9 (laplace)"), out);
    assertFalse(out.contains("Hermitage") || out.indexOf('\u001b') >= 0, out);
  }

  @Test
  void whereNoneIsSelectedEveryOutputSaysSo() throws IOException {
    Path out = folder.resolve("out.csv");
    Path plot = folder.resolve("out.svg");
    String none = "count --by-undeclared person --non-negative --delta 1e-9 --epsilon 1 ";
    String shown = ask(none + "--out " + out + " --plot " + plot + PEOPLE + 1).done().out();
    String keys =
        "none selected privately, for epsilon 0.5, delta 1e-9 of the cost; there may be others";
    assertTrue(shown.contains("keys          " + keys), shown);
    assertFalse(shown.contains("p1"), shown);
    assertEquals(
        List.of(
            "question,value,low,high,deviation,confidence,kind,keys",
            "count of rows,,,,,0.95,,\"" + keys + "\""),
        Files.readAllLines(out));
    assertTrue(Files.readString(plot).contains(keys));
    Run json = ask(none + "--json" + PEOPLE + 1).done();
    assertEquals(List.of(), json.object().get("cells"));
    assertEquals(keys, json.object().get("keys"));
  }

  /** A garbled key is none: several towns may have the same. And nobody is told of keys. */
  @Test
  void garbledAndEmptyKeysAreNone() throws IOException {
    Files.writeString(file, Files.readString(file).replace(",Aachen,", ",\"Aa\"chen,"));
    Run run = ask("count" + EXACT.replace("--json", "") + PEOPLE + 3);
    assertFalse(run.err().contains("Aa"), run.err());
    assertFalse(run.out().contains("Aa"), run.out());
    assertTrue(run.out().contains("Ulm"), run.out());
  }

  /** With others of a file it has its part of all. */
  @Test
  void itIsOneQuestionOfAFile() throws IOException {
    Path asked = folder.resolve("asked.yaml");
    Files.writeString(
        asked,
        """
        unit-column: person
        examples-per-unit: 1
        questions:
        - {ask: count, by-undeclared: town, cells-per-unit: 2, weight: 3}
        - {ask: mean, column: cost=0..50}
        """);
    Run run = ask("ask " + asked + " --epsilon 40 --delta 4e-9 --json");
    List<?> answers = (List<?>) run.done().object().get("answers");
    Map<?, ?> keys = (Map<?, ?>) answers.get(0);
    assertEquals(30, (double) keys.get("epsilon"), 1e-6);
    assertEquals(15, (double) keys.get("selectionEpsilon"), 1e-6);
    assertEquals(3e-9, (double) keys.get("delta"), 1e-15);
    assertEquals("laplace", keys.get("mechanism"));
    assertEquals("gaussian", ((Map<?, ?>) answers.get(1)).get("mechanism"));
    assertEquals(2, ((List<?>) keys.get("cells")).size());
  }

  /** Where each row is a unit, and the order of the file says nothing. */
  @Test
  void theOrderOfRowsDoesNotMatter() throws IOException {
    Map<String, Double> before = cells(ask("count --insecure-seed 3" + EXACT));
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    List<String> reversed = new ArrayList<>(lines.subList(0, 1));
    for (int i = lines.size() - 1; i > 0; i--) {
      reversed.add(lines.get(i));
    }
    Files.write(file, reversed);
    assertEquals(new HashMap<>(before), cells(ask("count --insecure-seed 3" + EXACT)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      quoteCharacter = '`',
      textBlock =
          """
          count --by-undeclared town --epsilon 1 @ --delta must be above 0 with --by-undeclared: about the chance that what one unit alone has is shown. Provided value: 0
          count --by-undeclared town=Ulm --epsilon 1 --delta 1e-9 @ --by-undeclared must be a column's name alone; values that are declared belong to --by. Provided value: town=Ulm
          count --by-undeclared town --by town=Ulm|Bonn --epsilon 1 --delta 1e-9 @ --by-undeclared must be alone, without --by and --margins, and not for a histogram or a quantile. Provided value: count of rows
          count --by-undeclared town --margins --epsilon 1 --delta 1e-9 @ --by-undeclared must be alone, without --by and --margins, and not for a histogram or a quantile. Provided value: count of rows
          quantile --column cost=0..1 --by-undeclared town --epsilon 1 --delta 1e-9 @ --by-undeclared must be alone, without --by and --margins, and not for a histogram or a quantile. Provided value: quantile of cost
          count --by-undeclared town --unit-column person --examples-per-unit 1 --epsilon 1 --delta 1e-9 @ --cells-per-unit K must be given with --unit-column: in how many cells of the table a unit counts, its first K. Provided value: none
          count --by-undeclared town --cells-per-unit 2 --epsilon 1 --delta 1e-9 @ cells per unit must be left out without --unit-column: a row is in one cell. Provided value: 2
          count --by-undeclared town --epsilon 1e-3 --delta 1e-9 @ epsilon of a selection must be at least 0.001 for each of 1 keys, and at most 1000. Provided value: 0.0005
          """)
  void wrongUsageIsOneLine(String question, String message) {
    assertEquals(
        "discreet query " + question.split(" ")[0] + ": " + message, ask(question).line(2));
  }
}
