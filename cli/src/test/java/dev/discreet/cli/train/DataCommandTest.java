package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCommandTest {
  @TempDir private Path folder;

  private String[] describe(Path data, String... more) {
    List<String> all = new ArrayList<>(List.of("data", "describe", "--data", data.toString()));
    all.addAll(Small.DECLARED);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void theListHasNamedAndGeneratedSets() {
    Run run = Run.of("data list --json");
    List<String> names = run.array().stream().map(each -> name((Map<?, ?>) each)).toList();
    assertTrue(names.containsAll(List.of("mnist", "digits", "gaussians")), names.toString());
    assertTrue(Run.of("data list").done().out().contains("gaussians"));
  }

  private static String name(Map<?, ?> description) {
    return (String) description.get("name");
  }

  /** Two files of the same declarations are described in the same words. */
  @Test
  void aDescriptionDoesNotDependOnPrivateRows() throws IOException {
    Path one = Small.table(folder, 100, 1);
    Path two = Small.table(folder, 200, 2);
    String first = Run.of(describe(one)).done().out();
    String second = Run.of(describe(two)).done().out();
    assertEquals(first.replace("patients-1", ""), second.replace("patients-2", ""));
    assertFalse(first.contains("100 "), first);
    assertTrue(first.contains("private: a share of 0.2"), first);
    String half = Run.of(describe(one, "--test-share", "0.5")).done().out();
    assertTrue(half.contains("private: a share of 0.5"), half);
  }

  /** Counts are of all rows, whatever share a run would hold out; so no share is spoken of. */
  @Test
  void aSummaryHoldsNoneOut() throws IOException {
    Path data = Small.table(folder, 2000, 1);
    String ledger = folder.resolve("whole.journal").toString();
    Run run =
        Run.of(describe(data, "--spend", "5", "--ledger", ledger, "--test-share", "0.5", "--json"));
    Map<?, ?> fields = run.object();
    assertEquals("none", ((Map<?, ?>) fields.get("facts")).get("test rows"));
    double all =
        ((Map<?, ?>) fields.get("counts"))
            .values().stream().mapToDouble(count -> ((Number) count).doubleValue()).sum();
    assertEquals(2000, all, 100);
  }

  @Test
  void aSummaryIsPaidForAndTheLedgerRemembers() throws IOException {
    Path data = Small.table(folder, 2000, 1);
    Path ledger = folder.resolve("ledger.journal");
    Run first = Run.of(describe(data, "--spend", "1", "--ledger", ledger.toString(), "--json"));
    double epsilon = first.number("epsilon");
    assertTrue(epsilon <= 1 && epsilon > 0.9, first.out());
    Map<?, ?> counts = (Map<?, ?>) first.object().get("counts");
    double sum = 0;
    for (Object count : counts.values()) {
      sum += ((Number) count).doubleValue();
    }
    // Two counts with a deviation of about 4 each: 2000 within 50.
    assertEquals(2000, sum, 50);
    Run second = Run.of(describe(data, "--spend", "1", "--ledger", ledger.toString()));
    assertTrue(second.done().out().contains("now stands at epsilon 1."), second.out());
    assertTrue(second.out().contains("if all of it was fixed before the first"), second.out());
    assertTrue(second.out().contains("their number, 2000, taken as public"), second.out());
    Run declared =
        Run.of(
            describe(data, "--spend", "1", "--ledger", ledger + "2", "--declared-units", "20000"));
    assertTrue(declared.done().out().contains("at delta 1e-6"), declared.out());
    assertFalse(declared.out().contains("taken as public"), declared.out());
    assertTrue(Files.size(ledger) > 0);
  }

  @Test
  void wrongUsageIsOneLine() throws IOException {
    Path data = Small.table(folder, 20, 1);
    assertTrue(Run.of(describe(data, "--spend", "1")).line(2).contains("--spend needs --ledger"));
    assertTrue(Run.of(describe(data, "--ledger", "x")).line(2).contains("is for --spend"));
    assertTrue(Run.of("data fetch digits").line(2).contains("must be one of"));
    assertTrue(Run.of("data describe --data nosuch").line(2).contains("data must be one of"));
    assertEquals(
        "discreet data describe: --data NAME|PATH is missing", Run.of("data describe").line(2));
    assertEquals(
        "discreet data describe: unknown argument 'mnist'; data are given as --data mnist",
        Run.of("data describe mnist").line(2));
    assertTrue(Run.of("data").line(2).contains("a verb is missing"));
  }
}
