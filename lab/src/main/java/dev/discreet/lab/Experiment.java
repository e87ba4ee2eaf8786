package dev.discreet.lab;

import java.io.IOException;
import java.util.List;

/** One table or figure of a document, done again. */
public interface Experiment {
  /** As the command line calls it. */
  String name();

  /** Which document and where in it: {@code 000 §5.3}. */
  String document();

  /** One line for the list. */
  String summary();

  /** What has to be run. A trial's outcome is kept under its text, so the text tells it all. */
  List<Trial> trials(Effort effort);

  /**
   * What the outcomes say. Trials that were not run yet are missing, and the finding says so.
   * Computed from nothing but them, so it can be written again without running.
   */
  Finding finding(Effort effort, Outcomes outcomes) throws IOException;
}
