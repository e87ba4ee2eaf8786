package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.recipe.setting.ColumnsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code data declare --spend}: bounds from noised quantiles, which are paid for. */
class NoisedDraftTest {
  private static final int ROWS = 4000;

  @TempDir private Path folder;
  private Path data;
  private Path ledger;

  /** Ages from 20 to 59.9, incomes from 1000 to 4999; every tenth has no income. */
  @BeforeEach
  void table() throws IOException {
    StringBuilder rows = new StringBuilder("id,age,sex,income,sick\n");
    for (int i = 0; i < ROWS; i++) {
      rows.append(
          "p%d,%d.%d,%s,".formatted(i / 2, 20 + i / 10 % 40, i % 10, i % 3 == 0 ? "f" : "m"));
      rows.append(i % 10 == 0 ? "" : "" + (1000 + i)).append(i % 2 == 0 ? ",no\n" : ",yes\n");
    }
    data = Files.writeString(folder.resolve("people.csv"), rows.toString());
    ledger = folder.resolve("people.ledger");
  }

  private Run declare(String options) {
    return Run.of("data declare --data " + data + " " + options);
  }

  private Run paid(String options) {
    Run run = declare("--ledger " + ledger + " " + options);
    assertEquals(0, run.code(), run.err());
    return run;
  }

  private static double[] bounds(Map<String, String> columns, String name) {
    String text = columns.get(name).substring(name.length() + 1).split(",")[0];
    return ColumnSyntax.bounds(text).orElseThrow();
  }

  @Test
  void aDraftFromTheRowsTrains() throws IOException {
    Path draft = folder.resolve("columns.yaml");
    Run run =
        paid(
            "--spend 40 --column age=0..1000 --column income=0..1e5,missing=2000 --label sick=no|yes"
                + " --unit-column id --unit person --to "
                + draft);
    String text = Files.readString(draft);
    Map<String, String> columns = ColumnsFile.parse("draft", text).columns();
    // At this price the noise moves a choice by a few of 2000 people; a step is a ten-thousandth.
    double[] age = bounds(columns, "age");
    assertEquals(21, age[0], 1);
    assertEquals(58.9, age[1], 1);
    double[] income = bounds(columns, "income");
    assertEquals(1100, income[0], 150);
    assertEquals(4900, income[1], 150);
    assertTrue(columns.get("income").endsWith(",missing=2000"), columns.get("income"));
    assertEquals("sex=?", columns.get("sex"));
    assertEquals(List.of("age", "sex", "income", "sick"), List.copyOf(columns.keySet()));
    String mark = " # noised 2.5% and 97.5% quantiles within ";
    String charged = ", epsilon 20, charged to the ledger people.ledger\n";
    assertTrue(text.contains(mark + "0..1000" + charged), text);
    assertTrue(text.contains(mark + "0..1e5" + charged), text);
    assertTrue(
        text.contains("# which were paid for: epsilon 40 in all, for each single\n# person"));
    assertFalse(text.contains("no row was looked at"), text);
    assertTrue(run.err().contains(ledger + " now stands at "), run.err());
    assertTrue(run.err().contains("for each single person"), run.err());
    Files.writeString(draft, text.replace("sex: '?'", "sex: f|m"));
    String train =
        "train --data %s --columns %s --steps 2 --noise-multiplier 2 --held-out none --quiet --out %s";
    Run trained = Run.of(train.formatted(data, draft, folder.resolve("run")));
    assertEquals(0, trained.code(), trained.err());
  }

  @Test
  void allOfThePriceIsOnTheLedgerAndNoMore() {
    paid("--spend 1 --column age=0..100 --column income=0..9000");
    Run second = paid("--spend 0.5 --column age=0..100");
    assertTrue(second.err().matches("(?s).*now stands at .*epsilon 1\\.5\\b.*"), second.err());
  }

  /** Nothing of the rows is told where the ledger has no room: not even that they do not fit. */
  @Test
  void whatTheBudgetDoesNotPayForIsNotLookedAt() throws IOException {
    Files.writeString(data, Files.readString(data).replace("p1,", "p1,none"));
    paid("--spend 1 --budget-epsilon 1.5 --column income=0..9000");
    byte[] before = Files.readAllBytes(ledger);
    Run refused = declare("--spend 1 --column sex=0..100 --ledger " + ledger);
    assertTrue(refused.line(2).contains("budget"), refused.err());
    assertEquals(new String(before), Files.readString(ledger));
  }

