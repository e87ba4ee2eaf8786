package dev.discreet.data;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;

/** Some of the examples, seen through their indices. Nothing is copied. */
public record Subset(Examples all, int[] index) implements Examples {

  @Override
  public int size() {
    return index.length;
  }

  @Override
  public Shape input() {
    return all.input();
  }

  @Override
  public int targets() {
    return all.targets();
  }

  @Override
  public void input(int example, float[] to, int at) {
    all.input(index[example], to, at);
  }

  @Override
  public void target(int example, float[] to, int at) {
    all.target(index[example], to, at);
  }
}
