package dev.discreet.cli.bench;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;

/** Sums of one engine beside those of another, over generated examples. */
record DeviceSums(StepTimer timer, Engine engine, Engine other) {
  private static final double THRESHOLD = 1;
  private static final int TIMED = 200;

  /**
   * @param difference between the engines' sums, as a share of their length
   * @param moved how far one unit less moves the sum, as a share of its sensitivity
   * @param isSame whether the engine gives the same integers when asked again
   */
  record Outcome(double difference, double moved, boolean isSame) {}

  /** Sums over a lot that is the whole set. */
  Outcome compare() {
    int count = timer.lot();
    ClippedSum sum = all(engine, count);
    double[] theirs = values(all(other, count));
    double[] ours = values(sum);
    double moved = distance(ours, values(all(engine, count - 1))) / sum.sensitivities()[0];
    return new Outcome(
        distance(ours, theirs) / distance(theirs, new double[theirs.length]),
        moved,
        Arrays.equals(sum.integers(), all(engine, count).integers()));
  }

  /** The median seconds of a sum over a lot that is drawn. */
  double seconds() {
    Layout layout = layout();
    Examples examples = timer.examples();
    Sampler sampler = new Sampler.Poisson((double) timer.lot() / examples.size(), examples.size());
    double[] seconds = new double[TIMED];
    try (GradientSource source = open(engine, Units.each(examples.size()), sampler)) {
      float[] theta = layout.initial(Initialiser.values()[0], 1);
      SamplingKey key = SamplingKey.insecure(1);
      // Rows are copied when they are drawn for the first time.
      for (int i = -TIMED; i < TIMED; i++) {
        long began = System.nanoTime();
        source.clippedSum(new StepRequest(TIMED + i, theta, THRESHOLD, key));
        seconds[Math.max(0, i)] = (System.nanoTime() - began) / 1e9;
      }
    }
    Arrays.sort(seconds);
    return seconds[TIMED / 2];
  }

  private Layout layout() {
    return timer.network().on(timer.examples().input());
  }

  private GradientSource open(Engine by, Units units, Sampler sampler) {
    Layout layout = layout();
    return by.source(
        layout,
        UnitRule.flat(layout),
        PrivateData.of(timer.examples(), units),
        sampler,
        // The same chunks for both.
        Grid.of(timer.lot(), engine.unitsPerChunk(layout), THRESHOLD));
  }

  private ClippedSum all(Engine by, int count) {
    float[] theta = layout().initial(Initialiser.values()[0], 1);
    try (GradientSource source = open(by, Units.each(count), new Sampler.Poisson(1, timer.lot()))) {
      return source.clippedSum(new StepRequest(1, theta, THRESHOLD, SamplingKey.insecure(1)));
    }
  }

  private static double[] values(ClippedSum sum) {
    return Arrays.stream(sum.integers())
        .mapToDouble(each -> Math.scalb((double) each, sum.exponent()))
        .toArray();
  }

  private static double distance(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(sum);
  }
}
