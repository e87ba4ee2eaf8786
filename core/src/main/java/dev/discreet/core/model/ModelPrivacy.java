package dev.discreet.core.model;

import dev.discreet.accounting.Check;

/**
 * What a model promises about the people in its data.
 *
 * @param line for people: one line that every file of the model carries
 * @param protection for programs: whom it protects
 */
public record ModelPrivacy(String line, Protection protection) {
  public ModelPrivacy {
    Check.that(
        !line.isBlank() && line.lines().count() == 1, "privacy of a model", "one line", line);
  }

  /** The same where the run of the model is stated at another price: that of a search, say. */
  public ModelPrivacy restated(Privacy before, Privacy after) {
    return new ModelPrivacy(
        after.headline() + line.substring(before.headline().length()),
        before.protection() == after.protection()
            ? protection
            : protection.and(after.protection()));
  }

  /** Of a model that protects no one. */
  public static ModelPrivacy none(String line) {
    return new ModelPrivacy(line, Protection.NO_ONE);
  }

  /** Of a file that has no more than a line: an older version's, or somebody else's. */
  public static ModelPrivacy ofOldLine(String line) {
    return new ModelPrivacy(line, Protection.ofOldLine(line));
  }
}
