package dev.discreet.cli.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Run;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several questions of one file. */
class AskCommandTest {
  private static final String QUESTIONS =
      """
      questions:
      - ask: count
        by: [region=north|south, 'age=0,50,100']
        margins: true
        weight: 2
      - ask: mean
        column: cost=0..50
        where: age >= 18 and region = 'north'
      - ask: quantile
        column: cost=0..50
        no-interval: true
      """;

  @TempDir Path folder;
  private Path table;
  private Path file;
  private Path ledger;

  @BeforeEach
  void table() throws IOException {
    table = folder.resolve("visits.csv");
    file = folder.resolve("asked.yaml");
    ledger = folder.resolve("ledger");
    StringBuilder text = new StringBuilder("person,region,age,cost\n");
    for (int i = 0; i < 1000; i++) {
      text.append('p').append(i / 2).append(i % 2 == 0 ? ",north," : ",south,");
      text.append(i % 100).append(',').append(i % 50).append('\n');
    }
    Files.writeString(table, text);
  }

  private Run ask(String text, String more) throws IOException {
    Files.writeString(file, text);
    return Run.of("query ask " + file + " --data " + table + " " + more);
  }

  private static List<Map<?, ?>> answers(Run run) {
    return ((List<?>) run.object().get("answers"))
        .stream().<Map<?, ?>>map(Map.class::cast).toList();
  }

  @Test
  void thePriceIsSplitByWeights() throws IOException {
    Run run = ask("epsilon: 1\n" + QUESTIONS, "--json --ledger " + ledger);
    List<Map<?, ?>> answers = answers(run);
    assertEquals(
        List.of("count", "mean", "quantile"), answers.stream().map(a -> a.get("query")).toList());
    assertEquals(0.5, (double) answers.get(0).get("epsilon"), 1e-9);
    assertEquals(0.25, (double) answers.get(2).get("epsilon"), 1e-9);
    assertEquals("exponential", answers.get(2).get("mechanism"));
    assertEquals(1, run.number("epsilon"));
    assertTrue(run.number("spentEpsilon") <= 1 && run.number("spentEpsilon") > 1 - 1e-9);
    try (Journal journal = Journal.file(ledger, Neighbouring.ADD_REMOVE)) {
      List<Double> scales =
          journal.ledger().totals().keySet().stream()
              .filter(Mechanism.Laplace.class::isInstance)
              .map(each -> ((Mechanism.Laplace) each).scale())
              .toList();
      assertEquals(2, scales.get(0), 1e-6);
      assertEquals(4, scales.get(1), 1e-6);
    }
    // The same ledger takes other questions after these.
    assertEquals(
        2, ask(QUESTIONS, "--epsilon 1 --json --ledger " + ledger).number("spentEpsilon"), 1e-9);
  }

  @Test
  void answersAreThoseOfEachQuestion() throws IOException {
    Path out = folder.resolve("answers.csv");
    List<Map<?, ?>> answers = answers(ask(QUESTIONS, "--epsilon 900 --json --out " + out));
    Map<?, ?> first = (Map<?, ?>) ((List<?>) answers.get(0).get("cells")).get(0);
    assertEquals(Map.of("region", "north", "age", "0..50"), first.get("cell"));
    assertEquals(250, (double) first.get("value"), 0.2);
    double mean = 0;
    int rows = 0;
    for (int i = 0; i < 1000; i += 2) {
      if (i % 100 >= 18) {
        mean += i % 50;
        rows++;
      }
    }
    assertEquals(mean / rows, (double) answers.get(1).get("value"), 0.1);
    List<String> lines = Files.readAllLines(out);
    assertEquals("question,region,age,value,low,high,deviation,confidence,kind", lines.get(0));
    assertEquals(1 + 4 + 5 + 1 + 1, lines.size());
    assertTrue(lines.get(11).startsWith("quantile of cost,,,"), lines.get(11));
    String text = ask(QUESTIONS, "--epsilon 1 --delta 1e-6").out();
    assertTrue(text.contains("cost of all   epsilon 1, delta 1e-6"), text);
    assertTrue(text.contains("(exponential)") && text.contains("(gaussian)"), text);
  }

  /** The δ goes to those that can use it, and the whole stays within what was given. */
  @Test
  void aDeltaIsSplitToo() throws IOException {
    Run run = ask(QUESTIONS, "--epsilon 1 --delta 3e-6 --json");
    List<Map<?, ?>> answers = answers(run);
    assertEquals(2e-6, (double) answers.get(0).get("delta"), 1e-15);
    assertEquals(1e-6, (double) answers.get(1).get("delta"), 1e-15);
    assertEquals(0.0, answers.get(2).get("delta"));
    assertTrue(run.number("delta") <= 3e-6);
  }

