package dev.discreet.cuda;

import com.sun.jna.Memory;
import dev.discreet.core.nn.Loss;
import java.util.ArrayList;
import java.util.List;

/** Launches over the examples of a part, in order, and the memory that they write to. */
final class LaunchList {
  private final DeviceMemory memory;
  private final PartBlock part;
  private final int most;
  private final List<Launch> weights = new ArrayList<>();
  private final List<Launch> launches = new ArrayList<>();

  /**
   * @param most examples of a part
   */
  LaunchList(DeviceMemory memory, PartBlock part, int most) {
    this.memory = memory;
    this.part = part;
    this.most = most;
  }

  /** What is done once a step, when the parameters are there. */
  List<Launch> weights() {
    return weights;
  }

  /** What is done for each part. */
  List<Launch> launches() {
    return launches;
  }

  void add(Launch launch) {
    launches.add(launch);
  }

  /** So many floats for each example. */
  long buffer(int size) {
    return memory.floats((long) most * size);
  }

  /** A launch with a thread for every few values of an example. */
  void value(String kernel, int size, Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = part.head();
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    add(Launch.values(kernel, most, size, all));
  }

  /** From outputs and targets to the slopes by the outputs. */
  void loss(Loss loss, RowStore rows, int targets, long out, long slopes, int outputs) {
    int kind =
        loss instanceof Loss.SoftmaxCrossEntropy
            ? 0
            : loss instanceof Loss.Logistic ? 1 : loss instanceof Loss.SquaredError ? 2 : 3;
    double huber = loss instanceof Loss.Huber each ? each.threshold() : 0;
    double[] balance = loss.balance().weights().stream().mapToDouble(Double::doubleValue).toArray();
    long weighed = 0;
    if (balance.length > 0) {
      try (Memory numbers = new Memory(8L * balance.length)) {
        numbers.write(0, balance, 0, balance.length);
        weighed = constant(numbers);
      }
    }
    add(
        new Launch(
            "slopes",
            new int[] {most},
            new int[] {32},
            part.head(),
            part.row(),
            rows.targets(),
            targets,
            kind,
            huber,
            weighed,
            out,
            slopes,
            outputs));
  }

  long constant(Memory numbers) {
    long at = memory.allocate(numbers.size());
    memory.toDevice(at, numbers, numbers.size());
    memory.await();
    return at;
  }

  /** Numbers that never change. */
  long constant(int[] numbers) {
    try (Memory copy = new Memory(4L * numbers.length)) {
      copy.write(0, numbers, 0, numbers.length);
      return constant(copy);
    }
  }

  /**
   * In large tiles where those keep the device busy and are not mostly empty; bits are the same.
   */
  void product(String kernel, long rows, int columns, int along, Object... arguments) {
    boolean narrow = columns <= 32;
    boolean large =
        rows > 64 && (long) Launch.blocks(rows, 128) * Launch.blocks(columns, 64) * along > 100;
    int tall = large ? 128 : 32;
    int wide = large && !narrow ? 64 : 32;
    int[] grid = {Launch.blocks(rows, tall), Launch.blocks(columns, wide), along};
    String tile = !large ? "_small" : narrow ? "_narrow" : "_wide";
    add(new Launch(kernel + tile, grid, new int[] {large ? 128 : 64}, arguments));
  }

  /** Weights with rows and columns exchanged, once a step. */
  long turned(long w, int rows, int columns) {
    long to = memory.floats((long) rows * columns);
    weights.add(
        new Launch(
            "turn",
            new int[] {Launch.blocks(rows, 32), Launch.blocks(columns, 32)},
            new int[] {32, 8},
            w,
            to,
            rows,
            columns));
    return to;
  }
}
