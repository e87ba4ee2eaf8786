package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;

/**
 * What is spent for, as the account shows it.
 *
 * <pre>{@code
 * Purpose purpose = new Purpose("train", recipe.digest(), "runs/first");
 * }</pre>
 *
 * @param verb such as {@code train} or {@code query}
 * @param recipe the digest of the recipe; empty where there is none
 * @param folder where the results go; empty where nowhere
 */
@PublicApi
public record Purpose(String verb, String recipe, String folder) {
  /**
   * Refuses what is not on one line.
   *
   * @param verb not empty
   * @param recipe a digest, or empty
   * @param folder a path, or empty
   */
  public Purpose {
    Check.that(!verb.isBlank() && Check.oneLine(verb), "verb", "on one line", verb);
    Check.that(Check.oneLine(recipe), "recipe", "on one line", recipe);
    Check.that(Check.oneLine(folder), "folder", "on one line", folder);
  }

  /**
   * The recipe for tables: enough of its digest to tell recipes apart.
   *
   * @return at most 8 characters
   */
  public String shortRecipe() {
    return recipe.length() <= 8 ? recipe : recipe.substring(0, 8);
  }

  /**
   * For people.
   *
   * @return the verb, and where its results went
   */
  public String words() {
    return folder.isEmpty() ? verb : verb + " to " + folder;
  }
}
