package dev.discreet.cuda;

import com.sun.jna.Pointer;
import dev.discreet.accounting.Check;
import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.DrawnLot;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.StepClock;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Clipped sums on the device. The host draws the lot and cuts it into chunks, as every engine does;
 * the device computes, and hands integers back. Not for use by several threads at once.
 */
final class CudaSource implements GradientSource {
  /** Bytes that a part's examples may take on the device. */
  private static final long ROOM = 3L << 30;

  /** No more examples go through at once: launches count them along a side of 65,535 blocks. */
  private static final int MOST_EXAMPLES = 1 << 15;

  /** Bytes of units that are written out because of their own size, or of noise. */
  private static final long WRITTEN = 1L << 29;

  private final Device device;
  private final Layout layout;
  private final UnitRule rule;
  private final LocalData data;
  private final Sampler sampler;
  private final Grid grid;
  private final Coordinates coordinates;
  private final int given;
  private final int[] chunkEnds;
  private final long[] integers;

  /** Whether coordinates are the parameters in their order; else what is gathered from. */
  private final boolean ordered;

  private final long[] byPlace;
  private Ready ready;
  private long refused;
  private boolean failed;
  private StepClock clock = new StepClock();

  /**
   * @param given examples of a part; 0 for as many as fit
   */
  CudaSource(
      Device device,
      Layout layout,
      UnitRule rule,
      LocalData data,
      Sampler sampler,
      Grid grid,
      int given) {
    this.device = device;
    this.layout = layout;
    this.rule = rule;
    this.data = data;
    this.sampler = sampler;
    this.grid = grid;
    this.given = given;
    this.coordinates = Coordinates.of(layout, rule);
    this.chunkEnds = new int[grid.chunks()];
    this.integers = new long[coordinates.size() + rule.counts()];
    int[] places = coordinates.places();
    this.ordered =
        places.length == layout.parameters()
            && IntStream.range(0, places.length).allMatch(i -> places[i] == i);
    this.byPlace = new long[ordered ? 0 : layout.parameters()];
    this.ready = new Ready(false);
  }

  /** Everything on the device: rows, buffers and recorded launches. */
  private final class Ready implements AutoCloseable {
    private final boolean noisy;
    private final int most;
    private final int slots;
    private final DeviceMemory memory;
    private final RowStore rows;
    private final PartBlock block;
    private final long theta;
    private final Pointer hostTheta;
    private final Pointer hostIntegers;
    private final Pointer hostNoise;
    private final SumLaunches sums;
    private final LaunchGraph weights;
    private final LaunchGraph pass;
    private final LaunchGraph end;

