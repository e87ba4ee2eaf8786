package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Units;
import org.junit.jupiter.api.Test;

/** What an engine cannot do, it refuses before it looks at a row, and says what. */
abstract class RefusalChecks extends EngineChecks {
  private static final Layout LAYOUT = Network.parse("dense(3)").on(Shape.vector(2));

  RefusalChecks(EngineKit kit) {
    super(kit);
  }

  private void refused(String message, Layout layout, UnitRule rule, Examples examples) {
    Trial trial =
        new Trial(
            layout,
            rule,
            examples,
            Units.each(examples.size()),
            Trial.grid(1, 9, 1),
            Trial.parameters(layout, 1),
            new double[] {1},
            0,
            1);
    String found =
        assertThrows(IllegalArgumentException.class, () -> trial.open(engine())).getMessage();
    assertTrue(found.startsWith(message), found);
  }

  @Test
  void anotherInput() {
    Examples wide = Trial.examples(Network.parse("dense(3)").on(Shape.vector(4)), 5, 1);
    refused("input of the examples must be the network's", LAYOUT, UnitRule.flat(LAYOUT), wide);
    assertThrows(IllegalArgumentException.class, () -> engine().open(LAYOUT, wide));
  }

  @Test
  void aRuleThatBoundsNothing() {
    UnitRule none =
        Trial.rule(LAYOUT, new ClippingRule.None(), Trial.Groups.ONE, 0, Trial.Decayed.ALL);
    refused("clipping must be a rule that bounds", LAYOUT, none, Trial.examples(LAYOUT, 5, 1));
  }

  @Test
  void nothingToTrain() {
    UnitRule frozen = new UnitRule(new ClippingRule.Flat(), new int[] {-1, -1}, 0, new boolean[2]);
    refused("trainable parameters must be", LAYOUT, frozen, Trial.examples(LAYOUT, 5, 1));
  }

  @Test
  void thresholdsForOtherGroups() {
    Trial trial = Trial.of(LAYOUT, UnitRule.flat(LAYOUT), Trial.examples(LAYOUT, 5, 1), 1, 1);
    assertEquals(
        "thresholds must be one for each of 1 clipping groups. Provided value: 2",
        assertThrows(IllegalArgumentException.class, () -> trial.run(engine())).getMessage());
  }

  @Test
  void parametersOfAnotherNetwork() {
    Trial trial = Trial.of(LAYOUT, UnitRule.flat(LAYOUT), Trial.examples(LAYOUT, 5, 1), 1);
    assertThrows(IllegalArgumentException.class, () -> trial.with(new float[4]).run(engine()));
  }

  @Test
  void isFoundByTheNameItHas() {
    assertEquals(engine().name(), engine().withThreads(1).name());
    assertTrue(engine().name().matches("[a-z0-9-]+"), engine().name());
  }
}
