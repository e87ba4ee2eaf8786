package dev.discreet.core.engine;

import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;

/**
 * Makes the engine of a run: this machine's cores, a GPU, a cluster. The two doors are kept apart;
 * only the first sees units that need protection.
 */
public interface EngineFactory {

  /** Private examples: only clipped sums come out. */
  GradientSource source(
      Layout layout, UnitRule rule, Examples examples, Units units, Sampler sampler, Grid grid);

  /** Public examples: anything may come out. */
  PublicGradients open(Layout layout, Examples examples);

  /**
   * How many units a chunk of the sum should have on average. More chunks cost time to add up,
   * fewer leave cores idle and round more.
   */
  default double unitsPerChunk(Layout layout) {
    return 32;
  }
}
