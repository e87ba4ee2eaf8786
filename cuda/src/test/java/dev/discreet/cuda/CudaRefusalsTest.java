package dev.discreet.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import org.junit.jupiter.api.Test;

/** What the engine says where there is no device, and what it refuses on any. */
class CudaRefusalsTest {
  private static String refusal(String network, Shape input, ClippingRule clipping) {
    Layout layout = Network.parse(network).on(input);
    int slices = layout.slices().size();
    UnitRule rule = new UnitRule(clipping, new int[slices], 0, new boolean[slices]);
    Examples examples = Examples.of(input, new float[2 * input.size()], 1, new float[2]);
    return assertThrows(
            IllegalArgumentException.class,
            () ->
                Engine.named("cuda")
                    .source(
                        layout,
                        rule,
                        PrivateData.each(examples),
                        new Sampler.Poisson(1, 2),
                        new Grid(1, 9, -20)))
        .getMessage();
  }

  @Test
  void isFoundByItsNameOnAnyMachine() {
    assertEquals(new CudaEngine(), Engine.named("cuda"));
    assertTrue(Engine.names().contains("cuda"));
  }

  @Test
  void aMachineWithoutADeviceIsToldSo() {
    assumeFalse(CudaEngine.isThere(), "there is a device");
    String refusal = refusal("dense(2)", Shape.vector(3), new ClippingRule.Flat());
    assertTrue(refusal.startsWith("GPU of the engine cuda must be there: "), refusal);
  }

  /** Where there is no device too: they are looked at first. */
  @Test
  void layersAndRulesThatItDoesNotHaveAreNamed() {
    for (String network :
        new String[] {
          "scattering(1,3) flatten dense(3)",
          "conv(2,3) shift dense(3)",
          "residual(conv(1,3,pad=1,standardised=true)) dense(3)"
        }) {
      String refusal = refusal(network, new Shape(4, 6, 1), new ClippingRule.Flat());
      assertTrue(
          refusal.startsWith(
              "layers of the engine cuda must be others than scattering, shift and standardised"),
          refusal);
    }
    for (ClippingRule rule :
        new ClippingRule[] {new ClippingRule.Estimated(3), new ClippingRule.PerSample(0.1)}) {
      String refusal = refusal("dense(2)", Shape.vector(3), rule);
      assertTrue(
          refusal.startsWith("clipping of the engine cuda must be flat, automatic, normalised or")
              && refusal.endsWith(rule.toString()),
          refusal);
    }
  }
}
