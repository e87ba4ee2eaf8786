package dev.discreet.lab.utility;

import dev.discreet.lab.Outcome;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.DataSettings;
import java.io.IOException;

/**
 * A run as a user starts it, with keys that nobody knows: repeated, it comes out otherwise.
 *
 * @param repeat tells runs of one recipe apart, and changes nothing
 */
record SecretRun(Recipe recipe, long repeat) implements Trial {
  @Override
  public boolean isSeeded() {
    return false;
  }

  @Override
  public Outcome run(Workshop workshop) throws IOException {
    String data = recipe.get(DataSettings.DATA).orElseThrow();
    return Workshop.outcome(workshop.train(recipe.prepare(workshop.data(data))));
  }
}
