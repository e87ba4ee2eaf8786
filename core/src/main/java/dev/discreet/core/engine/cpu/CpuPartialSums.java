package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.DrawnLot;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PartialSums;
import dev.discreet.core.engine.StepClock;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.layers.ParameterForm;
import dev.discreet.core.engine.cpu.internal.layers.RandomDirections;
import dev.discreet.core.engine.cpu.internal.layers.SpreadSums;
import dev.discreet.core.engine.cpu.internal.layers.StepWeights;
import dev.discreet.core.engine.cpu.internal.program.Worker;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.parallel.ThreadTeam;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Clipped sums on this machine's cores. */
final class CpuPartialSums implements PartialSums {
  /**
   * How many thresholds long a member may be while it is added. Beyond that, units are written out
   * instead, because the rounding of a sum whose terms cancel would need noticeably more noise.
   */
  private static final double MOST_CARRIED = 4;

  /** Reading all weights of a dense layer once takes as long as this many rows' products. */
  private static final int ROWS_FOR_WEIGHTS = 4;

  private final Layout layout;
  private final UnitRule rule;
  private final Sampler sampler;
  private final Grid grid;
  private final StepWeights shared;
  private final SpreadSums spread;
  private final ThreadTeam team;

  /** How many of the team work on a step. */
  private final int crew;

  /** Null where norms are exact. */
  private final RandomDirections directions;

  private final Worker[] workers;
  private final List<Slice> slices;
  private final boolean[] apart;
  private final Coordinates coordinates;
  private final boolean ordered;
  private final int[] others;
  private final int[] indices;
  private final long[] integers;
  private final int[] chunkEnds;

  /** The nanoseconds that each thread worked on the chunks. */
  private final long[] busy;

  private StepClock clock = new StepClock();

  CpuPartialSums(
      Cpu cpu,
      Supplier<Kernels> kernels,
      Layout layout,
      UnitRule rule,
      int targets,
      Sampler sampler,
      Grid grid) {
    this.layout = layout;
    this.rule = rule;
    int lanes = kernels.get().lanes();
    this.sampler = sampler;
    this.grid = grid;
    this.slices = layout.slices();
    this.coordinates = Coordinates.of(layout, rule);
    this.shared = new StepWeights(layout, lanes);
    this.spread = cpu.spreadSums(layout, rule);
    this.team = ThreadTeam.of(cpu.threads());
    this.directions =
        rule.clipping()
            .estimated()
            .map(estimated -> new RandomDirections(layout, rule, estimated, lanes))
            .orElse(null);
    int tile = cpu.tileFor(layout);
    this.crew = cpu.threadsFor(layout, sampler.expectedLot() * rule.augmentation().views());
    this.workers = new Worker[team.size()];
    Arrays.setAll(
        workers,
        i ->
            new Worker(
                kernels.get(), shared, spread, directions, layout, rule, targets, grid, tile));
    this.apart = apart(layout);
    this.ordered = coordinates.size() == layout.parameters() && isIdentity(coordinates.places());
    this.others = others();
    this.indices = indices();
    this.integers = new long[coordinates.size() + rule.counts()];
    this.chunkEnds = new int[grid.chunks()];
    this.busy = new long[team.size()];
  }

  /** For each slice, whether its decay is added apart from its gradient. */
  private static boolean[] apart(Layout layout) {
    List<String> names =
        layout.allNodes().stream()
            .filter(node -> ParameterForm.of(node).isSummedDirectly())
            .flatMap(n -> n.slices().stream().map(Slice::name))
            .toList();
    boolean[] apart = new boolean[layout.slices().size()];
    for (int s = 0; s < apart.length; s++) {
      apart[s] = names.contains(layout.slices().get(s).name());
    }
    return apart;
  }

  private static boolean isIdentity(int[] places) {
    for (int i = 0; i < places.length; i++) {
      if (places[i] != i) {
        return false;
      }
    }
    return true;
  }

  Coordinates coordinates() {
    return coordinates;
  }

  /** Refuses rows that no step could sum. */
  void check(LocalData data) {
    rule.check(layout, data);
    data.units().check(data.examples().size());
    rule.check(data.units());
  }

  void timedBy(StepClock stepClock) {
    this.clock = stepClock;
  }

