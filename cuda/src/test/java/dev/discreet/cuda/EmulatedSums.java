package dev.discreet.cuda;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A program that adds up gradients by the engine {@code cuda} and by {@code cpu}, and prints how
 * far apart the sums are; where the driver is emulated, it runs without a device.
 */
final class EmulatedSums {
  private static final int UNITS = 10;

  /** Shapes and networks: every kind of layer, sizes that fill no tile. */
  private static final String[][] CASES = {
    {"9x9x4", "conv(20,3,groups=2,pad=1) tanh conv(8,3,stride=2) dense(70) tanh dense(10)"},
    {"33", "dense(130) elu(1.2) dense(66) gelu dropout(0.3) dense(10)"},
    {"1x7x1", "embedding(11,6) layernorm sigmoid dense(10)"},
    {
      "8x8x3",
      "conv(33,3,pad=1) groupnorm(3) leakyrelu(0.2)"
          + " projected(conv(40,3,stride=2,pad=1)) maxpool(2) residual(conv(40,1) tanh) avgpool(2)"
          + " flatten dense(10)"
    },
    {"5x4x3", "conv(17,2x3,stride=1x2) relu globalavgpool dense(10) loss=logistic"},
  };

  private EmulatedSums() {}

  public static void main(String[] arguments) {
    for (String[] each : CASES) {
      Layout layout = Network.parse(each[1]).on(Shape.parse(each[0]));
      boolean tokens = each[1].startsWith("embedding");
      for (boolean several : new boolean[] {false, true}) {
        for (double decay : new double[] {0, 0.1}) {
          System.out.println(
              distance(layout, tokens, several, decay)
                  + " "
                  + each[1]
                  + (several ? ", several examples" : "")
                  + ", decay "
                  + decay);
        }
      }
    }
  }

  private static double distance(Layout layout, boolean tokens, boolean several, double decay) {
    int[][] members = new int[UNITS][];
    int next = 0;
    for (int u = 0; u < UNITS; u++) {
      int size = several ? u % 4 : 1;
      members[u] = IntStream.range(next, next + size).toArray();
      next += size;
    }
    int size = layout.input().size();
    SplittableRandom random = new SplittableRandom(1);
    float[] inputs = new float[next * size];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = tokens ? random.nextInt(11) : (float) random.nextDouble(-1, 1);
    }
    float[] labels = new float[next];
    for (int i = 0; i < next; i++) {
      labels[i] = random.nextInt(10);
    }
    Units units = Units.of(IntStream.range(0, UNITS).asLongStream().toArray(), members);
    PrivateData data = PrivateData.of(Examples.of(layout.input(), inputs, 1, labels), units);
    long[] expected = integers(Engine.named("cpu").withThreads(1), layout, data, decay);
    long[] found = integers(new CudaEngine(), layout, data, decay);
    if (!Arrays.equals(found, integers(new CudaEngine(3), layout, data, decay))) {
      return Double.NaN;
    }
    double off = 0;
    double length = 0;
    for (int i = 0; i < found.length; i++) {
      off += Math.pow(found[i] - expected[i], 2);
      length += Math.pow(expected[i], 2);
    }
    return Math.sqrt(off / length);
  }

  private static long[] integers(Engine engine, Layout layout, PrivateData data, double decay) {
    int slices = layout.slices().size();
    int[] groups = IntStream.range(0, slices).map(s -> s % 3 == 2 ? -1 : s % 2).toArray();
    boolean[] decayed = new boolean[slices];
    Arrays.fill(decayed, true);
    UnitRule rule = new UnitRule(new ClippingRule.Flat(), groups, decay, decayed, true, true);
    double[] thresholds = new double[rule.groups()];
    Arrays.fill(thresholds, 0.3);
    try (GradientSource source =
        engine.source(
            layout, rule, data, new Sampler.Poisson(1, UNITS), new Grid(3, UNITS + 1, -23))) {
      return source
          .clippedSum(
              new StepRequest(
                  3,
                  layout.initial(Initialiser.values()[0], 3),
                  thresholds,
                  SamplingKey.insecure(7),
                  0.01))
          .integers()
          .clone();
    }
  }
}
