package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a model's quality, and what it is compared with. */
class ScoresTest {
  @TempDir private Path folder;
  private String train;

  /** pay = 1000·years, within a few; old is 1 for a quarter. */
  @BeforeEach
  void trains() throws IOException {
    train = "train --data " + table("pay", 1) + " --column years=0..20 --steps 20 --quiet ";
  }

  private Path table(String name, long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder("years,old,pay\n");
    for (int i = 0; i < 1000; i++) {
      double years = 20 * random.nextDouble();
      text.append(
          String.format(Locale.ROOT, "%.9f,%d,%.6f%n", years, years > 15 ? 1 : 0, 1000 * years));
    }
    return Files.writeString(folder.resolve(name + ".csv"), text);
  }

  private String out() {
    return " --out " + folder.resolve("out");
  }

  private static String row(Run run, String name) {
    return run.done()
        .out()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .findFirst()
        .orElseThrow(() -> new AssertionError(run.out()));
  }

  /** Its noise follows from public numbers: so the plan knows, before anything is spent. */
  @Test
  void thePlanSaysThatNoiseWillDrownAScore() {
    String few = " --label old=0|1 --noise-multiplier 1 --metric-noise 60 --dry-run";
    String says = row(Run.of(train + few), "test");
    assertTrue(says.contains("IT WILL SAY NOTHING") && says.contains("--metric-share"), says);
    assertEquals(true, Run.of(train + few + " --json").object().get("heldOutSaysNothing"));
    String enough = row(Run.of(train + few.replace("60", "1")), "test");
    assertTrue(enough.matches(".*, ± 1\\.[01] points \\(--metric-share buys.*"), enough);
    String pay = " --label pay=0..25000 --noise-multiplier 1 --dry-run --metric-noise ";
    assertTrue(row(Run.of(train + pay + 9), "test").contains("IT WILL SAY NOTHING"));
    String number = row(Run.of(train + pay + "0.1"), "test");
    assertTrue(number.matches(".*an RMSE of [89][0-9.]+ pay cannot be told.*"), number);
  }

  @Test
  void aScoreThatNoiseDrownsIsNoHeadline() throws IOException {
    String drowned = " --label pay=0..25000 --noise-multiplier 1 --metric-noise 9";
    String row = row(Run.of(train + drowned + out()), "held-out RMSE");
    assertTrue(row.contains("says nothing (its noise leaves "), row);
    String report = Files.readString(folder.resolve("out/report.html"));
    assertTrue(report.contains("<h2>Held-out RMSE</h2><p class=\"value\">says nothing</p>"));
    String statement = Files.readString(folder.resolve("out/privacy.txt"));
    assertTrue(statement.contains("so much that it says nothing"), statement);
  }

  @Test
  void aReleasedErrorIsInTheLabelsUnitBesideTheMeans() {
    Run run =
        Run.of(
            train
                + " --label pay=0..25000 --noise-multiplier 1 --metric-noise 0.05 --json"
                + out());
    assertFalse((boolean) run.object().get("heldOutSaysNothing"), run.out());
    // Labels are spread evenly over 0..20000.
    assertEquals(20_000 / Math.sqrt(12), run.number("heldOutRmseOfMean"), 600);
    double rest = run.number("heldOutRmse") / run.number("heldOutRmseOfMean");
    assertEquals(1 - rest * rest, run.number("heldOutRSquared"), 1e-9);
    assertEquals(
        Math.sqrt(1 - run.number("heldOutScore")) * 25_000, run.number("heldOutRmse"), 1e-6);
  }

  @Test
  void publicRowsAreComparedWithWhatKnowsNothing() throws IOException {
    String open = " --public-test " + table("open", 2) + " --noise-multiplier 1";
    String row = row(Run.of(train + open + " --label pay=0..25000" + out()), "test RMSE");
    assertTrue(
        row.matches(
            "test RMSE +[0-9.]+ pay \\(95%: .*; R² -?[0-9.]+ \\(95%: .*; always the mean: 5... pay\\)"));
    Run classes = Run.of(train + open + " --label old=0|1 --json --force" + out());
    assertEquals(0.75, classes.number("testLargestClass"), 0.05);
    Map<?, ?> intervals = (Map<?, ?>) classes.object().get("testIntervals");
    for (String each : List.of("BalancedAccuracy", "Auc", "F1", "LogLoss", "CalibrationError")) {
      double value = classes.number("test" + each);
      List<?> interval = (List<?>) intervals.get("test" + each);
      double low = ((Number) interval.get(0)).doubleValue();
      double high = ((Number) interval.get(1)).doubleValue();
      assertTrue(low <= value && value <= high && low < high, each + interval);
    }
    Run again = Run.of("evaluate --run " + folder.resolve("out"));
    assertTrue(row(again, "accuracy").contains("always the largest class: 7"), again.out());
  }
}
