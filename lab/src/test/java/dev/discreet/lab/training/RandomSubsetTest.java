package dev.discreet.lab.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomSubsetTest {
  @Test
  void anOrderHasEachNumberOnceAndDependsOnTheSeed() {
    int[] order = RandomSubset.order(1000, 1);
    assertArrayEquals(IntStream.range(0, 1000).toArray(), Arrays.stream(order).sorted().toArray());
    assertArrayEquals(order, RandomSubset.order(1000, 1));
    assertNotEquals(
        order[0] + " " + order[1],
        RandomSubset.order(1000, 2)[0] + " " + RandomSubset.order(1000, 2)[1]);
  }

  @Test
  void partsOfAnOrderDoNotMeet() {
    float[] values = {0, 1, 2, 3, 4};
    Examples all = Examples.of(Shape.vector(1), values, 1, values);
    int[] order = {4, 2, 0, 1, 3};
    float[] seen = new float[5];
    Examples first = RandomSubset.of(all, order, 0, 2);
    Examples rest = RandomSubset.of(all, order, 2, 100);
    assertEquals(2, first.size());
    assertEquals(3, rest.size());
    first.input(0, seen, 0);
    first.input(1, seen, 1);
    rest.input(0, seen, 2);
    rest.input(1, seen, 3);
    rest.target(2, seen, 4);
    assertArrayEquals(new float[] {4, 2, 0, 1, 3}, seen);
    assertThrows(IllegalArgumentException.class, () -> RandomSubset.of(all, order, 5, 1));
  }
}
