package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.cpu.internal.kernels.SimdKernels;
import dev.discreet.core.engine.kit.EngineKit;
import java.util.ArrayList;
import java.util.List;

/** The CPU engine with the Vector API. */
class SimdEngineTest extends EngineKit {
  @Override
  protected Engine engine() {
    return new Cpu(1, 0, true);
  }

  /**
   * Half of them keep rows of dense layers instead of sums for each thread.
   *
   * <p>Plain kernels lay out their partial sums for vectors of 16, and only a machine with such
   * vectors is asked to agree with them.
   */
  @Override
  protected List<Engine> cuts() {
    List<Engine> cuts = new ArrayList<>();
    for (int threads : new int[] {1, 2, 5}) {
      for (int tile : new int[] {1, 7, 64}) {
        cuts.add(new Cpu(threads, tile, true, (threads + tile) % 2));
      }
    }
    if (new SimdKernels().lanes() == 16) {
      cuts.add(new Cpu(2, 3, false, 1));
    }
    return cuts;
  }
}
