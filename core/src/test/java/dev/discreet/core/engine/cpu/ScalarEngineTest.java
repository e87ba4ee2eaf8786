package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.kit.EngineKit;
import java.util.List;

/** The CPU engine without the Vector API. */
class ScalarEngineTest extends EngineKit {
  @Override
  protected Engine engine() {
    return new Cpu(1, 0, false);
  }

  @Override
  protected List<Engine> cuts() {
    return List.of(new Cpu(1, 5, false), new Cpu(3, 64, false, 1));
  }

  @Override
  protected boolean isThorough() {
    return false;
  }
}
