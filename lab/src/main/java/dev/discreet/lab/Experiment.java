package dev.discreet.lab;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One table or figure of a document, done again.
 *
 * @param name as the command line calls it
 * @param number of the document: {@code 000}; empty for what is in none of them
 * @param place where in it, perhaps with a comma first: {@code §5.3}; empty for all of it
 * @param summary one line for the list
 * @param study what it does, at an effort and with the outcomes that there are
 */
public record Experiment(
    String name, String number, String place, String summary, Function<Study.Setup, Study> study) {

  /** Which document and where in it: {@code 000 §5.3}. */
  public String document() {
    return number
        + (number.isEmpty() || place.isEmpty() || place.startsWith(",") ? "" : " ")
        + place;
  }

  /** What has to be run: the trials that its page asks for. */
  public List<Trial> trials(Effort effort) {
    return finding(effort, new Outcomes(Map.of())).trials();
  }

  /**
   * What the outcomes say. Trials that were not run yet are missing, and the finding says so.
   * Computed from nothing but them, so it can be written again without running.
   */
  public Finding finding(Effort effort, Outcomes outcomes) {
    return study.apply(new Study.Setup(name, effort, outcomes)).finding();
  }

  @Override
  public String toString() {
    return name;
  }
}
