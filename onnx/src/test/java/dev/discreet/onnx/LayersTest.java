package dev.discreet.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.kit.RandomNetworks;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Every kind of layer computes in onnxruntime what it computes here.
 *
 * <p>Both add up floats, in different orders. So they differ by some units in the last place of the
 * largest term, which is 6e-8 of it; a sum of some thousand terms, a few layers, and norms that
 * divide by a small deviation make more of it. The tolerance is 1e-4 of the largest output.
 */
class LayersTest {
  private static final double TOLERANCE = 1e-4;

  private static Model model(Layout layout, long seed) {
    float[] parameters = layout.initial(Initialiser.PYTORCH_UNIFORM, seed);
    SplittableRandom random = new SplittableRandom(seed);
    // So that scales are not all 1, nor shifts and biases 0.
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += (float) (0.2 * random.nextGaussian());
    }
    return new Model(layout, parameters, ModelPrivacy.none("NOT PRIVATE: random numbers."));
  }

  private static float[] inputs(Layout layout, int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[rows * layout.input().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          layout.network().layers().get(0) instanceof Layer.Embedding embedding
              ? random.nextInt(embedding.vocabulary())
              : (float) random.nextGaussian();
    }
    return values;
  }

  private static float[] ours(Model model, float[] inputs, int rows) {
    Examples examples = Examples.of(model.layout().input(), inputs, 1, new float[rows]);
    int[] all = new int[rows];
    Arrays.setAll(all, i -> i);
    try (PublicGradients engine = Engine.standard().open(model.layout(), examples)) {
      return engine.predict(model.parameters(), all);
    }
  }

  private static Map<String, Object> theirs(Served served, Layout layout, float[] in, int rows)
      throws Exception {
    Shape shape = layout.input();
    if (layout.network().layers().get(0) instanceof Layer.Embedding) {
      long[][] tokens = new long[rows][shape.size()];
      for (int i = 0; i < in.length; i++) {
        tokens[i / shape.size()][i % shape.size()] = (long) in[i];
      }
      return served.of(Map.of("tokens", tokens));
    }
    return shape.positions() == 1
        ? served.of("inputs", in, rows, shape.channels())
        : served.of("inputs", in, rows, shape.height(), shape.width(), shape.channels());
  }

  /** Raw outputs, of a network whose loss leaves them as they are. */
  private static double check(Layout layout, long seed) throws Exception {
    Model model = model(layout, seed);
    double worst = 0;
    try (Served served = new Served(OnnxExport.of(model).bytes())) {
      for (int rows : new int[] {1, 33}) {
        float[] in = inputs(layout, rows, seed + rows);
        float[] expected = ours(model, in, rows);
        Map<String, Object> told = theirs(served, layout, in, rows);
        double[] found =
            layout.outputs() == 1
                ? (double[]) told.get("value")
                : Arrays.stream((float[][]) told.get("scores"))
                    .flatMapToDouble(
                        row ->
                            java.util.stream.IntStream.range(0, row.length)
                                .mapToDouble(i -> row[i]))
                    .toArray();
        assertEquals(expected.length, found.length, layout::toString);
        double largest = 1;
        for (float each : expected) {
          largest = Math.max(largest, Math.abs(each));
        }
        for (int i = 0; i < found.length; i++) {
          worst = Math.max(worst, Math.abs(found[i] - expected[i]) / largest);
        }
      }
    }
    return worst;
  }

  @Test
  void randomNetworksAgree() throws Exception {
    double worst = 0;
    long at = 0;
    for (long seed = 0; seed < 400; seed++) {
      Layout drawn = RandomNetworks.layout(seed);
      Layout layout =
          new Network(drawn.network().layers(), new Loss.SquaredError()).on(drawn.input());
      double off = check(layout, seed);
      if (off > worst) {
        worst = off;
        at = seed;
        System.err.println(off + " " + layout.network() + " on " + layout.input());
      }
    }
    assertTrue(worst < TOLERANCE, worst + " at seed " + at);
  }
}
