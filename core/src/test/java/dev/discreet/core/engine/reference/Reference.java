package dev.discreet.core.engine.reference;

import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;

/** The slow oracle. */
public record Reference() implements Engine {
  @Override
  public String name() {
    return "reference";
  }

  @Override
  public int threads() {
    return 1;
  }

  /** It has one thread, whatever is asked for. */
  @Override
  public Reference withThreads(int threads) {
    return this;
  }

  @Override
  public GradientSource source(
      Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
    LocalData local = LocalData.required(data, "the engine " + name());
    rule.check(layout, local);
    return new ReferenceSource(layout, local.examples(), local.units(), sampler, rule, grid);
  }

  /** Makes all. */
  @Override
  public void check(Augmentation augmentation) {}

  @Override
  public PublicGradients open(Layout layout, Examples examples, Augmentation augmentation) {
    return new ReferenceEngine(layout, examples, augmentation);
  }

  @Override
  public PublicGradients open(Layout layout, Examples examples) {
    return new ReferenceEngine(layout, examples);
  }
}
