package dev.discreet.core.engine.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReferenceSourceTest {
  private static final Layout LAYOUT =
      Network.parse("conv(3,2) tanh flatten dense(4)").on(new Shape(4, 4, 2));
  private static final int UNITS = 60;
  private static final Grid GRID = Grid.of(30, 8, 0.5);
  private static final float[] THETA = LAYOUT.initial(Initialiser.HE_NORMAL, 1);

  private static final StepRequest REQUEST =
      new StepRequest(5, THETA, new double[] {0.5, 0.25}, SamplingKey.insecure(3), 0);

  /** Dense before conv, the conv's bias frozen, decay on the weights. */
  private static final UnitRule RULE =
      new UnitRule(
          new ClippingRule.Flat(),
          new int[] {1, -1, 0, 0},
          5,
          new boolean[] {true, true, true, false});

  private static Examples examples() {
    SplittableRandom random = new SplittableRandom(4);
    float[] inputs = new float[UNITS * LAYOUT.input().size()];
    float[] labels = new float[UNITS];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) random.nextDouble(-1, 1);
    }
    for (int i = 0; i < UNITS; i++) {
      labels[i] = random.nextInt(4);
    }
    return Examples.of(LAYOUT.input(), inputs, 1, labels);
  }

  private static ReferenceSource source(Units units, Grid grid) {
    return new ReferenceSource(
        LAYOUT, examples(), units, new Sampler.Poisson(0.5, UNITS), RULE, grid);
  }

  @Test
  void isTheExactSumUpToTheGrid() {
    Units units = Units.each(UNITS);
    ReferenceSource source = source(units, GRID);
    int[] places = source.coordinates().places();
    ClippedSum sum = source.clippedSum(REQUEST);
    int[] lot = new Sampler.Poisson(0.5, UNITS).lot(REQUEST.key(), 5, units);
    double[] exact =
        new ReferenceEngine(LAYOUT, examples()).exactSum(RULE, units, lot, REQUEST).sum();
    assertEquals(LAYOUT.parameters() - 3, places.length);
    assertArrayEquals(new int[] {27 * 4 + 4, 27 * 4 + 4 + 24}, sum.groupEnds());
    assertEquals(LAYOUT.slices().get(2).offset(), places[0]);
    assertEquals(0, places[sum.groupEnds()[0]]);
    double step = Math.scalb(1.0, sum.exponent());
    for (int i = 0; i < places.length; i++) {
      assertEquals(exact[places[i]], sum.integers()[i] * step, GRID.chunks() * step * 0.5000001);
    }
  }

  /** The first so many units, after one of them was put behind all others. */
  private static Units behind(int last, int count) {
    int[] order =
        IntStream.concat(IntStream.range(0, UNITS).filter(i -> i != last), IntStream.of(last))
            .limit(count)
            .toArray();
    return Units.of(
        Arrays.stream(order).mapToLong(unit -> unit == last ? UNITS : unit).toArray(),
        Arrays.stream(order).mapToObj(unit -> new int[] {unit}).toArray(int[][]::new));
  }

  @Test
  void oneUnitLessMovesTheSumByNoMoreThanTheSensitivity() {
    double largest = 0;
    for (int gone = 0; gone < UNITS; gone++) {
      // With the last id: the lots of the others are then the same without it.
      StepRequest request = new StepRequest(gone, THETA, REQUEST.thresholds(), REQUEST.key(), 0);
      ClippedSum all = source(behind(gone, UNITS), GRID).clippedSum(request);
      ClippedSum less = source(behind(gone, UNITS - 1), GRID).clippedSum(request);
      for (int g = 0; g < 2; g++) {
        double distance = 0;
        for (int i = g == 0 ? 0 : all.groupEnds()[0]; i < all.groupEnds()[g]; i++) {
          distance += Math.pow(all.integers()[i] - less.integers()[i], 2);
        }
        distance = Math.sqrt(distance) * Math.scalb(1.0, all.exponent());
        assertTrue(distance <= all.sensitivities()[g], gone + " moves by " + distance);
        largest = Math.max(largest, distance / all.sensitivities()[g]);
      }
    }
    assertTrue(largest > 0.99, "the bound is nearly met: " + largest);
  }

  @Test
  void aChunkBeyondItsCapacityIsRefused() {
    ReferenceSource source = source(Units.each(UNITS), new Grid(1, 3, -20));
    assertThrows(IllegalStateException.class, () -> source.clippedSum(REQUEST));
  }
}