  @Test
  void rowsThatDoNotFitAreRefusedBeforeAnythingIsSpent() throws IOException {
    Run refused = declare("--spend 1 --column sex=0..100 --ledger " + ledger);
    assertNotEquals(0, refused.code());
    assertTrue(refused.err().contains("--accept-misfits"), refused.err());
    assertFalse(Files.readString(ledger).contains("charge"), Files.readString(ledger));
    // Nobody has a number: noise alone chooses, and the draft is still one that can be used.
    Run accepted = paid("--spend 1 --column sex=0..100 --accept-misfits");
    double[] bounds = bounds(ColumnsFile.parse("draft", accepted.out()).columns(), "sex");
    assertTrue(0 <= bounds[0] && bounds[0] < bounds[1] && bounds[1] <= 100, accepted.out());
  }

  /** A constant for missing cells stays within the bounds, and a column of one value has two. */
  @Test
  void whatIsProposedCanBeUsed() throws IOException {
    String age = "--spend 40 --column age=0..1000";
    for (String options : List.of(age + ",missing=900", age + " --missing 900")) {
      Map<String, String> columns = ColumnsFile.parse("draft", paid(options).out()).columns();
      assertEquals(21, bounds(columns, "age")[0], 1);
      assertEquals(900, bounds(columns, "age")[1]);
    }
    // Longer than names that YAML has on the line of their values.
    String name = "wide".repeat(40);
    Files.writeString(data, Files.readString(data).replaceFirst("age", name));
    Run wide = paid("--spend 1 --column " + name + "=0..100");
    assertEquals(2, bounds(ColumnsFile.parse("draft", wide.out()).columns(), name).length);
    assertTrue(wide.out().contains(" # noised 2.5% and 97.5% quantiles within 0..100"), wide.out());
    StringBuilder same = new StringBuilder("x1,x2\n");
    same.append("5,5\n".repeat(ROWS));
    Files.writeString(data, same);
    Run drafted = paid("--spend 40 --column x*=0..10");
    Map<String, String> columns = ColumnsFile.parse("draft", drafted.out()).columns();
    assertEquals(Map.of("x1", "x1=0..10", "x2", "x2=0..10"), columns);
  }

  @Test
  void whatCannotBePaidForIsRefused() {
    List<List<String>> refused = new ArrayList<>();
    String column = " --column age=0..100";
    String book = " --ledger " + ledger;
    refused.add(List.of("--spend 1" + column, "--spend needs --ledger FILE or an account"));
    refused.add(List.of("--spend 1" + book, "--column NAME=LOW..HIGH is missing"));
    refused.add(List.of("--spend 0" + book + column, "epsilon must be in (0, infinity)"));
    refused.add(List.of("--spend 1 --column age" + book, "given with bounds to look within"));
    refused.add(List.of("--spend 1 --column sex=f|m" + book, "column must be one of numbers"));
    refused.add(List.of("--spend 1 --column height=0..3" + book, "must have the column height"));
    refused.add(List.of("--spend 1 --column h*=0..3" + book, "column h*"));
    refused.add(List.of("--spend 1" + column + column + book, "column age must be declared once"));
    refused.add(
        List.of("--spend 1 --column id=0..9 --unit-column id" + book, "neither the unit nor"));
    refused.add(
        List.of("--spend 1 --column age=0..9 --label age=0..99" + book, "nor a declared label"));
    refused.add(List.of("--spend 1 --unit-column name" + column + book, "the unit column name"));
    for (String option :
        List.of(column, book, " --unit person", " --one-row-each", " --accept-misfits")) {
      refused.add(List.of(option, "is for --spend"));
    }
    for (List<String> each : refused) {
      Run run = declare(each.get(0));
      assertTrue(run.line(2).contains(each.get(1)), each + " " + run.err());
      assertFalse(Files.exists(ledger), each::toString);
    }
  }
}
