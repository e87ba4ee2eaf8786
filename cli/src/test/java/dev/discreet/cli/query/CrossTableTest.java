package dev.discreet.cli.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions in the cells of a table, and of rows that meet a condition. */
class CrossTableTest {
  private static final String EXACT = " --epsilon 900 --json --accept-misfits ";

  @TempDir Path folder;
  private Path file;

  /** 300 people of 4 rows, in 3 regions. */
  @BeforeEach
  void table() throws IOException {
    file = folder.resolve("visits.csv");
    StringBuilder text = new StringBuilder("person,region,sex,age,cost,hours\n");
    for (int i = 0; i < 1200; i++) {
      int person = i / 4;
      text.append('p').append(person).append(',');
      text.append(List.of("north", "south", "NA", "abroad").get(i % 4)).append(',');
      text.append(person % 2 == 0 ? "f," : "m,").append(person % 100).append(',');
      text.append(i % 10 == 9 ? "" : i % 50).append(',').append(1 + i % 3).append('\n');
    }
    Files.writeString(file, text);
  }

  /** A ~ stands for a blank inside an argument. */
  private Run ask(String question) {
    return Run.of(
        Stream.of(("query " + question + " --data " + file).split(" +"))
            .map(each -> each.replace('~', ' '))
            .toArray(String[]::new));
  }

  /** Also where misfits were told of. */
  private static Map<String, Object> object(Run run) {
    return new Run(run.code(), run.out(), "").object();
  }

  private static Map<String, Map<?, ?>> cells(Run run, String key) {
    Map<String, Map<?, ?>> cells = new HashMap<>();
    for (Object each : (List<?>) object(run).get(key)) {
      Map<?, ?> cell = (Map<?, ?>) each;
      cells.put(
          String.join("|", ((Map<?, ?>) cell.get("cell")).values().toArray(String[]::new)), cell);
    }
    return cells;
  }

  private static double value(Map<?, ?> cell) {
    return (double) cell.get("value");
  }

  @Test
  void everyKindOfQuestionIsAskedInCells() {
    String by = " --by region=north|south,other=elsewhere --by sex=f|m --where age>=50 ";
    Map<String, Map<?, ?>> counts = cells(ask("count" + by + EXACT), "cells");
    assertEquals(6, counts.size());
    // Ages 50 to 99, three times each: 150 people, of whom 75 are f.
    assertEquals(75, value(counts.get("north|f")), 0.2);
    assertEquals(150, value(counts.get("elsewhere|m")), 0.2);
    assertTrue((double) counts.get("north|f").get("low") <= 75.2);
    assertEquals(Math.sqrt(2) / 900, (double) counts.get("north|f").get("deviation"), 1e-4);

    double sum = 0;
    double squares = 0;
    double hours = 0;
    int rows = 0;
    int low = 0;
    for (int i = 0; i < 1200; i++) {
      if (i / 4 % 100 >= 50 && i % 4 == 1 && i / 4 % 2 == 0 && i % 10 != 9) {
        sum += i % 50;
        squares += i % 50 * (i % 50);
        hours += 1 + i % 3;
        low += i % 50 < 20 ? 1 : 0;
        rows++;
      }
    }
    String cost = " --column cost=0..50 ";
    assertEquals(
        rows, value(cells(ask("count --column cost" + by + EXACT), "cells").get("south|f")), 0.2);
    assertEquals(sum, value(cells(ask("sum" + cost + by + EXACT), "cells").get("south|f")), 4);
    assertEquals(
        sum / rows, value(cells(ask("mean" + cost + by + EXACT), "cells").get("south|f")), 0.1);
    assertEquals(
        squares / rows - sum / rows * sum / rows,
        value(cells(ask("variance" + cost + by + EXACT), "cells").get("south|f")),
        4);
    assertEquals(
        sum / hours,
        value(cells(ask("ratio --over hours=0..3" + cost + by + EXACT), "cells").get("south|f")),
        0.1);
    String known = by.strip().replace("age>=50", "age~>=~50~and~cost~is~not~null");
    assertEquals(
        (double) low / rows,
        value(cells(ask("ratio --that cost<20 " + known + EXACT), "cells").get("south|f")),
        0.01);
    Map<String, Map<?, ?>> bins =
        cells(ask("histogram --edges 0,20,50" + cost.replace("=0..50", "") + by + EXACT), "cells");
    assertEquals(low, value(bins.get("south|f|0..20")), 0.2);
    Map<String, Map<?, ?>> medians = cells(ask("quantile" + cost + by + EXACT), "cells");
    double median = value(medians.get("south|f"));
    assertTrue(median > 10 && median < 40, "" + median);
    assertFalse(medians.get("south|f").containsKey("deviation"));
  }

