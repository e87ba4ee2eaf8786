package dev.discreet.recipe.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Check;
import dev.discreet.recipe.Recipe;
import org.junit.jupiter.api.Test;

/** Run files that were made to do harm; found by the tests of hostile input. */
class ForgedRunFileTest {
  private static String refused(String yaml) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> Recipe.parse(yaml));
    assertEquals(IllegalArgumentException.class, e.getClass());
    assertTrue(Check.oneLine(e.getMessage()) && e.getMessage().length() < 2000, e.getMessage());
    return e.getMessage();
  }

  /** By the square of their length, these would take hours. */
  @Test
  void aNumberOfAMillionDigitsIsReadOnce() {
    refused("epsilon: " + "1".repeat(1_000_000) + "x");
    refused("steps: " + "1".repeat(1_000_000));
    refused("mean: " + "1".repeat(1_000_000) + ".");
  }

  @Test
  void aFileCanOnlySet() {
    refused("epsilon: !!javax.script.ScriptEngineManager [1]");
    refused("epsilon: &a [*a]");
    refused("a: &a [x]\nb: *a\nepsilon: 1");
    refused("? [1]\n: 2");
    refused("epsilon: " + "[".repeat(1000));
    refused("out: \"a\\0b\"\nepsilon: 1");
    refused("\"a\\nb\": 1");
  }

  @Test
  void textOfAnyCharactersComesBack() {
    for (String text :
        new String[] {"a\u0085b", "\u2028", "a\nb", "\uFEFFx", "\u009b", "é\uD83D\uDE00"}) {
      Recipe recipe = Recipe.of().with("data", text);
      assertEquals(recipe, Recipe.parse(recipe.yaml()), text);
      assertEquals(recipe, Recipe.parse(recipe.json()), text);
    }
  }
}
