package dev.discreet.data.rows;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Misfits;
import dev.discreet.data.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Gathers the rows that a reader finds. */
public final class RowsBuilder {
  private final RowStore inputs;
  private float[] targets = new float[1024];
  private long[] fingerprints = new long[1024];
  private final BitSet misfits = new BitSet();
  private final List<String> reasons = new ArrayList<>();
  private int size;

  public RowsBuilder(RowStore inputs) {
    this.inputs = inputs;
  }

  public void add(byte[] input, float target, long fingerprint) throws IOException {
    inputs.append(input);
    add(target, fingerprint);
  }

  public void add(float[] input, float target, long fingerprint) throws IOException {
    add(input, 0, target, fingerprint);
  }

  /** Adds a row whose inputs stand in an array from a place on. */
  public void add(float[] input, int at, float target, long fingerprint) throws IOException {
    inputs.append(input, at);
    add(target, fingerprint);
  }

  /**
   * A row that does not fit what was declared: it keeps its place and is no example.
   *
   * @param why for the operator
   */
  public void misfit(long fingerprint, String why) throws IOException {
    inputs.appendZeros();
    misfits.set(size);
    if (reasons.size() < Misfits.SHOWN) {
      reasons.add(why);
    }
    add(Float.NaN, fingerprint);
  }

  private void add(float target, long fingerprint) {
    if (size == targets.length) {
      targets = Arrays.copyOf(targets, grown(size));
      fingerprints = Arrays.copyOf(fingerprints, grown(size));
    }
    targets[size] = target;
    fingerprints[size++] = fingerprint;
  }

  public static int grown(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8L, length + (length >> 1) + 1L);
  }

  public int size() {
    return size;
  }

  /** Rows of bytes. */
  public Rows images(Shape shape, float[][] value, Task task) throws IOException {
    float[] ends = Arrays.copyOf(targets, size);
    return rows(new ByteImages(shape, inputs.finish(), ends, value), task, null);
  }

  /** Rows of floats. */
  public Rows table(Shape shape, Task task, int[] unitOf) throws IOException {
    float[] ends = Arrays.copyOf(targets, size);
    return rows(new FloatRows(shape, inputs.finish(), ends), task, unitOf);
  }

  private Rows rows(Examples examples, Task task, int[] unitOf) {
    return new Rows(
        examples,
        task,
        unitOf,
        Arrays.copyOf(fingerprints, size),
        new Misfits(misfits, size, reasons));
  }
}
