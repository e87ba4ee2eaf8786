package dev.discreet.cli.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AuditMechanismCommandTest {

  /** False alarm: 1e-6 a game. */
  @Test
  @Tag("statistical")
  void printsARowForEachGame() {
    Run run = Run.of("audit mechanism query-count query-sum-zero-out --trials 400");
    assertEquals(0, run.code(), run.err() + run.out());
    String[] lines = run.out().split("\\R");
    assertTrue(lines[0].startsWith("mechanism "), run.out());
    assertTrue(lines[1].startsWith("query-count ") && lines[1].endsWith("not refuted"), run.out());
    assertTrue(run.out().contains("query-sum-zero-out"), run.out());
    assertTrue(run.out().contains("0 violated; confidence 0.999999 in each row"), run.out());
    assertTrue(run.err().contains("playing query-count (1 of "), run.err());
  }

  /** False alarm: 1e-6. */
  @Test
  @Tag("statistical")
  void jsonFieldsAreExplained() throws IOException {
    String document = Files.readString(Path.of("..", "docs/commands.md"));
    Map<?, ?> row =
        (Map<?, ?>) Run.of("audit mechanism query-sum-zero-out --trials 400 --json").array().get(0);
    assertEquals(false, row.get("violated"));
    assertEquals("zero-out", row.get("neighbouring"));
    row.keySet().forEach(field -> assertTrue(document.contains("`" + field + "`"), "" + field));
  }

  @Test
  void refusesWhatIsNoGame() {
    String line = Run.of("audit mechanism nothing").line(2);
    assertTrue(line.contains("mechanism must be all or one of gaussian-add-remove, "), line);
    assertTrue(line.endsWith("Provided value: nothing"), line);
    assertEquals(
        "discreet audit mechanism: trials must be in [100, 10000000]. Provided value: 7",
        Run.of("audit mechanism all --trials 7").line(2));
    assertEquals(
        "discreet audit mechanism: confidence must be in (0.5, 1). Provided value: 1",
        Run.of("audit mechanism all --confidence 1").line(2));
  }
}