  @Test
  void withoutCellsThereIsOneNumber() {
    assertEquals(1200, ask("count" + EXACT).number("value"), 0.2);
    Run old = ask("mean --column cost=0..50 --where age<10 " + EXACT);
    assertEquals("age<10", old.object().get("where"));
    assertFalse(old.object().containsKey("cells"));
    assertTrue(old.number("low") <= old.number("value"));
    assertTrue(ask("variance --column cost --bounds 0..50" + EXACT).number("value") > 100);
    // Where units are replaced, the number of those that meet a condition is no one's to know.
    Run replaced = ask("count --where age<10 --neighbouring replace-one" + EXACT);
    assertEquals(120, replaced.number("value"), 0.2);
  }

  /** Neither above nor below: who has no number is not one of those below it. */
  @Test
  void aShareIsOfThoseForWhomItIsDecided() throws IOException {
    Files.writeString(file, "income\n60000\n\"\"\n\"\"\n20000\n");
    assertEquals(0.5, ask("ratio --that income~>~50000 " + EXACT).number("value"), 0.05);
    assertEquals(0.5, ask("ratio --that income~is~null " + EXACT).number("value"), 0.05);
  }

  @Test
  void aUnitIsInItsFirstCellsAlone() {
    String people =
        "count --by region=north|south|NA|abroad --unit-column person --unit person"
            + " --examples-per-unit 1 --cells-per-unit ";
    Run two = ask(people + 2 + EXACT);
    Map<String, Map<?, ?>> cells = cells(two, "cells");
    assertEquals(300, value(cells.get("north")), 0.2);
    assertEquals(300, value(cells.get("south")), 0.2);
    assertEquals(0, value(cells.get("NA")), 0.2);
    assertEquals(2.0, two.number("cellsPerUnit"));
    Run noisy = ask(people + 3 + " --epsilon 1 --json");
    assertEquals(Math.sqrt(2) * 3, (double) cells(noisy, "cells").get("NA").get("deviation"), 1e-6);
    Run gaussian = ask(people + 3 + " --epsilon 1 --delta 1e-6 --json");
    Run one = ask(people + 1 + " --epsilon 1 --delta 1e-6 --json");
    assertEquals(
        Math.sqrt(3),
        (double) cells(gaussian, "cells").get("NA").get("deviation")
            / (double) cells(one, "cells").get("NA").get("deviation"),
        1e-6);
  }

  @Test
  void marginsAreSumsOfTheirCellsAndNothingIsBelowZero() throws IOException {
    Path out = folder.resolve("table.csv");
    Run run =
        ask(
            "count --by region=north|south|east --by age=0,10,20,100 --where age<12 --margins"
                + " --non-negative --epsilon 0.05 --json --accept-misfits --out "
                + out);
    Map<String, Map<?, ?>> cells = cells(run, "cells");
    assertEquals("non-negative", object(run).get("adjusted"));
    double sum = 0;
    for (String age : List.of("0..10", "10..20", "20..100")) {
      double value = value(cells.get("east|" + age));
      assertTrue(value >= 0);
      sum += value;
    }
    List<?> margins = (List<?>) object(run).get("margins");
    assertEquals(3 + 3 + 1, margins.size());
    assertEquals(sum, value(cells(run, "margins").get("east")), 1e-6);
    List<String> lines = Files.readAllLines(out);
    assertEquals("question,region,age,value,low,high,deviation,confidence,kind", lines.get(0));
    assertEquals(1 + 9 + 7, lines.size());
    assertTrue(
        lines
            .get(1)
            .matches("count of rows,north,0\\.\\.10,[^,]+,[^,]+,[^,]+,[^,]+,0\\.95,non-negative"));
    assertTrue(
        lines.get(16).contains(",,,") && lines.get(16).endsWith(",non-negative margin"),
        lines.get(16));
    Run again = ask("count --epsilon 1 --out " + out);
    assertTrue(again.line(2).contains("out must be a new file"), again.err());
  }

