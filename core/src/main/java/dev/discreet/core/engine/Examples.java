package dev.discreet.core.engine;

import dev.discreet.accounting.PublicApi;
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
 * {@link Error}s are passed on; and a unit whose gradient overflows is refused whole, because
 * nobody can say which of its examples did it. Public examples ({@link PublicGradients}) are
 * refused with an exception: whoever brought them can mend them.
 *
 * <pre>{@code
 * float[] pixels = new float[100 * 784];
 * float[] labels = new float[100];
 * Examples examples = Examples.of(new Shape(28, 28, 1), pixels, 1, labels);
 * }</pre>
 */
@PublicApi
public interface Examples {
  /** {@return how many examples there are} */
  int size();

  /** {@return the shape of every example's input} */
  Shape input();

  /**
   * Numbers in a target; a class label is one number.
   *
   * @return at least 1
   */
  int targets();

  /**
   * Writes the values of one example, channels last.
   *
   * @param example its index
   * @param to receives the values
   * @param at where in {@code to} the first goes
   */
  void input(int example, float[] to, int at);

  /**
   * Writes the target of one example: its class, or its numbers.
   *
   * @param example its index
   * @param to receives the target
   * @param at where in {@code to} the first number goes
   */
  void target(int example, float[] to, int at);

  /**
   * Examples in memory, one after another.
   *
   * @param shape of every example's input
   * @param inputs the values of all examples, channels last
   * @param targets numbers in a target; 1 for a class
   * @param values the targets of all examples
   * @return a view of the arrays, which are not copied
   */
  static Examples of(Shape shape, float[] inputs, int targets, float[] values) {
    return new ArrayExamples(shape, inputs, targets, values);
  }
}
