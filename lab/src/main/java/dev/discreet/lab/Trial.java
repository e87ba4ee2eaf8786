package dev.discreet.lab;

import dev.discreet.accounting.Check;
import java.io.IOException;

/**
 * One run of an experiment.
 *
 * @param text every setting that the outcome depends on, seed included: outcomes are kept and found
 *     by it, so a changed setting must change it
 * @param alone whether nothing may run beside it, because it measures time
 */
public record Trial(String text, boolean alone, Body body) {

  /** What a trial does; one thread calls it. */
  public interface Body {
    Outcome run(Workshop workshop) throws IOException;
  }

  public Trial {
    Check.that(!text.isBlank() && text.indexOf('\n') < 0, "text of a trial", "one line", text);
  }

  public Trial(String text, Body body) {
    this(text, false, body);
  }
}
