package dev.discreet.cuda;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;

/**
 * The engine on one NVIDIA GPU. How many examples go through it at once changes the speed of a sum,
 * never the sum.
 *
 * <pre>{@code
 * Engine engine = Engine.named("cuda");
 * }</pre>
 *
 * @param atOnce how many examples go through the device at once, at most; 0 for as many as fit
 */
@PublicApi
public record CudaEngine(int atOnce) implements Engine {
  /** What options and run files call this engine. */
  public static final String NAME = "cuda";

  /** Checks the number. */
  public CudaEngine {
    Check.that(atOnce >= 0, "examples at once", "at least 0", atOnce);
  }

  /** As many examples at once as fit. */
  public CudaEngine() {
    this(0);
  }

  /**
   * Whether this machine has a device and a driver that serve.
   *
   * @return false where {@link #source} would refuse
   */
  public static boolean isThere() {
    return Device.find().isPresent();
  }

  @Override
  public String name() {
    return NAME;
  }

  /** It computes elsewhere. */
  @Override
  public int threads() {
    return 0;
  }

  @Override
  public CudaEngine withThreads(int number) {
    return this;
  }

  @Override
  public GradientSource source(
      Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
    LocalData local = LocalData.required(data, "the engine " + NAME);
    // Some rows find out anew whose they are each time that they are asked.
    LocalData rows = PrivateData.of(local.examples(), local.units());
    rule.check(layout, rows);
    rule.check(rows.units());
    check(layout, rule);
    return new CudaSource(Device.required(), layout, rule, rows, sampler, grid, atOnce);
  }

  /** Refuses what the engine of the cores can do and this one cannot, and a missing device. */
  @Override
  public void check(Layout layout, UnitRule rule) {
    check(rule.augmentation());
    for (Layout.Node node : layout.allNodes()) {
      Layer layer = node.layer();
      Check.that(
          !(layer instanceof Scattering
              || layer instanceof Layer.Shift
              || (layer instanceof Layer.Conv conv && conv.standardised())),
          "layers of the engine " + NAME,
          "others than scattering, shift and standardised convolutions, which the engine cpu has",
          layer);
    }
    FactorRule.of(rule.clipping());
    Device.required();
  }

  /** Public examples are computed on this machine's cores. */
  @Override
  public PublicGradients open(Layout layout, Examples examples) {
    return Engine.named("cpu").open(layout, examples);
  }

  @Override
  public boolean takesOver() {
    return isThere();
  }

  @Override
  public String device() {
    Device device = Device.required();
    return device.name() + ", driver of " + device.driverVersion();
  }

  /** More chunks keep more of the device busy, and round more. */
  @Override
  public double unitsPerChunk(Layout layout) {
    return 64;
  }
}