  @Test
  void noTwoColumnsOfAFileHaveOneName() throws IOException {
    Path out = folder.resolve("table.csv");
    Files.writeString(file, "value,by kind,kind\nx,1,2\n");
    String by = " --by value=x|y --by by~kind=1|2 --by kind=1|2";
    ask("count --epsilon 1 --out " + out + by).done();
    assertEquals(
        "question,by value,by kind,by by kind,value,low,high,deviation,confidence,kind",
        Files.readAllLines(out).get(0));
  }

  @Test
  void theTableIsForPeople() {
    // Where 0 is not in the interval by chance, nothing is said of it: not so with this seed.
    String asked = "count --by region=north|east --epsilon 1 --accept-misfits --margins";
    String out = ask(asked + " --insecure-seed 4").out();
    List<String> lines = out.lines().skip(1).toList();
    assertTrue(lines.get(0).matches("region +count of rows +interval +noise"), out);
    assertTrue(lines.get(1).matches("north +[\\d.]+ +[\\d.]+ to [\\d.]+ +1.41421"), out);
    assertTrue(
        lines.get(2).matches("east +-?[\\d.]+ +-[\\d.]+ to [\\d.]+ +1.41421 +may be 0"), out);
    assertTrue(lines.get(3).startsWith("all "), out);
    assertTrue(out.contains("margins       computed from the noisy cells, at no cost"), out);
  }

  @Test
  void aFileDeclaresColumns() throws IOException {
    Path columns = folder.resolve("columns.yaml");
    Files.writeString(
        columns,
        "unit-column: person\n"
            + "columns:\n"
            + "  region: north|south|abroad,missing=own,missing-cells=NA\n"
            + "  cost: 0..50\n");
    Run run =
        ask(
            "mean --column cost --by region --columns "
                + columns
                + " --examples-per-unit 1 --cells-per-unit 4"
                + EXACT);
    Map<String, Map<?, ?>> cells = cells(run, "cells");
    assertEquals(4, cells.size());
    assertEquals("unit", run.object().get("unit"));
    assertEquals(24, value(cells.get("missing")), 3);
  }

  /** A model reads the constant in their place; a question has no such people. */
  @Test
  void missingValuesAreNotTheConstantThatIsDeclaredForModels() throws IOException {
    Path columns = folder.resolve("columns.yaml");
    Files.writeString(
        columns,
        "columns:\n"
            + "  age: 0..1000,missing=300,missing-cells=99\n"
            + "  hours: 0..50,missing=indicator(9)\n"
            + "  region: north|south,missing=south\n");
    Files.writeString(
        file, "age,hours,region\n10,5,north\n20,7,south\n\"\",\"\",\"\"\n99,\"\",north\n");
    String declared = " --columns " + columns + " --epsilon 900 --json ";
    assertEquals(30, ask("sum --column age" + declared).number("value"), 30);
    assertEquals(15, ask("mean --column age" + declared).number("value"), 30);
    assertEquals(6, ask("mean --column hours" + declared).number("value"), 0.5);
    Map<String, Map<?, ?>> cells = cells(ask("count --by region" + declared), "cells");
    assertEquals(2, value(cells.get("north")), 0.1);
    assertEquals(1, value(cells.get("south")), 0.1);
  }

  /** Of all rows, whatever condition they meet: else the line would count those that meet one. */
  @Test
  void whatDoesNotFitIsToldOfEveryRow() {
    String asked = "count --by region=north|south --by sex=f|m --epsilon 1";
    Run all = ask(asked);
    assertEquals(1, all.code());
    assertTrue(all.err().contains("600 of 1,200 rows"), all.err());
    assertTrue(all.err().contains("visits.csv line 4, column region has \"NA\""), all.err());
    for (String where : List.of("region~=~'south'", "age~<~3", "age~is~null")) {
      assertEquals(all.err(), ask(asked + " --where " + where).err());
    }
  }

