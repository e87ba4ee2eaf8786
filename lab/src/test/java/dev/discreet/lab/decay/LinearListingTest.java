package dev.discreet.lab.decay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.data.generate.Linear;
import dev.discreet.lab.Bench;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.decay.DecaySweep.Method;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinearListingTest {
  private static final List<LinearDecay.Setting> SETTINGS = new LinearOne().settings(Effort.full());
  private static final double[][] ROWS = LinearListing.rows(Linear.ONE.unscaled(1, 0, 800));

  private static double reported(int setting, Method method, long seed) {
    Outcome outcome = LinearDecay.listed(SETTINGS.get(setting), method, true, Linear.ONE, seed);
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
    LinearListing listing = LinearDecay.listing(SETTINGS.get(0), Method.AFTER, true);
    assertEquals(20, LinearPrivacy.sensitivity(listing, ROWS, true), 1e-3);
    assertEquals(2, LinearPrivacy.sensitivity(listing, ROWS, false), 1e-3);
  }

  @Test
  void theAttackBreaksTheListingAndNotTheCorrectStep() {
    LinearListing listing = LinearDecay.listing(SETTINGS.get(0), Method.AFTER, true);
    Outcome wrong = LinearPrivacy.attack(listing, ROWS, true, 0, 60_000, 1);
    Outcome right = LinearPrivacy.attack(listing, ROWS, false, 0, 60_000, 1);
    assertTrue(wrong.value("shown") > wrong.value("stated"), wrong.toString());
    assertTrue(right.value("shown") < right.value("stated"), right.toString());
    assertTrue(right.value("shown") > 2, "the attack is worth something: " + right);
  }

  @Test
  void theExtremeExampleEndsAtItsLimits(@TempDir Path folder) throws IOException {
    Finding finding = Bench.run(new ExtremeExample(), folder);
    assertEquals(2 * (1 - Math.pow(0.95, 100)), Bench.ours(finding, "text", "DP-SGD"), 1e-4);
    assertEquals(3.8 / 1.5, Bench.ours(finding, "text", "before"), 1e-4);
    assertEquals(
        2 * ExtremeExample.LISTED_OPTIMUM / 2.1, Bench.ours(finding, "listing", "before"), 1e-4);
  }
}
