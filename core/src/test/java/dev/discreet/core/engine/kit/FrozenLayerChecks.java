package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Units;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Layers that are frozen, from the bottom up: the backward pass stops above them. */
abstract class FrozenLayerChecks extends EngineChecks {
  FrozenLayerChecks(EngineKit kit) {
    super(kit);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "conv(5,3) relu maxpool(2,stride=1) conv(3,2) tanh dense(6) relu dense(3)",
        "conv(4,3,pad=1) relu residual(conv(4,3,pad=1) relu) dense(3)",
        "conv(4,3,pad=1) projected(conv(6,3,pad=1) relu) globalavgpool dense(3)",
        "projected(conv(6,3,pad=1) groupnorm(2) relu conv(6,1) tanh) avgpool(2) dense(3)",
        "dense(20) layernorm gelu dense(9) dropout(0.3) dense(3)",
        "shift conv(4,3) tanh shift dense(3)"
      })
  void theOracleAgreesWhateverIsFrozen(String text) {
    Layout layout = Network.parse(text).on(new Shape(6, 5, 2));
    int slices = layout.slices().size();
    Units mixed = Units.of(new long[] {3, 1, 4, 9}, new int[][] {{0, 1, 2}, {3}, {4}, {5, 6}});
    for (int still = 0; still < slices; still++) {
      for (double decay : new double[] {0, 0.01}) {
        int[] group = new int[slices];
        boolean[] decayed = new boolean[slices];
        for (int s = 0; s < slices; s++) {
          // The lower ones, and one of the others too.
          group[s] = s < still || (s == still + 1 && s < slices - 1) ? -1 : 0;
          decayed[s] = true;
        }
        UnitRule rule = new UnitRule(new ClippingRule.Flat(), group, decay, decayed);
        Trial trial = Trial.of(layout, rule, Trial.examples(layout, 13, 1), 0.3);
        for (Trial each : new Trial[] {trial, trial.with(mixed)}) {
          if (passesOver(29)) {
            continue;
          }
          double error = each.error(engine());
          assertTrue(error < 1e-5, text + ", " + still + " frozen: error " + error);
          Engine cut = cuts().get((still + 1) % cuts().size());
          assertArrayEquals(
              each.run(engine()).sum().integers(), each.run(cut).sum().integers(), cut.toString());
        }
      }
    }
  }
}
