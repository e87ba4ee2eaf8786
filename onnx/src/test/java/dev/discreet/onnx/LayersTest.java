package dev.discreet.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
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
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  private static double off(Layout layout, long seed) throws Exception {
    Model model = model(layout, seed);
    double worst = 0;
    for (int rows : new int[] {1, 33}) {
      worst = Math.max(worst, off(model, model, inputs(layout, rows, seed + rows), rows));
    }
    return worst;
  }

  /** How far off the one that is served is, as a share of the largest output. */
  private static double off(Model ours, Model exported, float[] in, int rows) throws Exception {
    float[] expected = ours(ours, in, rows);
    Object told;
    Layout layout = exported.layout();
    try (Served served = new Served(OnnxExport.of(exported).bytes())) {
      Map<String, Object> all = theirs(served, layout, in, rows);
      told = all.get(layout.outputs() == 1 ? "value" : "scores");
    }
    double largest = 1;
    for (float each : expected) {
      largest = Math.max(largest, Math.abs(each));
    }
    double worst = 0;
    for (int i = 0; i < expected.length; i++) {
      double found =
          layout.outputs() == 1
              ? ((double[]) told)[i]
              : ((float[][]) told)[i / layout.outputs()][i % layout.outputs()];
      worst = Math.max(worst, Math.abs(found - expected[i]) / largest);
    }
    return worst;
  }

  private static Layout numbers(List<Layer> layers, Shape input) {
    return new Network(layers, new Loss.SquaredError()).on(input);
  }

  /** Networks of every kind of layer: one that is new is drawn here, or this fails. */
  @Test
  void randomNetworksAgree() throws Exception {
    Set<Class<?>> met = new HashSet<>();
    for (long seed = 0; seed < 150; seed++) {
      Layout drawn = RandomNetworks.layout(seed);
      drawn.allNodes().forEach(node -> met.add(node.layer().getClass()));
      List<Layer> layers = new ArrayList<>(drawn.network().layers());
      if (seed % 3 == 0) {
        layers.add(layers.size() - 1, new Layer.Flatten());
        met.add(Layer.Flatten.class);
      }
      Layout layout = numbers(layers, drawn.input());
      double off = off(layout, seed);
      assertTrue(off < TOLERANCE, off + ": " + layout.network() + " on " + layout.input());
    }
    // Which ONNX does not have: featuresAreRefusedByName.
    met.add(Scattering.class);
    assertEquals(kinds(Layer.class).collect(Collectors.toSet()), met);
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(LayersTest::kinds)
        : Stream.of(type);
  }

  /** Where the order of values matters, or a shape has no positions. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " on ",
      value = {
        "conv(6,3,pad=1) flatten groupnorm(3) dense(4) on 6x5x4",
        "conv(6,3,pad=1) flatten layernorm dense(4) on 6x5x4",
        "conv(6,3,pad=1) shift conv(5,2) flatten shift dense(4) on 6x5x4",
        "flatten conv(5,1) groupnorm(5) flatten dense(4) on 6x5x4",
        "conv(8,3x2,stride=2x1,pad=2x1,groups=4,standardised=true) gelu maxpool(2,stride=1,pad=1) dense(4) on 6x5x4",
        "flatten residual(flatten conv(120,1)) dense(4) on 6x5x4",
        "projected(projected(conv(2,3,stride=2,pad=1) relu) conv(2,1) dropout(0.5)) globalavgpool on 6x5x4",
        "residual(dense(7) elu(-0.5)) groupnorm(7) dense(4) on 7",
        "embedding(9,4) layernorm conv(5,1x3,pad=0x1) leakyrelu(-2) avgpool(1x2) dense(4) on 1x6x1",
        "mnist-cnn on 28x28x1",
        "cifar-cnn on 32x32x3",
        "mlp(20,10,classes=10) on 28x28x1"
      })
  void theseNetworksAgree(String network, String input) throws Exception {
    Shape shape = Shape.parse(input);
    Layout layout = numbers(Network.named(network).layers(), shape);
    double off = off(layout, 1);
    assertTrue(off < TOLERANCE, off + ": " + layout.network());
  }

  /** The tolerance would notice a layer that is a little wrong. */
  @Test
  void anotherParameterIsNoticed() throws Exception {
    Layout layout = Network.parse("conv(4,3) relu dense(3) loss=squared").on(new Shape(6, 6, 2));
    Model model = model(layout, 1);
    float[] other = model.parameters();
    other[0] += 0.01f;
    float[] in = inputs(layout, 20, 2);
    assertTrue(off(model, new Model(layout, other, model.promise()), in, 20) > 3 * TOLERANCE);
    assertTrue(off(model, model, in, 20) < TOLERANCE);
  }

  @Test
  void featuresAreRefusedByName() {
    Layout layout = Network.parse("scattering(1,2) flatten dense(2)").on(new Shape(4, 4, 1));
    assertEquals(
        "layer 0 of an exported network must be one that ONNX has (--features none trains a model"
            + " without it). Provided value: scattering(1,2)",
        assertThrows(IllegalArgumentException.class, () -> OnnxExport.of(model(layout, 1)))
            .getMessage());
  }

  @Test
  void aTokenThatIsNoneIsRefused() throws Exception {
    Layout layout = Network.parse("embedding(5,2) dense(2)").on(new Shape(1, 3, 1));
    try (Served served = new Served(OnnxExport.of(model(layout, 1)).bytes())) {
      for (long none : new long[] {-1, 5}) {
        String said =
            assertThrows(
                    OrtException.class,
                    () -> served.of(Map.of("tokens", new long[][] {{0, none, 4}})))
                .getMessage();
        assertTrue(said.contains("a token must be a whole number in [0, 4]"), said);
      }
    }
  }
}