  /** A budget that has no room for all of them pays for none. */
  @Test
  void allArePaidForOrNone() throws IOException {
    String budget = " --budget-epsilon 1 --ledger " + ledger;
    Run refused = ask(QUESTIONS, "--epsilon 1.5" + budget);
    assertTrue(refused.line(2).contains("at most that of the budget"), refused.err());
    try (Journal journal = Journal.file(ledger, Neighbouring.ADD_REMOVE)) {
      assertEquals(Ledger.empty(Neighbouring.ADD_REMOVE), journal.ledger());
    }
    ask(QUESTIONS, "--epsilon 1" + budget).done();
  }

  @Test
  void optionsGoBeforeKeys() throws IOException {
    String keys =
        "epsilon: 5\nunit-column: person\nunit: patient\nexamples-per-unit: 1\nconfidence: 0.5\n";
    Run run =
        ask(keys + QUESTIONS.replace("margins: true", "cells-per-unit: 2"), "--epsilon 2 --json");
    assertEquals(2, run.number("epsilon"));
    assertEquals(0.5, run.number("confidence"));
    assertEquals("patient", run.object().get("unit"));
    String document = Files.readString(Path.of("..", "docs", "algorithms", "queries.md"));
    run.object().keySet().forEach(field -> assertTrue(document.contains("`" + field + "`"), field));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          questions: []                                ~ : questions must be 1 to 1000. Provided value: 0
          epsilon: 1                                   ~ : questions must be a list, such as - ask: count. Provided value: none
          questions: [{by: sex=f}]                     ~ , line 1: ask must be given, as in ask: count. Provided value: none
          questions: [{ask: median}]                   ~ , line 1: ask must be one of count, histogram, mean, quantile, ratio, sum, variance. Provided value: median
          questions: [{ask: count, wheer: age}]        ~ , line 1: unknown key 'wheer' of a question; discreet query count --help lists what is known
          questions: [{ask: count, epsilon: 3}]        ~ , line 1: epsilon must be of all questions together, before them. Provided value: a key of one
          questions: [{ask: count, weight: 0}]         ~ , line 1: weight must be in [1e-6, 1e6]. Provided value: 0
          questions: [{ask: count, margins: maybe}]    ~ , line 1: margins must be true or false. Provided value: maybe
          questions: [{ask: count, by: region}]        ~ , line 1: by must be a column with declared values, as in region=north|south, {0..9} for integers, or age=0,18,65,120 for bins (a name alone where --columns FILE declares it so). Provided value: region
          questions: [{ask: sum, column: [a, b]}]      ~ , line 1: option '--column' (NAME) should be specified only once
          ledger: L                                    ~ : questions must be a list, such as - ask: count. Provided value: none
          {ledger: L, questions: [{ask: count}]}       ~ , line 1: ledger must be given as an option. Provided value: a key
          {where: age, questions: [{ask: count}]}      ~ , line 1: unknown key 'where' of all questions; discreet query ask --help lists what is known
          {questions: [{ask: count, ask: sum}]}        ~ , line 1: ask must be set once. Provided value: ask
          """)
  void wrongFilesAreOneLine(String text, String message) throws IOException {
    assertEquals(
        "discreet query ask: " + file + message,
        ask(text.replace(" / ", "\n"), "--epsilon 1").line(2));
  }

  /** A row is left out of the questions that need its cell, and of no other. */
  @Test
  void whatDoesNotFitOneQuestionFitsAnother() throws IOException {
    Files.writeString(table, "region,cost\nnorth,1\nabroad,2\nnorth,3\n");
    Run run =
        ask(
            "questions:\n- ask: count\n- {ask: count, by: region=north|south}\n",
            "--epsilon 900 --accept-misfits --json");
    assertTrue(
        run.err()
            .contains(
                "1 of 3 rows of visits.csv do not fit what was declared or asked; each question"
                    + " leaves out the rows of which it needs such a cell (outside"),
        run.err());
    List<Map<?, ?>> answers = answers(new Run(0, run.out(), ""));
    assertEquals(3, (double) answers.get(0).get("value"), 0.2);
    Map<?, ?> north = (Map<?, ?>) ((List<?>) answers.get(1).get("cells")).get(0);
    assertEquals(2, (double) north.get("value"), 0.2);
  }

  @Test
  void aPriceIsNeeded() throws IOException {
    assertEquals(
        "discreet query ask: --epsilon needs a value E: What the answer may cost.",
        ask(QUESTIONS, "").line(2));
  }
}
