package dev.discreet.core.optimize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MovingAverageTest {
  @Test
  void forgetsTheStartAndWeighsIteratesGeometrically() {
    MovingAverage average = new MovingAverage(0.5, new float[] {100});
    average.add(new float[] {1});
    assertEquals(1, average.mean()[0], 1e-5);
    average.add(new float[] {4});
    average.add(new float[] {8});
    // weights 1/4, 1/2, 1 over 7/4
    assertEquals((0.25 * 1 + 0.5 * 4 + 8) / 1.75, average.mean()[0], 1e-5);
  }

  @Test
  void aShortRunIsAPlainMean() {
    MovingAverage average = new MovingAverage(0.999999, new float[] {0});
    for (int i = 1; i <= 9; i++) {
      average.add(new float[] {i});
    }
    assertEquals(5, average.mean()[0], 1e-3);
  }

  @Test
  void whatDoesNotMoveIsExact() {
    float[] frozen = {0.1f, -3.7f};
    MovingAverage average = new MovingAverage(0.9, frozen);
    for (int i = 0; i < 10; i++) {
      average.add(frozen);
    }
    assertArrayEquals(frozen, average.mean());
  }

  @Test
  void goesOnFromACheckpointAndRefusesAFullMemory() {
    MovingAverage whole = new MovingAverage(0.9, new float[] {0});
    MovingAverage first = new MovingAverage(0.9, new float[] {0});
    for (int i = 0; i < 6; i++) {
      whole.add(new float[] {i});
      if (i < 3) {
        first.add(new float[] {i});
      }
    }
    MovingAverage second = new MovingAverage(0.9, new float[] {7});
    second.restore(first.steps(), first.mean());
    for (int i = 3; i < 6; i++) {
      second.add(new float[] {i});
    }
    assertArrayEquals(whole.mean(), second.mean());
    assertThrows(IllegalArgumentException.class, () -> new MovingAverage(1, new float[1]));
  }
}
