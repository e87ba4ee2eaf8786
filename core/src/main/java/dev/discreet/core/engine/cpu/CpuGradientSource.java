package dev.discreet.core.engine.cpu;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.StepClock;
import dev.discreet.core.engine.StepRequest;

/** Clipped sums over units that are all here. Not for use by several threads at once. */
record CpuGradientSource(CpuPartialSums sums, LocalData data) implements GradientSource {
  CpuGradientSource {
    sums.check(data);
  }

  @Override
  public Coordinates coordinates() {
    return sums.coordinates();
  }

  @Override
  public ClippedSum clippedSum(StepRequest request) {
    return sums.clippedSum(request, data);
  }

  @Override
  public long refusedUnits() {
    return sums.refusedUnits();
  }

  @Override
  public void timedBy(StepClock clock) {
    sums.timedBy(clock);
  }

  @Override
  public void close() {
    sums.close();
  }
}
