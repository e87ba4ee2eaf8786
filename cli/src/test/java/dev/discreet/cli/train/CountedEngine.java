package dev.discreet.cli.train;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import java.util.concurrent.atomic.AtomicInteger;

/** The standard engine under another name, which counts how often it is asked. */
public final class CountedEngine implements Engine {
  static final AtomicInteger SOURCES = new AtomicInteger();
  static final AtomicInteger OPENED = new AtomicInteger();

  @Override
  public String name() {
    return "counted";
  }

  @Override
  public int threads() {
    return Engine.standard().threads();
  }

  @Override
  public Engine withThreads(int threads) {
    return this;
  }

  @Override
  public GradientSource source(
      Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
    SOURCES.incrementAndGet();
    return Engine.standard().source(layout, rule, data, sampler, grid);
  }

  @Override
  public PublicGradients open(Layout layout, Examples examples) {
    OPENED.incrementAndGet();
    return Engine.standard().open(layout, examples);
  }
}
