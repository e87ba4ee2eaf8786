package dev.discreet.core.engine;

import dev.discreet.core.nn.Shape;

/** Examples as an engine reads them, from any number of threads at once. */
public interface Examples {
  int size();

  Shape input();

  /** Numbers in a target; a class label is one number. */
  int targets();

  /** Writes the values of one example, channels last. */
  void input(int example, float[] to, int at);

  void target(int example, float[] to, int at);

  /** Examples in memory, one after another. */
  static Examples of(Shape shape, float[] inputs, int targets, float[] values) {
    return new ArrayExamples(shape, inputs, targets, values);
  }
}
