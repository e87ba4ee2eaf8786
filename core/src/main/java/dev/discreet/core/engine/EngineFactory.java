package dev.discreet.core.train;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.cpu.Cpu;
import dev.discreet.core.engine.reference.ReferenceEngine;
import dev.discreet.core.engine.reference.ReferenceSource;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.Units;

/**
 * Makes the engine of a run: this machine's cores, a GPU, a cluster. The two doors are kept apart;
 * only the first sees units that need protection.
 */
public interface EngineFactory {

  /** Clipped sums over private units. */
  GradientSource privateGradients(
      Layout layout, Examples examples, Units units, Sampler sampler, UnitRule rule, Grid grid);

  /** Gradients and predictions of examples that need no protection. */
  PublicGradients publicGradients(Layout layout, Examples examples);

  /**
   * How many units a chunk of the sum should have on average. More chunks cost time to add up,
   * fewer leave cores idle and round more.
   */
  default double unitsPerChunk(Layout layout) {
    return 32;
  }

  /** What a trainer uses if not told. */
  static EngineFactory standard() {
    return cpu(Cpu.all());
  }

  /** This machine's cores. */
  static EngineFactory cpu(Cpu cpu) {
    return new EngineFactory() {
      @Override
      public GradientSource privateGradients(
          Layout layout,
          Examples examples,
          Units units,
          Sampler sampler,
          UnitRule rule,
          Grid grid) {
        return cpu.source(layout, rule, examples, units, sampler, grid);
      }

      @Override
      public PublicGradients publicGradients(Layout layout, Examples examples) {
        return cpu.open(layout, examples);
      }

      @Override
      public double unitsPerChunk(Layout layout) {
        return Cpu.unitsPerChunk(layout);
      }
    };
  }

  /** The slow oracle. */
  static EngineFactory reference() {
    return new EngineFactory() {
      @Override
      public GradientSource privateGradients(
          Layout layout,
          Examples examples,
          Units units,
          Sampler sampler,
          UnitRule rule,
          Grid grid) {
        return new ReferenceSource(layout, examples, units, sampler, rule, grid);
      }

      @Override
      public PublicGradients publicGradients(Layout layout, Examples examples) {
        return new ReferenceEngine(layout, examples);
      }
    };
  }
}