  @Override
  public ClippedSum clippedSum(StepRequest request, LocalData here) {
    Examples examples = here.examples();
    Units units = here.units();
    layout.check(request.parameters());
    rule.check(request, grid);
    shared.load(request.parameters(), rule.decay() > 0, team);
    if (directions != null) {
      directions.load(request, team);
    }
    double[] carried = carried(request);
    clock.spent(StepPhase.WEIGHTS);
    boolean materialise =
        request.noiseBeforeClipping() > 0 || carried == null || rule.augmentation().hasViews();
    DrawnLot members =
        DrawnLot.byChunk(
            request,
            units,
            sampler.lot(request.key(), request.release(), units, grid.buckets()),
            grid,
            chunkEnds);
    clock.spent(StepPhase.LOT);
    Arrays.fill(busy, 0);
    boolean kept;
    try {
      kept = sum(request, materialise, members, examples, units);
    } finally {
      for (Worker worker : workers) {
        worker.forget();
      }
    }
    clock.spent(StepPhase.GRADIENTS, busy);
    gather(kept);
    for (Worker worker : workers) {
      worker.end();
    }
    for (int g = 0; g < rule.counts(); g++) {
      int group = g;
      integers[coordinates.size() + g] =
          Arrays.stream(workers).mapToLong(worker -> worker.counts[group]).sum();
    }
    double[] thresholds = request.thresholds();
    ClippedSum sum =
        ClippedSum.of(
            integers,
            coordinates,
            rule,
            grid.finer(rule.clipping(), thresholds),
            thresholds,
            materialise ? thresholds : carried);
    clock.spent(StepPhase.GATHER);
    return sum;
  }

  /**
   * Adds up the lot's chunks.
   *
   * @return whether the sums of {@link SpreadSums} are in the integers already
   */
  private boolean sum(
      StepRequest request, boolean materialise, DrawnLot lot, Examples examples, Units units) {
    for (Worker worker : workers) {
      worker.begin(examples, units);
    }
    boolean keeps =
        spread.isUsed()
            && !materialise
            && Arrays.stream(lot.units()).allMatch(unit -> units.size(unit) <= 1);
    if (!keeps) {
      chunks(request, materialise, lot, 0, chunkEnds.length);
      return false;
    }
    int next;
    for (int c = 0; c < chunkEnds.length; c = next) {
      next = c + 1;
      while (next < chunkEnds.length && chunkEnds[next] - start(c) <= spread.capacity()) {
        next++;
      }
      keep(request, lot, c, next);
    }
    return true;
  }

  /** The rows of some chunks, and then their sums. */
  private void keep(StepRequest request, DrawnLot lot, int fromChunk, int toChunk) {
    int first = start(fromChunk);
    int end = chunkEnds[toChunk - 1];
    spread.reserve(end - first);
    for (Worker worker : workers) {
      worker.keepRowsFrom(first);
    }
    if (spread.isEverything()) {
      int tile = evenTile(end - first);
      share(
          (end - first + tile - 1) / tile,
          (thread, i) ->
              workers[thread].rows(
                  request, lot, first + i * tile, Math.min(end, first + (i + 1) * tile)));
    } else {
      chunks(request, false, lot, fromChunk, toChunk);
    }
    int[] ends = Arrays.copyOfRange(chunkEnds, fromChunk, toChunk);
    Arrays.setAll(ends, c -> ends[c] - first);
    float[][] shares = spread.shares(rule, ends);
    float scale = Math.scalb(1f, -grid.finer(rule.clipping(), request.thresholds()).exponent());
    share(
        spread.parts(),
        (thread, part) ->
            spread.sum(
                part,
                thread,
                workers[thread].kernels(),
                ends,
                shares,
                request.parameters(),
                scale,
                integers,
                indices,
                fromChunk == 0));
  }

  /** Adds some chunks to the integers of the workers. */
  private void chunks(
      StepRequest request, boolean materialise, DrawnLot lot, int fromChunk, int toChunk) {
    int[] order = largestFirst(fromChunk, toChunk);
    share(
        order.length,
        (thread, i) ->
            workers[thread].chunk(request, materialise, lot, start(order[i]), chunkEnds[order[i]]));
  }

  private interface Task {
    void run(int thread, int task);
  }

