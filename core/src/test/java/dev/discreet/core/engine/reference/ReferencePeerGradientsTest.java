package dev.discreet.core.engine.reference;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PeerGradientsTest;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;

class ReferencePeerGradientsTest extends PeerGradientsTest {
  @Override
  protected PublicGradients engine(Layout layout, Examples examples) {
    return new ReferenceEngine(layout, examples);
  }

  @Override
  protected double tolerance() {
    return 1e-6;
  }
}
