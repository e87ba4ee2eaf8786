package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
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
import dev.discreet.core.engine.cpu.internal.layers.StepWeights;
import dev.discreet.core.engine.cpu.internal.program.DrawnLot;
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

/** Clipped sums on this machine's cores. */
final class CpuPartialSums implements PartialSums {
  /**
   * How many thresholds long a member may be while it is added. Beyond that, units are written out
   * instead, because the rounding of a sum whose terms cancel would need noticeably more noise.
   */
  private static final double MOST_CARRIED = 4;

  private final Layout layout;
  private final UnitRule rule;
  private final Sampler sampler;
  private final Grid grid;
  private final StepWeights shared;
  private final ThreadTeam team;

  /** Null where norms are exact. */
  private final RandomDirections directions;

  private final Worker[] workers;
  private final List<Slice> slices;
  private final boolean[] apart;
  private final Coordinates coordinates;
  private final boolean ordered;
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
    this.team = ThreadTeam.of(cpu.threads());
    this.directions =
        rule.clipping()
            .estimated()
            .map(estimated -> new RandomDirections(layout, rule, estimated, lanes))
            .orElse(null);
    int tile = cpu.tileFor(layout);
    this.workers = new Worker[team.size()];
    Arrays.setAll(
        workers,
        i -> new Worker(kernels.get(), shared, directions, layout, rule, targets, grid, tile));
    this.apart = apart(layout);
    this.ordered = coordinates.size() == layout.parameters() && isIdentity(coordinates.places());
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
    boolean materialise = request.noiseBeforeClipping() > 0 || carried == null;
    DrawnLot members =
        byChunk(request, units, sampler.lot(request.key(), request.release(), units));
    int[] order = largestFirst();
    clock.spent(StepPhase.LOT);
    AtomicInteger next = new AtomicInteger();
    try {
      team.run(
          number -> {
            long began = System.nanoTime();
            Worker worker = workers[number];
            worker.begin(examples, units);
            for (int i = next.getAndIncrement(); i < order.length; i = next.getAndIncrement()) {
              int c = order[i];
              worker.chunk(request, materialise, members, start(c), chunkEnds[c]);
            }
            busy[number] = System.nanoTime() - began;
          });
    } finally {
      for (Worker worker : workers) {
        worker.forget();
      }
    }
    clock.spent(StepPhase.GRADIENTS, busy);
    team.run(this::gather);
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

  private int start(int chunk) {
    return chunk == 0 ? 0 : chunkEnds[chunk - 1];
  }

  /** So that the workers end together: what is left at the end is small. */
  private int[] largestFirst() {
    long[] keys = new long[chunkEnds.length];
    Arrays.setAll(keys, c -> (long) (start(c) - chunkEnds[c]) << 32 | c);
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
  }

  /** One thread's share of adding up the workers' integers. */
  private void gather(int number) {
    int[] places = ordered ? null : coordinates.places();
    int from = (int) ((long) coordinates.size() * number / workers.length);
    int to = (int) ((long) coordinates.size() * (number + 1) / workers.length);
    Arrays.fill(integers, from, to, 0);
    for (Worker worker : workers) {
      worker.take(integers, from, to, places);
    }
  }

  /** The lot sorted by chunk; inside a chunk in order. Sets where each chunk ends. */
  private DrawnLot byChunk(StepRequest request, Units units, int[] lot) {
    long[] choices = request.key().choices(request.release(), units, lot);
    int[] chunks = grid.chunks(request.key(), units, lot, choices);
    Arrays.fill(chunkEnds, 0);
    for (int chunk : chunks) {
      chunkEnds[chunk]++;
    }
    int end = 0;
    for (int c = 0; c < chunkEnds.length; c++) {
      if (chunkEnds[c] > grid.capacity()) {
        throw new IllegalStateException(
            "a chunk of the lot has more units than the sensitivity allows for; the step was"
                + " refused");
      }
      int size = chunkEnds[c];
      chunkEnds[c] = end;
      end += size;
    }
    DrawnLot sorted = new DrawnLot(new int[lot.length], new long[lot.length]);
    for (int i = 0; i < lot.length; i++) {
      int place = chunkEnds[chunks[i]]++;
      sorted.units()[place] = lot[i];
      sorted.choices()[place] = choices[i];
    }
    return sorted;
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
