package dev.discreet.core.engine.cpu;

import java.lang.System.Logger.Level;

/**
 * Warns of a Java without the Vector API, once in its life: a class is initialised once. Without
 * the warning, whoever uses the library would get the slow kernels and never know.
 */
final class MissingVectors {
  static {
    System.getLogger(Cpu.class.getName())
        .log(
            Level.WARNING,
            "The Vector API is missing, so gradients take several times as long. Start Java with"
                + " --add-modules jdk.incubator.vector");
  }

  private MissingVectors() {}

  /** Warns, unless that was done before. */
  static void warnOnce() {}
}
