package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Optional;

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
    Check.that(!line.isBlank() && Check.oneLine(line), "privacy of a model", "one line", line);
  }

  /**
   * What the model of a run promises.
   *
   * @param run what the run promises
   * @param start where its initial parameters come from; empty where they were drawn anew
   * @return what the model promises, which has both in it
   */
  public static ModelPrivacy of(Privacy run, Optional<Origin> start) {
    return new ModelPrivacy(
        start.map(origin -> origin.after(run.headline())).orElse(run.headline()),
        start.map(origin -> origin.with(run.protection())).orElse(run.protection()));
  }

  /**
   * What a model says that protects no one.
   *
   * @param line what it says
   * @return that
   */
  public static ModelPrivacy none(String line) {
    return new ModelPrivacy(line, ProtectedPeople.NO_ONE);
  }

  /**
   * What is known of a model whose file has only a line: an older version's file, or somebody
   * else's.
   *
   * @param line what it says
   * @return that, with what the line lets one conclude
   */
  public static ModelPrivacy ofOldLine(String line) {
    return new ModelPrivacy(line, ProtectedPeople.ofOldLine(line));
  }
}
