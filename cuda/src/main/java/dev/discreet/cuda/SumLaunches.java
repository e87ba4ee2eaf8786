package dev.discreet.cuda;

import com.sun.jna.Memory;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The launches after those of the network: units that are written out, norms, factors, and the sums
 * of chunks as integers.
 */
final class SumLaunches {
  /** Floats of tables in which chunks are summed side by side. */
  private static final long TABLES = 1L << 25;

  private final DeviceMemory memory;
  private final PartBlock part;
  private final UnitRule rule;
  private final Grid grid;
  private final NetworkLaunches network;
  private final List<Gradients> gradients;
  private final int parameters;
  private final int most;
  private final int slots;
  private final int processors;
  private final long whole;
  private final long noise;
  private final long factor;
  private final long open;
  private final long integers;
  private final List<Launch> written = new ArrayList<>();
  private final List<Launch> sums = new ArrayList<>();
  private long table;
  private long tables;
  private long tableBytes;

  /**
   * @param most examples of a part
   * @param slots members of a part that may be written out
   * @param noisy whether there is noise before clipping
   * @param processors of the device
   */
  SumLaunches(
      DeviceMemory memory,
      PartBlock part,
      Layout layout,
      UnitRule rule,
      Grid grid,
      NetworkLaunches network,
      long theta,
      int most,
      int slots,
      boolean noisy,
      int processors) {
    this.memory = memory;
    this.part = part;
    this.rule = rule;
    this.grid = grid;
    this.network = network;
    this.gradients = network.gradients();
    this.parameters = layout.parameters();
    this.most = most;
    this.slots = slots;
    this.processors = processors;
    this.whole = memory.floats((long) slots * parameters);
    this.noise = noisy ? memory.floats((long) slots * parameters) : 0;
    this.factor = memory.floats((long) rule.groups() * most);
    this.open = memory.floats(2L * parameters);
    this.integers = memory.allocate(8L * numbers());
    if (slots > 0) {
      gradients.forEach(this::write);
      writeEnd(layout, theta);
    }
    clip();
    flat();
    gradients.forEach(this::sum);
  }

  /** Adds a pass's gradients to the units that are written out. */
  List<Launch> written() {
    return written;
  }

  /** From units that are whole to integers. */
  List<Launch> sums() {
    return sums;
  }

  /** Parameters, then the counts of the groups, then refused units. */
  int numbers() {
    return parameters + rule.groups() + 1;
  }

  long integers() {
    return integers;
  }

  long noise() {
    return noise;
  }

  /** Makes everything as it was before the first step. */
  void reset() {
    if (tableBytes > 0) {
      memory.clear(tables, tableBytes);
    }
  }

  private int[] perMember(int size) {
    return new int[] {Launch.blocks(size, 256), most};
  }

  private void write(Gradients each) {
    int size = each.slice().size();
    int offset = each.slice().offset();
    int[] threads = {256};
    switch (each.kind()) {
      case FLAT ->
          written.add(
              new Launch(
                  "write_flat",
                  perMember(size),
                  threads,
                  part.head(),
                  part.first(),
                  part.count(),
                  part.slot(),
                  whole,
                  parameters,
                  offset,
                  size,
                  each.a(),
                  each.strideA()));
      case PRODUCT ->
          written.add(
              new Launch(
                  "write_dense",
                  perMember(size),
                  threads,
                  part.head(),
                  part.first(),
                  part.count(),
                  part.slot(),
                  whole,
                  parameters,
                  offset,
                  each.a(),
                  each.b(),
                  each.sizeA(),
                  each.sizeB()));
      case ROWS -> {
        written.add(
            new Launch(
                "write_zero",
                perMember(size),
                threads,
                part.head(),
                part.slot(),
                whole,
                parameters,
                offset,
                size));
        int width = each.sizeB();
        written.add(
            new Launch(
                "write_table",
                new int[] {Launch.blocks(width, 32), most},
                new int[] {32},
                part.head(),
                part.first(),
                part.count(),
                part.slot(),
                whole,
                parameters,
                offset,
                network.tokens(),
                each.a(),
                each.sizeA() / width,
                width));
      }
    }
  }

  /** Frozen parameters of a unit that is written out are never read. */
  private void writeEnd(Layout layout, long theta) {
    long decay = memory.floats(parameters);
    try (Memory numbers = new Memory(4L * parameters)) {
      numbers.clear();
      for (int s = 0; s < layout.slices().size(); s++) {
        Layout.Slice slice = layout.slices().get(s);
        for (int i = slice.offset(); rule.decayed()[s] && i < slice.end(); i++) {
          numbers.setFloat(4L * i, (float) rule.decay());
        }
      }
      memory.toDevice(decay, numbers, numbers.size());
      memory.await();
    }
    sums.add(
        new Launch(
            "write_end",
            perMember(parameters),
            new int[] {256},
            part.head(),
            part.slot(),
            part.divide(),
            whole,
            noise,
            decay,
            theta,
            parameters));
  }

