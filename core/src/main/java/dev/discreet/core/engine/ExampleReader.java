package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;

/**
 * Reads private examples for a network, and tells those that it cannot use (see {@link Examples}).
 * Each thread has one of its own.
 */
public final class ExampleReader {
  private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  private final Examples examples;
  private final int inputs;
  private final int outputs;
  private final Loss loss;

  /** What every token is below; 0 where inputs are no tokens. */
  private final int vocabulary;

  private final float[] read;
  private final double[] target;

  private final Augmentation augmentation;
  private final Shape shape;

  /** The example that was read last, and its values; null where there are no other views. */
  private final float[] image;

  private int last;

  /** Without other views. Refuses targets that no row could have. */
  public ExampleReader(Layout layout, Examples examples) {
    this(layout, examples, Augmentation.NONE);
  }

  /** Refuses targets that no row could have. */
  public ExampleReader(Layout layout, Examples examples, Augmentation augmentation) {
    this.examples = examples;
    this.augmentation = augmentation;
    this.shape = layout.input();
    this.image = augmentation.hasViews() ? new float[shape.size()] : null;
    this.inputs = layout.input().size();
    this.outputs = layout.outputs();
    this.loss = layout.network().loss();
    this.vocabulary =
        layout.network().layers().get(0) instanceof Layer.Embedding table ? table.vocabulary() : 0;
    checkTargets(layout, examples.targets());
    this.read = new float[examples.targets()];
    this.target = new double[examples.targets()];
  }

  /** Refuses so many numbers in a target where the network's loss can use no such target. */
  static void checkTargets(Layout layout, int targets) {
    Loss loss = layout.network().loss();
    int outputs = layout.outputs();
    Check.that(
        loss.takes(targets, outputs),
        "numbers in a target",
        loss.takes(outputs, outputs) ? "1, a class, or " + outputs : "1, a class",
        targets);
  }

  /**
   * Reads one example; false where it is of no use, whatever is wrong with it.
   *
   * @param to receives the inputs, from a place on
   */
  public boolean read(int example, float[] to, int at) {
    // What a row leaves unwritten is no number, and never what was there before.
    Arrays.fill(to, at, at + inputs, Float.NaN);
    Arrays.fill(read, Float.NaN);
    try {
      examples.input(example, to, at);
      examples.target(example, read, 0);
    } catch (RuntimeException e) {
      return false;
    }
    for (int i = 0; i < read.length; i++) {
      target[i] = read[i];
    }
    if (image != null) {
      System.arraycopy(to, at, image, 0, inputs);
      last = example;
    }
    return loss.takes(target, outputs) && isUsable(to, at);
  }

  /**
   * A view of the example that was read last, where it can be used.
   *
   * @param choice the unit's secret bits in this release
   * @param ordinal which of the unit's examples it is, from 0
   * @param view 0 for the example itself
   * @param to receives the view, from a place on
   */
  public void view(long choice, int ordinal, int view, float[] to, int at) {
    if (view > 0 && examples instanceof MirroredExamples features) {
      features.mirrored(last, to, at);
    } else {
      augmentation.view(choice, ordinal, view, shape, image, to, at);
    }
  }

  private boolean isUsable(float[] input, int at) {
    int largest = 0;
    for (int i = at; i < at + inputs; i++) {
      largest = Math.max(largest, Float.floatToRawIntBits(input[i]) & Integer.MAX_VALUE);
    }
    boolean usable = largest < INFINITE;
    for (int i = at; usable && vocabulary > 0 && i < at + inputs; i++) {
      usable = input[i] >= 0 && input[i] < vocabulary && input[i] == Math.rint(input[i]);
    }
    return usable;
  }

  /** The target of the example that was read last; overwritten by the next. */
  public double[] target() {
    return target;
  }
}
