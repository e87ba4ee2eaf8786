package dev.discreet.core.engine.reference;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The seam on top of the {@link ReferenceEngine}: draws the lot, sums each chunk in double
 * precision, rounds it to the grid once and adds chunks as integers.
 */
public final class ReferenceSource implements GradientSource {
  private final ReferenceEngine engine;
  private final Units units;
  private final Sampler sampler;
  private final UnitRule rule;
  private final Grid grid;
  private final Coordinates coordinates;
  private long refused;

  public ReferenceSource(
      Layout layout, Examples examples, Units units, Sampler sampler, UnitRule rule, Grid grid) {
    units.check(examples.size());
    rule.check(units);
    this.engine = new ReferenceEngine(layout, examples);
    this.units = units;
    this.sampler = sampler;
    this.rule = rule;
    this.grid = grid;
    this.coordinates = Coordinates.of(layout, rule);
  }

  @Override
  public Coordinates coordinates() {
    return coordinates;
  }

  @Override
  public ClippedSum clippedSum(StepRequest request) {
    rule.check(request, grid);
    int[] lot = sampler.lot(request.key(), request.release(), units, grid.buckets());
    Grid grid = this.grid.finer(rule.clipping(), request.thresholds());
    long[] integers = new long[coordinates.size() + rule.counts()];
    long[] choices = request.key().choices(request.release(), units, lot);
    int[] chunkOf = grid.chunks(request.key(), units, lot, choices);
    Map<Integer, List<Integer>> chunks =
        IntStream.range(0, lot.length).boxed().collect(Collectors.groupingBy(i -> chunkOf[i]));
    for (List<Integer> chunk : chunks.values()) {
      int[] members = chunk.stream().mapToInt(i -> lot[i]).toArray();
      if (members.length > grid.capacity()) {
        throw new IllegalStateException(
            "a chunk of the lot has more than its capacity of " + grid.capacity() + " units");
      }
      ExactSum exact = engine.exactSum(rule, units, members, request);
      refused += exact.refused();
      for (int i = 0; i < coordinates.size(); i++) {
        integers[i] +=
            (long) Math.rint(Math.scalb(exact.sum()[coordinates.places()[i]], -grid.exponent()));
      }
      for (int g = 0; g < rule.counts(); g++) {
        integers[coordinates.size() + g] += exact.counts()[g];
      }
    }
    double[] thresholds = request.thresholds();
    return ClippedSum.of(integers, coordinates, rule, grid, thresholds, thresholds);
  }

  @Override
  public long refusedUnits() {
    return refused;
  }

  @Override
  public void close() {}
}
