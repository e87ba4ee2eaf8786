package dev.discreet.recipe.tune;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.recipe.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TunePlanTest {

  /** The cost rests on the secret of runs that lost, in Java as on the command line. */
  @ParameterizedTest
  @CsvSource({
    "checkpoints, kept",
    "watch-private, true",
    "start-not-private, true",
    "non-private, true",
    "metric-noise, 3",
    "noise-temperature, 1",
    "centre-share, 0.03",
    "unit, micro-batch group"
  })
  void aSearchRefusesRunsThatWouldTell(String name, String value) {
    Recipe recipe = Recipe.of().with(name, value);
    assertThrows(IllegalArgumentException.class, () -> TunePlan.refuse(recipe.values()));
  }

  @Test
  void othersAreAllowed() {
    TunePlan.refuse(Recipe.of().with("epsilon", "1").with("unit", "person").values());
  }
}
