package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;

/**
 * What a model promises about the people in its data.
 *
 * <pre>{@code
 * ModelPrivacy mine = ModelPrivacy.none("NOT PRIVATE: trained on public pages.");
 * }</pre>
 *
 * @param line for people: one line that every file of the model carries
 * @param protection for programs: whom it protects
 */
@PublicApi
public record ModelPrivacy(String line, ProtectedPeople protection) {
  /**
   * Checks that the line is one.
   *
   * @param line for people
   * @param protection for programs
   */
  public ModelPrivacy {
    Check.that(
        !line.isBlank() && line.lines().count() == 1, "privacy of a model", "one line", line);
  }

  /**
   * The same where the run of the model is stated at another price: that of a search, say.
   *
   * @param before what the run said
   * @param after what is said of it now
   * @return what the model says now
   */
  public ModelPrivacy restated(Privacy before, Privacy after) {
    return new ModelPrivacy(
        after.headline() + line.substring(before.headline().length()),
        before.protection() == after.protection()
            ? protection
            : protection.and(after.protection()));
  }

  /**
   * Of a model that protects no one.
   *
   * @param line what it says
   * @return that
   */
  public static ModelPrivacy none(String line) {
    return new ModelPrivacy(line, ProtectedPeople.NO_ONE);
  }

  /**
   * Of a file that has no more than a line: an older version's, or somebody else's.
   *
   * @param line what it says
   * @return that, with what the line lets one conclude
   */
  public static ModelPrivacy ofOldLine(String line) {
    return new ModelPrivacy(line, ProtectedPeople.ofOldLine(line));
  }
}
