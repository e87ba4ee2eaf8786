package dev.discreet.spark;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PartialSums;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How a machine rounds: the integers that it gets for a small step of public numbers. A task that
 * runs again on another machine gives the same sum only where both round alike, and so does the
 * whole where a unit's bucket moves. Another Java, or another processor, may not.
 */
final class Arithmetic {
  static final String REFUSAL =
      "executors must compute as the driver does, to the last bit; one has another Java or another"
          + " processor. The step was refused";

  private static final Map<Integer, Long> KNOWN = new ConcurrentHashMap<>();
  private static final int COUNT = 48;

  private Arithmetic() {}

  /** The digest of this machine, computed once in the life of its JVM. */
  static long digest(int lanes) {
    return KNOWN.computeIfAbsent(lanes, Arithmetic::compute);
  }

  private static long compute(int lanes) {
    Layout layout =
        Network.parse(
                "conv(9,3,pad=1) groupnorm(3) gelu maxpool(2) conv(5,2) tanh flatten dense(21)"
                    + " sigmoid dense(18) elu(1.1) dropout(0.2) dense(4)")
            .on(new Shape(6, 6, 2));
    float[] inputs = new float[COUNT * layout.input().size()];
    float[] labels = new float[COUNT];
    float[] theta = new float[layout.parameters()];
    fill(inputs, 1, 2);
    fill(theta, 2, 0.7f);
    for (int i = 0; i < COUNT; i++) {
      labels[i] = i % 4;
    }
    Examples examples = Examples.of(layout.input(), inputs, 1, labels);
    StepRequest request = new StepRequest(1, theta, 0.9, SamplingKey.ofWorker(new byte[16]));
    long digest = 17;
    try (PartialSums sums =
        Engine.named("cpu")
            .withThreads(1)
            .partialSums(
                layout,
                UnitRule.flat(layout),
                1,
                new Sampler.FullBatch(COUNT),
                Grid.of(COUNT, 12, 1),
                lanes)) {
      ClippedSum sum = sums.clippedSum(request, PrivateData.of(examples, Units.each(COUNT)));
      for (long integer : sum.integers()) {
        digest = (digest ^ integer) * 0x9E3779B97F4A7C15L;
        digest ^= digest >>> 32;
      }
    }
    return digest;
  }

  /** Numbers in (−size, size), the same everywhere. */
  private static void fill(float[] to, long seed, float size) {
    long state = seed;
    for (int i = 0; i < to.length; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      to[i] = size * ((state >>> 40) * 0x1p-23f - 1);
    }
  }
}
