package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.Engine;

/** The CPU engine cut in other ways, for tests of other packages. */
public final class CpuEngines {
  private CpuEngines() {}

  /**
   * @param tile examples that go through the network together; 0 to let the network's size decide
   * @param vectors whether to use the Vector API
   */
  public static Engine of(int threads, int tile, boolean vectors) {
    return new Cpu(threads, tile, vectors);
  }
}