  /** Does tasks on all threads: whoever is done takes the next. */
  private void share(int tasks, Task task) {
    AtomicInteger next = new AtomicInteger();
    team.run(
        Math.max(1, Math.min(tasks, crew)),
        number -> {
          long began = System.nanoTime();
          for (int i = next.getAndIncrement(); i < tasks; i = next.getAndIncrement()) {
            task.run(number, i);
          }
          busy[number] += System.nanoTime() - began;
        });
  }

  /** So many units a tile that the threads have about as many tiles, and end together. */
  private int evenTile(int units) {
    int most = workers[0].tile();
    int best = most;
    double least = Double.POSITIVE_INFINITY;
    for (int tile = 1; tile <= most; tile++) {
      int tiles = (units + tile - 1) / tile;
      int rounds = (tiles + crew - 1) / crew;
      // A product takes as long for a few rows as for eight, and each reads all weights once.
      double cost = rounds * (ROWS_FOR_WEIGHTS + (tile + 7) / 8 * 8);
      if (cost <= least) {
        least = cost;
        best = tile;
      }
    }
    return best;
  }

  private int start(int chunk) {
    return chunk == 0 ? 0 : chunkEnds[chunk - 1];
  }

  /** So that the workers end together: what is left at the end is small. */
  private int[] largestFirst(int fromChunk, int toChunk) {
    long[] keys = new long[toChunk - fromChunk];
    Arrays.setAll(
        keys,
        i -> {
          int c = fromChunk + i;
          return (long) (start(c) - chunkEnds[c]) << 32 | c;
        });
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
  }

  /**
   * Adds up the workers' integers.
   *
   * @param kept whether those of {@link SpreadSums} are there already
   */
  private void gather(boolean kept) {
    int[] places = ordered ? null : coordinates.places();
    int[] ends = kept ? others : new int[] {0, coordinates.size()};
    if (ends.length == 0) {
      return;
    }
    team.run(
        crew,
        number -> {
          for (int r = 0; r < ends.length; r += 2) {
            long size = ends[r + 1] - ends[r];
            int from = ends[r] + (int) (size * number / crew);
            int to = ends[r] + (int) (size * (number + 1) / crew);
            Arrays.fill(integers, from, to, 0);
            for (Worker worker : workers) {
              worker.take(integers, from, to, places);
            }
          }
        });
  }

  /** Where ranges of integers begin and end that are not in {@link SpreadSums}. */
  private int[] others() {
    boolean[] spreads = new boolean[layout.parameters()];
    for (int s = 0; s < slices.size(); s++) {
      Arrays.fill(spreads, slices.get(s).offset(), slices.get(s).end(), spread.has(s));
    }
    int[] places = coordinates.places();
    return IntStream.rangeClosed(0, places.length)
        .filter(
            i -> (i > 0 && !spreads[places[i - 1]]) != (i < places.length && !spreads[places[i]]))
        .toArray();
  }

  /** For each parameter, where its integer is; null if in order. */
  private int[] indices() {
    if (ordered || !spread.isUsed()) {
      return null;
    }
    int[] indices = new int[layout.parameters()];
    for (int i = 0; i < coordinates.size(); i++) {
      indices[coordinates.places()[i]] = i;
    }
    return indices;
  }

  /**
   * For each group, the largest norm with which a member enters the running sum: its own, and the
   * decay that is added apart and may cancel most of it. Null where that is too much.
   */
  private double[] carried(StepRequest request) {
    double[] carried = request.thresholds().clone();
    if (rule.decay() == 0) {
      return carried;
    }
    double[] squares = new double[carried.length];
    for (int s = 0; s < slices.size(); s++) {
      if (rule.group()[s] >= 0 && rule.decayed()[s] && apart[s]) {
        squares[rule.group()[s]] += shared.square(slices.get(s));
      }
    }
    for (int g = 0; g < carried.length; g++) {
      double most =
          rule.clipping().largestFactor(carried[g]) * rule.decay() * Math.sqrt(squares[g]);
      if (!(carried[g] + 2 * most <= MOST_CARRIED * carried[g])) {
        return null;
      }
      carried[g] += 2 * most;
    }
    return carried;
  }

  @Override
  public long refusedUnits() {
    return Arrays.stream(workers).mapToLong(worker -> worker.refused).sum();
  }

  @Override
  public void close() {
    team.close();
  }
}
