package dev.discreet.core.engine.kit;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Sampler;
import java.util.List;
import org.junit.jupiter.api.Nested;

/**
 * What every engine must pass. Its test extends this class and says which engine it is:
 *
 * <pre>{@code
 * class MyEngineTest extends EngineKit {
 *   @Override
 *   protected Engine engine() {
 *     return Engine.named("mine");
 *   }
 *
 *   @Override
 *   protected List<Engine> cuts() {
 *     return List.of(engine().withThreads(1), engine().withThreads(5));
 *   }
 * }
 * }</pre>
 *
 * <p>A module gets it by a dependency on {@code discreet-core} of type {@code test-jar}.
 */
public abstract class EngineKit {

  /** The engine that is checked. */
  protected abstract Engine engine();

  /**
   * The engine with its work divided in other ways: threads, tiles, partitions. All of them must
   * give the same integers.
   */
  protected abstract List<Engine> cuts();

  /**
   * How far a sum may be from the exact one, as a share of what is summed: ten times as far where
   * there is decay. Of 5,000 networks in single precision the worst was off by 7e-6, and by 8e-5
   * with decay.
   */
  protected double tolerance() {
    return 1e-5;
  }

  /**
   * Inputs with which gradients leave the range of this engine's numbers; none where it computes in
   * double precision.
   */
  protected float[] overflowing() {
    return new float[] {1e30f, -3e38f};
  }

  /**
   * Whether every case is tried. Some of each kind is enough for an engine that is only a twin of
   * one that tries them all, or that nobody trains with.
   */
  protected boolean isThorough() {
    return true;
  }

  /** Whether every check that opens many sources opens only some of them. */
  protected boolean isBrief() {
    return false;
  }

  /** Whether the engine draws lots by this sampler; one that does not must refuse it by name. */
  protected boolean takes(Sampler sampler) {
    return true;
  }

  /** Whether the engine can clip by this rule; one that cannot must refuse it by name. */
  protected boolean takes(ClippingRule clipping) {
    return true;
  }

  /** Whether the engine has layers that scatter; one that has none must refuse them by name. */
  protected boolean takesScattering() {
    return true;
  }

  @Nested
  class Agreement extends AgreementChecks {
    Agreement() {
      super(EngineKit.this);
    }
  }

  @Nested
  class PeerGradients extends PeerGradientChecks {
    PeerGradients() {
      super(EngineKit.this);
    }
  }

  @Nested
  class Sensitivity extends SensitivityChecks {
    Sensitivity() {
      super(EngineKit.this);
    }
  }

  @Nested
  class SameSum extends SameSumChecks {
    SameSum() {
      super(EngineKit.this);
    }
  }

  @Nested
  class SampledLots extends SampledLotChecks {
    SampledLots() {
      super(EngineKit.this);
    }
  }

  @Nested
  class Counts extends CountChecks {
    Counts() {
      super(EngineKit.this);
    }
  }

  @Nested
  class FrozenLayers extends FrozenLayerChecks {
    FrozenLayers() {
      super(EngineKit.this);
    }
  }

  @Nested
  class NoiseBeforeClipping extends NoiseBeforeClippingChecks {
    NoiseBeforeClipping() {
      super(EngineKit.this);
    }
  }

  @Nested
  class EstimatedNorms extends EstimatedNormChecks {
    EstimatedNorms() {
      super(EngineKit.this);
    }
  }

  @Nested
  class MicroBatches extends MicroBatchChecks {
    MicroBatches() {
      super(EngineKit.this);
    }
  }

  @Nested
  class UnusableRows extends UnusableRowChecks {
    UnusableRows() {
      super(EngineKit.this);
    }
  }

  @Nested
  class NonFinite extends NonFiniteChecks {
    NonFinite() {
      super(EngineKit.this);
    }
  }

  @Nested
  class Scatterings extends ScatteringChecks {
    Scatterings() {
      super(EngineKit.this);
    }
  }

  @Nested
  class Views extends ViewChecks {
    Views() {
      super(EngineKit.this);
    }
  }

  @Nested
  class Refusals extends RefusalChecks {
    Refusals() {
      super(EngineKit.this);
    }
  }
}
