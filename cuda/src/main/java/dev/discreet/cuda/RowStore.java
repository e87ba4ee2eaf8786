package dev.discreet.cuda;

import com.sun.jna.Pointer;
import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import java.util.Arrays;

/**
 * The rows on the device. A row is read and copied when it is in a lot for the first time, and
 * never again; one that is of no use is remembered as such.
 */
final class RowStore {
  private static final int UNKNOWN = -1;
  private static final int USELESS = -2;
  private static final int STAGED_FLOATS = 1 << 20;

  private final DeviceMemory memory;
  private final ExampleReader reader;
  private final int inputs;
  private final int targets;
  private final int[] place;
  private final long inputRows;
  private final long targetRows;
  private final int atOnce;
  private final Pointer stagedInputs;
  private final Pointer stagedTargets;
  private final float[] one;
  private final float[] target;
  private final int[] staged;
  private int stagedCount;
  private int stored;

  RowStore(DeviceMemory memory, Layout layout, Examples examples) {
    this.memory = memory;
    this.reader = new ExampleReader(layout, examples);
    this.inputs = layout.input().size();
    this.targets = examples.targets();
    this.place = new int[examples.size()];
    Arrays.fill(place, UNKNOWN);
    this.inputRows = memory.floats((long) examples.size() * inputs);
    this.targetRows = memory.floats((long) examples.size() * targets);
    this.atOnce = Math.max(1, Math.min(examples.size(), STAGED_FLOATS / (inputs + targets)));
    this.stagedInputs = memory.pin(4L * atOnce * inputs);
    this.stagedTargets = memory.pin(4L * atOnce * targets);
    this.one = new float[inputs];
    this.target = new float[targets];
    this.staged = new int[atOnce];
  }

  /** Bytes that the rows of these examples take on the device. */
  static long bytes(Layout layout, Examples examples) {
    return 4L * examples.size() * (layout.input().size() + examples.targets());
  }

  long inputs() {
    return inputRows;
  }

  long targets() {
    return targetRows;
  }

  /** Where an example is that was read; negative where it is of no use. */
  int place(int example) {
    return place[example];
  }

  /** Reads an example that no lot had before. An error of the machine is passed on. */
  void read(int example) {
    if (place[example] != UNKNOWN) {
      return;
    }
    if (!reader.read(example, one, 0)) {
      place[example] = USELESS;
      return;
    }
    for (int i = 0; i < targets; i++) {
      target[i] = (float) reader.target()[i];
    }
    stagedInputs.write(4L * stagedCount * inputs, one, 0, inputs);
    stagedTargets.write(4L * stagedCount * targets, target, 0, targets);
    // Read once also where a lot has it twice.
    place[example] = stored + stagedCount;
    staged[stagedCount++] = example;
    if (stagedCount == atOnce) {
      flush();
    }
  }

  /** Sends what was read. */
  void flush() {
    if (stagedCount == 0) {
      return;
    }
    memory.toDevice(inputRows + 4L * stored * inputs, stagedInputs, 4L * stagedCount * inputs);
    memory.toDevice(targetRows + 4L * stored * targets, stagedTargets, 4L * stagedCount * targets);
    memory.await();
    stored += stagedCount;
    stagedCount = 0;
  }

  /** What was read and not sent is read again. */
  void forget() {
    for (int i = 0; i < stagedCount; i++) {
      place[staged[i]] = UNKNOWN;
    }
    stagedCount = 0;
  }
}