  /** As where the marks of numbers are forgotten: it would be a count of few rows, silently. */
  @ParameterizedTest
  @CsvSource({
    "count --where income~>~30000",
    "count --where income~>~30000~and~region~=~'north'",
    "count --where region~=~'north'~and~income~between~1~and~2",
    "ratio --that income~>~30000",
    "mean --column age=0..100 --where income~<~age",
    "count --by region=north|south --where income~>~30000",
  })
  void whatAConditionCannotCompareIsTold(String question) throws IOException {
    StringBuilder text = new StringBuilder("region;income;age\n");
    for (int i = 0; i < 100; i++) {
      text.append(i % 2 == 0 ? "north;" : "south;");
      text.append(i % 4 == 0 ? "" : i % 4 == 1 ? "31000" : "30000,50").append(";5\n");
    }
    Files.writeString(file, text);
    String asked = question + " --epsilon 1 --delimiter semicolon --ledger " + folder.resolve("l");
    Run stopped = ask(asked);
    assertEquals(1, stopped.code());
    assertTrue(stopped.err().contains("50 of 100 rows of visits.csv do not fit"), stopped.err());
    assertTrue(
        stopped.err().contains("visits.csv line 4, column income has \"30000,50\""), stopped.err());
    assertTrue(ask(asked + " --accept-misfits").err().contains("50 of 100 rows"));
    ask(asked + " --decimal comma").done();
  }

  /** By the words of the other verbs, and those of each format. */
  @Test
  void aRowHasOnePlace() throws IOException {
    Files.writeString(file, "person,region\n\n\"a\nb\",north\nc,abroad\n");
    String asked = "count --by region=north|south --epsilon 1";
    assertTrue(ask(asked).err().contains("visits.csv line 5, column region"), ask(asked).err());
    file = folder.resolve("visits.jsonl");
    Files.writeString(file, "{\"region\": \"north\"}\n{\"region\": \"abroad\"}\n");
    assertTrue(ask(asked).err().contains("visits.jsonl line 2, column region"), ask(asked).err());
  }

  @Test
  void whatIsDeclaredAsMissingIsForConditionsToo() throws IOException {
    Path columns = folder.resolve("columns.yaml");
    Files.writeString(columns, "columns:\n  age: 0..120,missing=50,missing-cells=NA|99\n");
    Files.writeString(file, "age\n10\n20\n99\nNA\n");
    String declared = " --epsilon 900 --json --columns " + columns;
    assertEquals(1, ask("count --where age>10" + declared).number("value"), 0.1);
    assertEquals(2, ask("count --where age~is~null" + declared).number("value"), 0.1);
    assertEquals(0.5, ask("ratio --that age>10" + declared).number("value"), 0.1);
  }

