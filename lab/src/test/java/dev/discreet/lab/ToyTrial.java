package dev.discreet.lab;

import java.io.IOException;

/** A trial of a test's own making, whose text is not made of its components. */
record ToyTrial(String text, boolean alone, Body body) implements Trial {
  /** What it does. */
  public interface Body {
    Outcome run(Workshop workshop) throws IOException;
  }

  ToyTrial(String text, Body body) {
    this(text, false, body);
  }

  @Override
  public Outcome run(Workshop workshop) throws IOException {
    return body.run(workshop);
  }
}
