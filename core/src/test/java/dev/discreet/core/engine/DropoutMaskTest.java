package dev.discreet.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DropoutMaskTest {
  private static final int SIZE = 20_000;

  private static List<Layout.Node> nodes(double rate) {
    String layer = "dropout(" + rate + ")";
    return Network.parse(layer + " " + layer).on(Shape.vector(SIZE)).nodes();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.5, 0.9})
  void keepsTheStatedShare(double rate) {
    DropoutMask mask = DropoutMask.of(14, 0, nodes(rate).get(0));
    int kept = 0;
    for (int i = 0; i < SIZE; i++) {
      kept += mask.keeps(i) ? 1 : 0;
    }
    assertEquals((1 - rate) * SIZE, kept, 5 * Math.sqrt(rate * (1 - rate) * SIZE));
    assertEquals(1, mask.scale() * (1 - rate), 1e-15);
  }

  /** Changing any part of the key gives an independent mask: half of the values agree. */
  @Test
  void everyPartOfTheKeyMatters() {
    List<Layout.Node> nodes = nodes(0.5);
    DropoutMask mask = DropoutMask.of(14, 0, nodes.get(0));
    assertEquals(mask, DropoutMask.of(14, 0, nodes.get(0)));
    List<DropoutMask> others =
        List.of(
            DropoutMask.of(15, 0, nodes.get(0)),
            DropoutMask.of(14, 1, nodes.get(0)),
            DropoutMask.of(14, 0, nodes.get(1)));
    for (DropoutMask other : others) {
      int same = 0;
      for (int i = 0; i < SIZE; i++) {
        same += mask.keeps(i) == other.keeps(i) ? 1 : 0;
      }
      assertTrue(Math.abs(same - SIZE / 2) < 5 * Math.sqrt(SIZE / 4.0), "agree on " + same);
    }
  }
}
