package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PeerGradientsTest;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;

class SimdPeerGradientsTest extends PeerGradientsTest {
  @Override
  protected PublicGradients engine(Layout layout, Examples examples) {
    return new Cpu(1, 0, true).open(layout, examples);
  }

  @Override
  protected double tolerance() {
    return 5e-6;
  }
}
