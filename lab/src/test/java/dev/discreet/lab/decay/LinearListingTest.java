package dev.discreet.lab.decay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.Bench;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.decay.DecaySweep.Method;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinearListingTest {
  private static final List<LinearTrials.Setting> SETTINGS = LinearTrials.settings(100);

  private static LinearTrials.LinearRows rows(long seed) {
    return new LinearTrials.LinearRows(List.of(10.0), 800, 200, seed);
  }

  private static double reported(int setting, Method method, long seed) {
    LinearListing listing = SETTINGS.get(setting).listing(method, true);
    Outcome outcome = new LinearTrials.ListedRegression(listing, rows(seed), true).run(null);
    return outcome.value("error") + (method == Method.BEFORE ? outcome.value("penalty") : 0);
  }

  @Test
  void theListingGivesThePublishedLosses() {
    assertEquals(0.51, reported(0, Method.BEFORE, 1), 0.02);
    assertEquals(0.51, reported(1, Method.BEFORE, 1), 0.02);
    assertEquals(4.81, reported(2, Method.BEFORE, 1), 0.15);
    assertEquals(5.93, reported(0, Method.AFTER, 1), 4);
    assertEquals(84.81, reported(1, Method.AFTER, 1), 15);
    assertEquals(79.74, reported(2, Method.AFTER, 1), 15);
  }

  @Test
  void oneExampleMovesEveryRunningSumAfterIt() {
    LinearListing listing = SETTINGS.get(0).listing(Method.AFTER, true);
    Outcome found = new LinearPrivacy.Sensitivity(listing, rows(1)).run(null);
    assertEquals(20, found.value("running"), 1e-3);
    assertEquals(2, found.value("each"), 1e-3);
  }

  private static Outcome attack(boolean running) {
    LinearListing listing = SETTINGS.get(0).listing(Method.AFTER, true);
    return new LinearPrivacy.Attack(listing, rows(1), running, 1.3, 0, 1e-5, 60_000, 1).run(null);
  }

  @Test
  void theAttackBreaksTheListingAndNotTheCorrectStep() {
    Outcome wrong = attack(true);
    Outcome right = attack(false);
    assertTrue(wrong.value("shown") > wrong.value("stated"), wrong.toString());
    assertTrue(right.value("shown") < right.value("stated"), right.toString());
    assertTrue(right.value("shown") > 2, "the attack is worth something: " + right);
  }

  @Test
  void theExtremeExampleEndsAtItsLimits(@TempDir Path folder) throws IOException {
    Finding finding = Bench.run(ExtremeExample.EXPERIMENT, folder);
    assertEquals(2 * (1 - Math.pow(0.95, 100)), Bench.ours(finding, "text", "DP-SGD"), 1e-4);
    assertEquals(3.8 / 1.5, Bench.ours(finding, "text", "before"), 1e-4);
    assertEquals(
        2 * ExtremeExample.LISTED_OPTIMUM / 2.1, Bench.ours(finding, "listing", "before"), 1e-4);
  }
}
