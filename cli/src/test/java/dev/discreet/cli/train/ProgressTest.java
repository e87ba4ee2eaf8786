package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.Event;
import dev.discreet.recipe.StepCosts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final ResolvedPlan PLAN =
      PrivacyPlan.noise(1).lotSize(100).steps(40).clip(1).build().forUnits(1000);

  private static String said(boolean terminal, boolean colour, int steps)
      throws InterruptedException {
    StringWriter to = new StringWriter();
    Progress progress = new Progress(new PrintWriter(to), 100, terminal, colour);
    for (int step = 1; step <= steps; step++) {
      progress.on(new Event.StepDone(step, 40, 1, 1));
      if (step == steps / 2) {
        Thread.sleep(150);
      }
    }
    progress.end();
    return to.toString();
  }

  @Test
  void aTerminalGetsABar() throws InterruptedException {
    String said = said(true, false, 40);
    assertTrue(said.contains("\r[##########] step 40/40, "), said);
    assertTrue(said.contains("examples/s, 0 s left"), said);
    // Whoever stops spends the whole plan.
    assertFalse(said.contains("epsilon"), said);
    assertTrue(said.endsWith("\n"), said);
    assertFalse(said.contains("\u001b[32m"), said);
    for (String line : said.split("\r|\u001b\\[K|\n")) {
      assertTrue(line.length() < 80, line);
    }
    assertTrue(said(true, true, 40).contains("\u001b[32m"));
  }

  /** What is shown is never less than what was spent. */
  @Test
  void epsilonIsRoundedUpToAStepThatIsKnown() throws InterruptedException {
    StepCosts spending = new StepCosts(PLAN, List.of(), 1e-5);
    assertTrue(Double.isNaN(spending.atMost(10)));
    double at20 = spending.at(20);
    assertEquals(at20, spending.atMost(10));
    assertTrue(at20 >= spending.at(10));
  }

  @Test
  void aFileGetsALineNowAndThen() throws InterruptedException {
    assertEquals("", said(false, false, 40));
  }

  @Test
  void durationsAreRounded() {
    assertEquals("7 s", Progress.duration(7.2));
    assertEquals("4 min", Progress.duration(230));
    assertEquals("3 h", Progress.duration(10_000));
  }
}
