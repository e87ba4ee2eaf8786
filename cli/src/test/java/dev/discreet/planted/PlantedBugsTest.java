package dev.discreet.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whether tests notice the bugs of the catalogue. All of them are run by {@code -Dplanted=all},
 * which takes the time of many tests and writes the table of docs/trust.md.
 */
class PlantedBugsTest {
  @TempDir Path folder;

  /** A catalogue that does not fit the code any more would catch nothing, and say nothing. */
  @Test
  void everyBugIsOneThatTheCodeCouldHave() throws IOException {
    List<PlantedBug> bugs = PlantedBug.all();
    assertEquals(bugs.size(), bugs.stream().map(PlantedBug::slug).distinct().count());
    try (BugCompiler compiler = new BugCompiler(Checkout.here())) {
      // Those that change different files together: that is several times faster.
      for (List<PlantedBug> left = bugs; !left.isEmpty(); ) {
        Set<String> changed = new HashSet<>();
        List<PlantedBug> together = left.stream().filter(bug -> isApart(bug, changed)).toList();
        compiler.compile(together, folder);
        left = left.stream().filter(bug -> !together.contains(bug)).toList();
      }
    }
    for (PlantedBug bug : bugs) {
      PlantedRuns.candidates(bug).forEach(Checkout.here()::test);
    }
  }

  /** Whether a bug changes none of these files; its own are then added to them. */
  private static boolean isApart(PlantedBug bug, Set<String> changed) {
    List<String> paths = bug.changes().stream().map(PlantedBug.Change::path).toList();
    return paths.stream().noneMatch(changed::contains) && changed.addAll(paths);
  }

  @Test
  void theChangeOfABugIsInOnePlace() {
    PlantedBug.Change change = new PlantedBug.Change("A.java", "two\n", "2\n");
    assertEquals("one\n2\nthree\n", change.applied("one\ntwo\nthree\n"));
    assertThrows(IllegalArgumentException.class, () -> change.applied("one\n"));
    assertThrows(IllegalArgumentException.class, () -> change.applied("two\ntwo\n"));
  }

  @Test
  void bugsAreReadFromTheirText() {
    List<String> text =
        """
        # What is before the first bug says what lines mean.
        bug: a bug
        why: because
        why: of this
        tests: ATest, BTest
        in: core/A.java
          one
        - two
        + 2
        in: core/B.java
        -three
        """
            .lines()
            .toList();
    assertEquals(
        List.of(
            new PlantedBug(
                "a bug",
                "because of this",
                List.of("ATest", "BTest"),
                List.of(
                    new PlantedBug.Change("core/A.java", " one\n two\n", " one\n 2\n"),
                    new PlantedBug.Change("core/B.java", "three\n", "")))),
        PlantedBug.parse(text));
  }

  /** Quick ones: they show that copies of classes really stand before the classes. */
  @ParameterizedTest
  @CsvSource({
    "no-noise, PrivacySessionTest",
    "thresholds-of-groups-not-combined, MechanismTest",
    "partitions-that-depend-on-data, MicroBatchesTest"
  })
  void testsNoticeABug(String bug, String test) throws Exception {
    PlantedRuns runs = new PlantedRuns(folder);
    runs.compile(PlantedRuns.named(List.of(bug)));
    List<String> lines = runs.fork(List.of(folder.resolve("classes").resolve(bug)), test, 1);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("failed\t" + test)), "" + lines);
    // Not all of them: then it would not be the bug that makes them fail.
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("passed\t")), "" + lines);
  }

  @Test
  @EnabledIfSystemProperty(named = "planted", matches = "all")
  void everyBugIsCaught() throws Exception {
    Path kept = Checkout.here().root().resolve("cli/target/planted");
    PlantedRuns runs = new PlantedRuns(kept);
    runs.compile(PlantedBug.all());
    runs.honest(2, 1);
    runs.run(PlantedBug.all(), 2);
    CaughtTable table = new CaughtTable(runs);
    table.write(Checkout.here().root().resolve("docs/trust.md"));
    String uncaught =
        PlantedBug.all().stream()
            .filter(bug -> table.caught(bug).isEmpty())
            .map(PlantedBug::name)
            .collect(Collectors.joining("; "));
    assertEquals("", uncaught);
  }
}
