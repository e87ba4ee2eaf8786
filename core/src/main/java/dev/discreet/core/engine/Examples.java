package dev.discreet.core.engine;

import dev.discreet.core.nn.Shape;

/**
 * Examples as an engine reads them, from any number of threads at once.
 *
 * <p><b>What cannot be used counts as zero.</b> An example of private data is of no use to a
 * network where reading it throws a {@link RuntimeException}, where a value is missing, infinite or
 * no number, where a token is none of the table's or a label none of the classes. It then adds
 * nothing, wherever it is read: to gradients, scores, moments and counts. Its unit's other examples
 * count as if it were not there, except that in a mean over examples it is still one of those that
 * are divided by; a unit that has no other adds nothing at all, weight decay and noise before
 * clipping included. No other unit's bits change, and no exception tells: how many there were is
 * for the operator alone. Algorithms that move values into declared bounds, as regression does, do
 * so with infinite ones too, and look at no more of an example than they use.
 *
 * <p>That is about rows. A schema that fits none of them is refused before anything is spent;
 * {@link Error}s go their way; and a unit whose gradient overflows is refused whole, for of that it
 * cannot be said which example did it. Public examples ({@link PublicGradients}) are refused with
 * an exception: whoever brought them can mend them.
 */
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