  /** An account's rows are shown to nobody. */
  @Test
  void noCellOfAnAccountIsShown() {
    Run.of("account open " + file + " --epsilon 5 --delta 1e-6 --unit person --unit-column person")
        .done();
    String asked =
        "count --by region=north|south|abroad --epsilon 1e-6 --examples-per-unit 1"
            + " --cells-per-unit 1";
    for (String more : List.of("", " --accept-misfits")) {
      Run run = ask(asked + more);
      assertTrue(run.err().contains("300 of 1,200 rows"), run.err());
      assertTrue(run.err().contains("column region (of rows that an account covers"), run.err());
      assertFalse(run.err().contains("\"NA\"") || run.err().contains("line 4"), run.err());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          count --by region --epsilon 1 ; by must be a column with declared values, as in region=north|south, {0..9} for integers, or age=0,18,65,120 for bins (a name alone where --columns FILE declares it so). Provided value: region
          count --by age=0..9 --epsilon 1 ; by must be a column with declared values, as in region=north|south, {0..9} for integers, or age=0,18,65,120 for bins (a name alone where --columns FILE declares it so). Provided value: age=0..9
          count --by sex=f|m --by sex=f|m --epsilon 1 ; by must be distinct columns. Provided value: [sex, sex]
          count --by sex=f|m --cells-per-unit 2 --epsilon 1 ; cells per unit must be left out without --unit-column: a row is in one cell. Provided value: 2
          count --by sex=f|m --unit-column person --examples-per-unit 1 --epsilon 1 ; --cells-per-unit K must be given with --unit-column: in how many cells of the table a unit counts, its first K. Provided value: none
          count --where age --epsilon 1 ; where must be a condition on each row by itself: a comparison after age. Provided value: age (at the end)
          count --bounds 0..1 --epsilon 1 ; --column NAME is missing
          mean --column cost --by sex=f|m --epsilon 1 ; --bounds LOW..HIGH is missing
          mean --column sex=f|m --epsilon 1 ; column must be one of numbers, as in income=0..200000. Provided value: sex=f|m
          mean --column cost=0..1 --non-negative --epsilon 1 ; --non-negative must be left out, but for a count, or a sum of numbers that are declared to be at least 0. Provided value: mean of cost
          sum --column cost=-1..1 --by sex=f|m --non-negative --epsilon 1 ; --non-negative must be left out, but for a count, or a sum of numbers that are declared to be at least 0. Provided value: sum of cost
          quantile --column cost=0..1 --by sex=f|m --margins --epsilon 1 ; --margins and --non-negative must be left out for a quantile: those of cells say nothing of theirs together. Provided value: quantile of cost
          count --margins --epsilon 1 ; columns of --by, with --margins must be in [1, 6]. Provided value: 0
          ratio --column cost=0..1 --epsilon 1 ; either --column NAME=LOW..HIGH with --over NAME=LOW..HIGH, or --that CONDITION is needed
          ratio --column cost=0..1 --over hours --epsilon 1 ; column hours of a ratio must be declared with its bounds, as in hours=0..100. Provided value: hours
          ratio --column cost=0..1 --over hours=-1..3 --epsilon 1 ; lower bound of what is divided by must be at least 0. Provided value: -1
          count --epsilon 1 --out no/such/folder.csv ; out must be a file in a folder that exists. Provided value: no/such/folder.csv
          """)
  void wrongUsageIsOneLine(String question, String message) {
    assertEquals(
        "discreet query " + question.split(" ")[0] + ": " + message, ask(question).line(2));
  }

  @Test
  void thereIsAPicture() throws IOException {
    Path plot = folder.resolve("plot.svg");
    String count = "count --by sex=f|m --epsilon 1 --insecure-seed 3 --plot ";
    ask(count + plot).done();
    String svg = Files.readString(plot);
    assertTrue(svg.contains(">count of rows<") && svg.contains(">f<"), svg);
    assertTrue(svg.contains("95%, of the exact answer") && svg.contains("INSECURE"), svg);
    assertTrue(ask(count + plot).line(2).contains("plot must be a new file"));
    assertTrue(ask(count + folder.resolve("plot.gif")).line(2).contains("ends in .svg or .png"));
  }

  /** The document has a word for each field. */
  @Test
  void theDocumentIsTrue() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "algorithms", "queries.md"));
    Run run =
        ask(
            "count --by sex=f|m --where age>3 --margins --non-negative --unit-column person"
                + " --examples-per-unit 1 --cells-per-unit 1 --epsilon 1 --json");
    run.object().keySet().forEach(field -> assertTrue(document.contains("`" + field + "`"), field));
    cells(run, "cells")
        .get("f")
        .keySet()
        .forEach(field -> assertTrue(document.contains("`" + field + "`"), (String) field));
  }

  /** The marks of text would turn 1.234 of a workbook into 1234. */
  @Test
  void marksOfTextAreNotForWorkbooks() {
    Path ledger = folder.resolve("ledger");
    file = Path.of("..", "data/src/test/resources/dev/discreet/data/sheet/openpyxl.xlsx");
    Run run = ask("count --epsilon 1 --decimal comma --thousands point --ledger " + ledger);
    assertEquals(
        "discreet query count: delimiter, quote, decimal, thousands, charset or header must be left"
            + " out for openpyxl.xlsx, which has no use for it. Provided value: given",
        run.line(2));
    assertEquals(
        1,
        ask("count --sheet People --epsilon 1 --json --ledger " + ledger).number("spentEpsilon"));
  }

  /** A column that is not there is refused before anything is spent. */
  @Test
  void whatIsNotThereCostsNothing() {
    Path ledger = folder.resolve("ledger");
    Run run = ask("count --where agee>3 --epsilon 1 --ledger " + ledger);
    assertTrue(run.line(2).contains("must have the column agee"), run.err());
    assertEquals(1, ask("count --epsilon 1 --json --ledger " + ledger).number("spentEpsilon"));
  }
}
