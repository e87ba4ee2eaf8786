package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Sampler;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A part of the kit: it asks the kit for the engine. One check follows another also where a kit
 * runs beside other tests, for a brief one takes cases by turns: in every run the same.
 */
@Execution(ExecutionMode.SAME_THREAD)
abstract class EngineChecks {
  private static final AtomicInteger TURN = new AtomicInteger();

  private final EngineKit kit;

  EngineChecks(EngineKit kit) {
    this.kit = kit;
  }

  final Engine engine() {
    return kit.engine();
  }

  final List<Engine> cuts() {
    return kit.cuts();
  }

  /** Three of the cuts, for checks that take long; the first and the last among them. */
  final List<Engine> fewCuts() {
    List<Engine> all = cuts();
    return IntStream.of(0, all.size() / 2, all.size() - 1).distinct().mapToObj(all::get).toList();
  }

  final float[] overflowing() {
    return kit.overflowing();
  }

  final double tolerance() {
    return kit.tolerance();
  }

  final boolean isThorough() {
    return kit.isThorough();
  }

  final boolean isBrief() {
    return kit.isBrief();
  }

  final boolean takes(Sampler sampler) {
    return kit.takes(sampler);
  }

  final boolean takes(ClippingRule clipping) {
    return kit.takes(clipping);
  }

  final boolean takesScattering() {
    return kit.takesScattering();
  }

  /** Whether a brief kit passes a case over: it takes one of so many, by turns. */
  final boolean passesOver(int cases) {
    return kit.isBrief() && TURN.getAndIncrement() % cases != 0;
  }

  /** A whole test that a brief kit passes over is reported as skipped. */
  final void takesOneOf(int cases) {
    assumeFalse(passesOver(cases), "a brief kit runs one of " + cases);
  }

  /** All of the cases, or the first, one in the middle and the last. */
  final double[] some(double... all) {
    return isThorough() ? all : new double[] {all[0], all[all.length / 2], all[all.length - 1]};
  }
}
