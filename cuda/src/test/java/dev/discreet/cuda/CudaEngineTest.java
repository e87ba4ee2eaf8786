package dev.discreet.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.kit.EngineKit;
import dev.discreet.core.privacy.ClippingRule;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/**
 * What every engine must pass, on the device of this machine: skipped where there is none. Some
 * cases of every check, and all of them with {@code -Dcuda.kit=all}.
 */
class CudaEngineTest extends EngineKit {
  @BeforeAll
  static void device() {
    assumeTrue(CudaEngine.isThere(), "no GPU on this machine that the engine cuda could use");
  }

  @Override
  protected Engine engine() {
    return new CudaEngine();
  }

  /** Parts of other sizes: one example, fewer than a chunk has, and several chunks. */
  @Override
  protected List<Engine> cuts() {
    return List.of(new CudaEngine(), new CudaEngine(1), new CudaEngine(7), new CudaEngine(64));
  }

  @Override
  protected boolean isThorough() {
    return "all".equals(System.getProperty("cuda.kit"));
  }

  @Override
  protected boolean takes(ClippingRule clipping) {
    return clipping.estimated().isEmpty() && !(clipping instanceof ClippingRule.PerSample);
  }

  @Override
  protected boolean takesScattering() {
    return false;
  }
}