    Ready(boolean noisy) {
      this.noisy = noisy;
      device.enter();
      long bytes = 4L * NetworkLaunches.floats(layout) + 8L * layout.slices().size();
      boolean all = rule.decay() > 0 || noisy;
      most = mostExamples(bytes + (rule.decay() > 0 ? 4L * layout.parameters() : 0));
      int room = (int) Math.max(1, Math.min(most, WRITTEN / (4L * layout.parameters())));
      slots = rule.decay() > 0 ? most : all || !areExamples() ? room : 0;
      memory = new DeviceMemory();
      try {
        rows = new RowStore(memory, layout, data.examples());
        block = new PartBlock(memory, most, grid.chunks(), rule.groups());
        theta = memory.floats(layout.parameters());
        hostTheta = memory.pin(4L * layout.parameters());
        NetworkLaunches network =
            new NetworkLaunches(memory, block, layout, rule, rows, data.targets(), most, theta);
        sums =
            new SumLaunches(
                memory,
                block,
                layout,
                rule,
                grid,
                network,
                theta,
                most,
                slots,
                noisy,
                device.multiprocessors());
        hostIntegers = memory.pin(8L * sums.numbers());
        hostNoise = noisy ? memory.pin(4L * layout.parameters()) : null;
        sums.reset();
        Pointer stream = memory.stream();
        weights = new LaunchGraph(device, network.weights(), stream);
        List<Launch> through = new java.util.ArrayList<>(network.launches());
        through.addAll(sums.written());
        pass = new LaunchGraph(device, through, stream);
        end = new LaunchGraph(device, sums.sums(), stream);
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    private boolean areExamples() {
      Units units = data.units();
      return IntStream.range(0, units.count()).allMatch(unit -> units.size(unit) <= 1);
    }

    /** As many as a lot has, unless they would not fit. */
    private int mostExamples(long bytes) {
      long free = device.freeBytes();
      long stored = RowStore.bytes(layout, data.examples());
      Check.that(
          stored + bytes + 24L * layout.parameters() <= free,
          "free memory of the GPU",
          "enough for the rows and for one example's way through the network, "
              + (stored + bytes + 24L * layout.parameters())
              + " bytes",
          free);
      double lot = sampler.expectedLot();
      double units = Math.max(1, data.units().count());
      double each = Math.max(1, data.examples().size() / units);
      double wanted = Math.ceil((lot + 6 * Math.sqrt(lot) + 16) * each);
      long fits = Math.max(1, Math.min(ROOM, (free - stored) / 2) / bytes);
      double largest =
          Math.min(Math.min(wanted, fits), Math.min(data.examples().size(), MOST_EXAMPLES));
      return (int) Math.max(1, given > 0 ? Math.min(given, largest) : largest);
    }

    @Override
    public void close() {
      weights.close();
      pass.close();
      end.close();
      memory.close();
    }
  }

  @Override
  public Coordinates coordinates() {
    return coordinates;
  }

  @Override
  public void timedBy(StepClock stepClock) {
    this.clock = stepClock;
  }

  @Override
  public long refusedUnits() {
    return refused;
  }

  @Override
  public ClippedSum clippedSum(StepRequest request) {
    device.enter();
    layout.check(request.parameters());
    rule.check(request, grid);
    boolean noisy = request.noiseBeforeClipping() > 0;
    if (noisy && !ready.noisy) {
      ready.close();
      ready = new Ready(true);
    }
    Ready here = ready;
    DeviceMemory memory = here.memory;
    if (failed) {
      memory.await();
      here.sums.reset();
    }
    failed = true;
    Units units = data.units();
    DrawnLot lot =
        DrawnLot.byChunk(
            request,
            units,
            sampler.lot(request.key(), request.release(), units, grid.buckets()),
            grid,
            chunkEnds);
    read(here.rows, lot, units);
    LotParts cut =
        new LotParts(
            even(lot, units, here.most),
            Math.max(1, here.slots),
            noisy || rule.decay() > 0,
            rule.averaged(),
            units,
            here.rows::place);
    List<LotPart> parts = cut.of(lot, chunkEnds);
    clock.spent(StepPhase.LOT);
    here.hostTheta.write(0, request.parameters(), 0, layout.parameters());
    memory.toDevice(here.theta, here.hostTheta, 4L * layout.parameters());
    memory.clear(here.sums.integers(), 8L * here.sums.numbers());
    if (here.weights.size() > 0) {
      here.weights.run(memory.stream());
    }
    clock.spent(StepPhase.WEIGHTS);
    int exponent = grid.finer(rule.clipping(), request.thresholds()).exponent();
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        memory.await();
      }
      here.block.send(memory, parts.get(i), exponent, noisy, request.thresholds());
      if (parts.get(i).examples > 0) {
        here.pass.run(memory.stream());
      }
      if (parts.get(i).ends) {
        if (noisy) {
          noise(here, parts.get(i), request.noiseBeforeClipping());
        }
        here.end.run(memory.stream());
      }
    }
    memory.toHost(here.hostIntegers, here.sums.integers(), 8L * here.sums.numbers());
    memory.await();
    clock.spent(StepPhase.GRADIENTS);
    gather(here.hostIntegers);
    refused += cut.refused() + here.hostIntegers.getLong(8L * (here.sums.numbers() - 1));
    failed = false;
    double[] thresholds = request.thresholds();
    ClippedSum sum =
        ClippedSum.of(
            integers,
            coordinates,
            rule,
            grid.finer(rule.clipping(), thresholds),
            thresholds,
            thresholds);
    clock.spent(StepPhase.GATHER);
    return sum;
  }

  /** From the order of the parameters into that of the coordinates; then the counts. */
  private void gather(Pointer from) {
    int[] places = coordinates.places();
    if (ordered) {
      from.read(0, integers, 0, places.length);
    } else {
      from.read(0, byPlace, 0, byPlace.length);
      for (int c = 0; c < places.length; c++) {
        integers[c] = byPlace[places[c]];
      }
    }
    from.read(8L * layout.parameters(), integers, places.length, rule.counts());
  }

  /** As many examples in each part, where there are several: no part is nearly empty. */
  private static int even(DrawnLot lot, Units units, int most) {
    long examples = 0;
    for (int unit : lot.units()) {
      examples += units.size(unit);
    }
    long parts = Math.max(1, (examples + most - 1) / most);
    return (int) Math.max(1, (examples + parts - 1) / parts);
  }

  private void read(RowStore rows, DrawnLot lot, Units units) {
    try {
      for (int unit : lot.units()) {
        for (int i = 0; i < units.size(unit); i++) {
          rows.read(units.example(unit, i));
        }
      }
      rows.flush();
    } finally {
      rows.forget();
    }
  }

  /** The same numbers as the engine of the cores draws, for each unit from its own secret bits. */
  private void noise(Ready here, LotPart part, double deviation) {
    float[] drawn = new float[layout.parameters()];
    List<Layout.Slice> slices = layout.slices();
    for (int m = 0; m < part.members; m++) {
      SplittableRandom dice = new SplittableRandom(part.memberChoice[m]);
      for (int s = 0; s < slices.size(); s++) {
        for (int i = slices.get(s).offset(); rule.group()[s] >= 0 && i < slices.get(s).end(); i++) {
          drawn[i] = (float) (deviation * dice.nextGaussian());
        }
      }
      here.memory.await();
      here.hostNoise.write(0, drawn, 0, drawn.length);
      here.memory.toDevice(
          here.sums.noise() + 4L * part.slot[m] * drawn.length, here.hostNoise, 4L * drawn.length);
    }
  }

  @Override
  public void close() {
    device.enter();
    ready.close();
  }
}
