package dev.discreet.audit;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;

/**
 * Examples of the same form, the second after the first. Nothing is copied.
 *
 * @param first whose form both have
 * @param second numbered from where the first ends
 */
public record JoinedExamples(Examples first, Examples second) implements Examples {
  @Override
  public int size() {
    return Math.addExact(first.size(), second.size());
  }

  @Override
  public Shape input() {
    return first.input();
  }

  @Override
  public int targets() {
    return first.targets();
  }

  @Override
  public void input(int example, float[] to, int at) {
    if (example < first.size()) {
      first.input(example, to, at);
    } else {
      second.input(example - first.size(), to, at);
    }
  }

  @Override
  public void target(int example, float[] to, int at) {
    if (example < first.size()) {
      first.target(example, to, at);
    } else {
      second.target(example - first.size(), to, at);
    }
  }
}
