package dev.discreet.lab.utility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.Effort;
import dev.discreet.lab.Trial;
import dev.discreet.recipe.setting.PrivacySettings;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class UtilityTest {
  @Test
  void whoeverAsksForSeedsGetsEverySetting() {
    List<Trial> all = Utility.EXPERIMENT.trials(new Effort(false, OptionalInt.of(3)));
    // Three ways on two sets and five on the third, at three ε.
    assertEquals((3 + 3 + 5) * 3 * 3, new HashSet<>(all.stream().map(Trial::text).toList()).size());
    assertTrue(all.containsAll(Utility.EXPERIMENT.trials(Effort.full())));
    for (Trial each : Utility.EXPERIMENT.trials(new Effort(true, OptionalInt.empty()))) {
      assertTrue(each.text().contains("data=mnist"), each.text());
    }
  }

  /** What is measured is what a user gets: no key that anyone could guess, and no other option. */
  @Test
  void theDefaultsAreTheDefaultsAndKeysAreSecret() {
    assertEquals(
        "data=mnist epsilon=3 delta=1e-5 evaluate-every=1000000",
        Utility.recipe(Utility.Set.MNIST, Utility.Way.DEFAULT, 3, false).text());
    for (Trial each : Utility.EXPERIMENT.trials(Effort.full())) {
      assertFalse(each.isSeeded());
      assertFalse(((SecretRun) each).recipe().sets(PrivacySettings.INSECURE_SEED));
    }
  }
}