  private void clip() {
    table = memory.allocate((long) Structures.SLICE * gradients.size());
    try (Memory bytes = new Memory((long) Structures.SLICE * gradients.size())) {
      for (int i = 0; i < gradients.size(); i++) {
        bytes.write(
            (long) Structures.SLICE * i, gradients.get(i).bytes().array(), 0, Structures.SLICE);
      }
      memory.toDevice(table, bytes, bytes.size());
      memory.await();
    }
    long squares = memory.allocate(8L * gradients.size() * most);
    long slopes = memory.allocate(8L * gradients.size() * most);
    sums.add(
        new Launch(
            "squares",
            new int[] {gradients.size(), most},
            new int[] {128},
            part.head(),
            part.first(),
            part.slot(),
            table,
            whole,
            parameters,
            squares,
            slopes,
            most));
    FactorRule factors = FactorRule.of(rule.clipping());
    sums.add(
        new Launch(
            "clip",
            new int[] {Launch.blocks(most, 128)},
            new int[] {128},
            part.head(),
            part.thresholds(),
            part.partly(),
            table,
            gradients.size(),
            rule.groups(),
            factors.kind(),
            factors.number(),
            rule.counted() ? 1 : 0,
            squares,
            slopes,
            most,
            factor,
            integers + 8L * parameters));
  }

  /** All slices that stand number by number, in one launch. */
  private void flat() {
    List<int[]> blocks = new ArrayList<>();
    for (int g = 0; g < gradients.size(); g++) {
      Gradients each = gradients.get(g);
      for (int i = 0; each.kind() == Gradients.Kind.FLAT && i < each.slice().size(); i += 256) {
        blocks.add(new int[] {g, i});
      }
    }
    if (blocks.isEmpty()) {
      return;
    }
    long list = memory.allocate(8L * blocks.size());
    try (Memory bytes = new Memory(8L * blocks.size())) {
      for (int i = 0; i < blocks.size(); i++) {
        bytes.write(8L * i, blocks.get(i), 0, 2);
      }
      memory.toDevice(list, bytes, bytes.size());
      memory.await();
    }
    sums.add(
        new Launch(
            "sum_flat",
            new int[] {blocks.size(), chunks()},
            new int[] {256},
            part.head(),
            part.first(),
            part.slot(),
            part.chunkEnd(),
            table,
            list,
            whole,
            parameters,
            factor,
            most,
            open,
            integers));
  }

  /** Chunks of a part, at most. */
  private int chunks() {
    return Math.min(grid.chunks(), most) + 2;
  }

  private void sum(Gradients each) {
    ByteBuffer slice = each.bytes();
    long factors = factor + 4L * each.group() * most;
    int chunks = chunks();
    switch (each.kind()) {
      case FLAT -> {}
      case PRODUCT -> {
        int[] tiles = {Launch.blocks(each.sizeA(), 128), Launch.blocks(each.sizeB(), 64)};
        int along = Math.max(1, Math.min(chunks, 6 * processors / (tiles[0] * tiles[1])));
        sums.add(
            new Launch(
                "sum_dense",
                new int[] {tiles[0], tiles[1], along},
                new int[] {128},
                part.head(),
                part.first(),
                part.slot(),
                part.chunkEnd(),
                slice,
                whole,
                parameters,
                factors,
                open,
                integers));
      }
      case ROWS -> table(each, slice, factors, chunks);
    }
  }

  private void table(Gradients each, ByteBuffer slice, long factors, int chunks) {
    int size = each.slice().size();
    int closed = (int) Math.max(1, Math.min(chunks, TABLES / size));
    tableBytes = 4L * (closed + 2) * size;
    tables = memory.allocate(tableBytes);
    int width = each.sizeB();
    for (int from = 0; from < chunks; from += closed) {
      sums.add(
          new Launch(
              "sum_table",
              new int[] {Launch.blocks(width, 32), closed},
              new int[] {32},
              part.head(),
              part.first(),
              part.slot(),
              part.chunkEnd(),
              slice,
              whole,
              parameters,
              factors,
              network.tokens(),
              each.sizeA() / width,
              width,
              tables,
              closed,
              from));
      sums.add(
          new Launch(
              "round_table",
              new int[] {Launch.blocks(size, 256), closed},
              new int[] {256},
              part.head(),
              slice,
              tables,
              closed,
              from,
              integers));
    }
  }
}
