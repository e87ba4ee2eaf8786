package dev.discreet.core.engine.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.TorchLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An engine's gradients against PyTorch's, saved by {@code bench/peers/gradients.py}, which states
 * the rule that makes parameters and inputs.
 */
abstract class PeerGradientChecks extends EngineChecks {
  PeerGradientChecks(EngineKit kit) {
    super(kit);
  }

  private static final int EXAMPLES = 3;

  /** One saved number. */
  private record Row(int example, String tensor, String quantity, int index, double value) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mnist-cnn | 28x28x1 | mnist-cnn",
        "cifar-cnn | 32x32x3 | cifar-cnn",
        "group-residual | 9x9x3 | conv(8,3,pad=1) groupnorm(4) relu"
            + " projected(conv(12,3,stride=2,pad=1) groupnorm(4) relu conv(12,3,pad=1) groupnorm(4))"
            + " relu globalavgpool dense(5)"
      })
  void sameAsPyTorch(String file, String shape, String network) {
    takesOneOf(3);
    String[] sides = shape.split("x");
    Shape input =
        new Shape(
            Integer.parseInt(sides[0]), Integer.parseInt(sides[1]), Integer.parseInt(sides[2]));
    Layout layout = Network.named(network).on(input);
    List<Row> rows = rows(file);
    Examples examples = examples(input);
    Map<String, float[]> parameters = parameters(layout);
    float[] theta = new float[layout.parameters()];
    for (TorchLayout.Tensor tensor : TorchLayout.of(layout).tensors()) {
      tensor.fromTorch(parameters.get(tensor.name()), theta);
    }
    for (Row row : rows) {
      if (row.quantity().equals("value") && row.example() < 0) {
        assertEquals(row.value(), parameters.get(row.tensor())[row.index()], 0, row.toString());
      } else if (row.quantity().equals("value") && row.tensor().equals("input")) {
        assertEquals(row.value(), unit(1000 + row.example(), row.index()), 1e-7, row.toString());
      }
    }
    try (PublicGradients engine = engine().open(layout, examples)) {
      for (int e = 0; e < EXAMPLES; e++) {
        compare(layout, theta, engine, e, rows);
      }
    }
  }

  private void compare(
      Layout layout, float[] theta, PublicGradients engine, int example, List<Row> all) {
    List<Row> rows = all.stream().filter(row -> row.example() == example).toList();
    int[] one = {example};
    float[] logits = engine.predict(theta, one);
    float[] gradient = engine.perExampleGradients(theta, one)[0];
    double[] sum = new double[theta.length];
    engine.gradientSum(theta, one, sum);
    Map<String, float[]> found = new TreeMap<>();
    Map<String, double[]> foundInSum = new TreeMap<>();
    for (TorchLayout.Tensor tensor : TorchLayout.of(layout).tensors()) {
      found.put(tensor.name(), tensor.toTorch(gradient));
      double[] values = new double[tensor.places().length];
      for (int i = 0; i < values.length; i++) {
        values[i] = sum[tensor.places()[i]];
      }
      foundInSum.put(tensor.name(), values);
    }
    Map<String, Double> norms = new TreeMap<>();
    rows.stream()
        .filter(row -> row.quantity().equals("squaredNorm"))
        .forEach(row -> norms.put(row.tensor(), Math.sqrt(row.value())));
    int compared = 0;
    for (Row row : rows) {
      String what = row.toString();
      if (row.tensor().equals("loss")) {
        close(row.value(), engine.loss(theta, one), row.value(), what);
      } else if (row.tensor().equals("logits")) {
        close(row.value(), logits[row.index()], 1, what);
      } else if (row.tensor().equals("all")) {
        close(row.value(), squaredNorm(gradient), row.value(), what);
      } else if (!row.tensor().equals("input")) {
        float[] values = found.get(row.tensor());
        double norm = norms.get(row.tensor());
        switch (row.quantity()) {
          case "squaredNorm" -> close(row.value(), squaredNorm(values), row.value(), what);
          case "sum" -> close(row.value(), sum(values), norm * Math.sqrt(values.length), what);
          default -> {
            close(row.value(), values[row.index()], norm, what);
            close(row.value(), foundInSum.get(row.tensor())[row.index()], norm, what);
          }
        }
      } else {
        continue;
      }
      compared++;
    }
    assertTrue(compared > 100, "only " + compared + " values compared");
  }

  private void close(double expected, double actual, double size, String what) {
    assertEquals(expected, actual, tolerance() / 2 * size, what);
  }

  private static double squaredNorm(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += (double) value * value;
    }
    return sum;
  }

  private static double sum(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    return sum;
  }

  // ---- the rule

  /** u of entry i of tensor number t. */
  private static double unit(int t, int i) {
    long mask = 0xffffffffL;
    long h = (i * 2654435761L + (t + 1) * 40503L * 65537L) & mask;
    h ^= h >>> 16;
    h = (h * 0x45d9f3bL) & mask;
    h ^= h >>> 16;
    return h / 0x1p32 - 0.5;
  }

  /** By name, in PyTorch's order. */
  private static Map<String, float[]> parameters(Layout layout) {
    Map<String, float[]> parameters = new LinkedHashMap<>();
    for (Layout.Slice slice : layout.slices()) {
      int t = parameters.size();
      float[] values = new float[slice.size()];
      for (int i = 0; i < values.length; i++) {
        double u = unit(t, i);
        values[i] =
            (float)
                switch (slice.parameter().role()) {
                  case WEIGHT -> u * 2 * (1 / Math.sqrt(slice.parameter().fanIn()));
                  case SCALE -> 1 + 0.2 * u;
                  case BIAS, SHIFT -> u * 2 * 0.1;
                };
      }
      parameters.put(slice.name(), values);
    }
    return parameters;
  }

  /** Inputs in our order, labels 0, 1, 2. */
  private static Examples examples(Shape shape) {
    float[] inputs = new float[EXAMPLES * shape.size()];
    for (int e = 0; e < EXAMPLES; e++) {
      for (int p = 0; p < shape.positions(); p++) {
        for (int c = 0; c < shape.channels(); c++) {
          inputs[e * shape.size() + p * shape.channels() + c] =
              (float) unit(1000 + e, c * shape.positions() + p);
        }
      }
    }
    return Examples.of(shape, inputs, 1, new float[] {0, 1, 2});
  }

  private static List<Row> rows(String file) {
    String path = "/dev/discreet/core/peers/" + file + ".csv";
    try (InputStream in = PeerGradientChecks.class.getResourceAsStream(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.startsWith("example,"))
          .map(line -> line.split(","))
          .map(
              cells ->
                  new Row(
                      Integer.parseInt(cells[0]),
                      cells[1],
                      cells[2],
                      Integer.parseInt(cells[3]),
                      Double.parseDouble(cells[4])))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
