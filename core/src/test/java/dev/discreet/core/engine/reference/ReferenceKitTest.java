package dev.discreet.core.engine.reference;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.kit.EngineKit;
import java.util.List;

/** The oracle passes what the engines must that are held against it. */
class ReferenceKitTest extends EngineKit {
  @Override
  protected Engine engine() {
    return new Reference();
  }

  /** It divides nothing. */
  @Override
  protected List<Engine> cuts() {
    return List.of(engine());
  }

  @Override
  protected double tolerance() {
    return 2e-6;
  }

  @Override
  protected float[] overflowing() {
    return new float[0];
  }

  @Override
  protected boolean isThorough() {
    return false;
  }
}
