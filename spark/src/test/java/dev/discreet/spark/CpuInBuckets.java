package dev.discreet.spark;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;

/** The engine of one machine, with units in as many buckets as on a cluster. */
public final class CpuInBuckets implements Engine {
  // Not in a field: whoever looks for one engine makes all.
  private static Engine cpu() {
    return Engine.standard();
  }

  @Override
  public String name() {
    return "cpu-in-buckets";
  }

  @Override
  public int threads() {
    return cpu().threads();
  }

  @Override
  public Engine withThreads(int threads) {
    return this;
  }

  @Override
  public GradientSource source(
      Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
    return cpu().source(layout, rule, data, sampler, grid);
  }

  @Override
  public PublicGradients open(Layout layout, Examples examples) {
    return cpu().open(layout, examples);
  }

  @Override
  public double unitsPerChunk(Layout layout) {
    return cpu().unitsPerChunk(layout);
  }

  @Override
  public int buckets() {
    return new SparkEngine().buckets();
  }
}
