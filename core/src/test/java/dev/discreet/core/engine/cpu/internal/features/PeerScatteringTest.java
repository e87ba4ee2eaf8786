package dev.discreet.core.engine.cpu.internal.features;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.SimdKernels;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Features against those of Kymatio, saved by {@code bench/peers/scattering.py}, which states the
 * rule that makes images.
 */
class PeerScatteringTest {
  private record Case(Scattering layer, Shape input) {}

  @Test
  void sameAsKymatio() throws IOException {
    Map<Case, List<String[]>> cases = new LinkedHashMap<>();
    try (InputStream in =
        PeerScatteringTest.class.getResourceAsStream("/dev/discreet/core/peers/scattering.csv")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> Character.isDigit(line.charAt(0)))
          .map(line -> line.split(","))
          .forEach(
              cells ->
                  cases
                      .computeIfAbsent(
                          new Case(
                              new Scattering(number(cells, 0), number(cells, 1), 0),
                              new Shape(number(cells, 2), number(cells, 3), 1)),
                          each -> new ArrayList<>())
                      .add(cells));
    }
    assertEquals(6, cases.size());
    cases.forEach(
        (each, rows) -> {
          Shape output = each.layer().output(each.input());
          float[] found = features(each);
          for (String[] cells : rows) {
            double value = Double.parseDouble(cells[6]);
            float ours = found[number(cells, 5) * output.channels() + number(cells, 4)];
            // Half a step of a half, and what single precision loses on the way.
            assertEquals(value, ours, Math.abs(value) * 0x1p-11 + 2e-6, String.join(",", cells));
          }
        });
  }

  private static int number(String[] cells, int at) {
    return Integer.parseInt(cells[at]);
  }

  private static float[] features(Case of) {
    Kernels kernels = new SimdKernels();
    float[] image = new float[of.input().size() + Kernels.SLACK];
    for (int i = 0; i < of.input().size(); i++) {
      image[i] = 7 * i % 11 / 8f;
    }
    float[] features = new float[of.layer().output(of.input()).size() + Kernels.SLACK];
    new ScatteringTransform(kernels, new ScatteringFilters(of.layer(), of.input(), kernels))
        .apply(image, 0, features, 0);
    return features;
  }
}
