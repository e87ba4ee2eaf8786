package dev.discreet.core.privacy.overtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Factors against those of bench/oracles/banded_factor.py, which has dense matrices. */
class BandedFactorTest {
  static List<String> cases() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                BandedFactorTest.class.getResourceAsStream("banded_factor.csv"),
                StandardCharsets.UTF_8))) {
      return lines.lines().skip(1).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** sens·‖A·C⁻¹‖, with 1 for C = I and a sensitivity of 1. */
  private static double error(SharedNoise noise) {
    return noise.sensitivity() * Math.sqrt(noise.charges()) * noise.error();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noBandedFactorIsMuchBetter(String line) {
    String[] each = line.split(",", -1);
    int steps = Integer.parseInt(each[0]);
    int period = Integer.parseInt(each[1]);
    int bands = Integer.parseInt(each[2]);
    double found = error(SharedNoise.of(NoiseOverTime.banded(bands), steps, period));
    double toeplitz = Double.parseDouble(each[3]);
    // Coefficients are rounded to 64ths.
    assertTrue(found <= toeplitz * 1.002, () -> found + " instead of " + toeplitz);
    assertTrue(found >= toeplitz * 0.999, () -> found + " is below the least, " + toeplitz);
    if (!each[4].isEmpty()) {
      double banded = Double.parseDouble(each[4]);
      assertTrue(found >= banded * 0.999, () -> found + " is below the least, " + banded);
      assertTrue(found <= banded * 1.04, () -> found + " instead of " + banded);
    }
  }

  @Test
  void moreBandsAreNoWorse() {
    double before = Double.POSITIVE_INFINITY;
    for (int bands : new int[] {1, 2, 4, 8, 16, 32, 64, 128}) {
      double now = error(SharedNoise.of(NoiseOverTime.banded(bands), 500, 500));
      assertTrue(now < before * 1.001, bands + " bands");
      before = now;
    }
  }

  @Test
  void oneBandIsIndependentNoise() {
    SharedNoise none = SharedNoise.of(NoiseOverTime.banded(1), 300, 1);
    assertEquals(List.of(64), none.coefficients());
    assertEquals(1, none.sensitivity(), 1e-11);
    assertEquals(300, none.charges());
    assertEquals(1, none.error(), 1e-12);
    assertEquals(1, none.spread(299), 1e-12);
  }

  @Test
  void aLongRunIsFoundInTime() {
    SharedNoise noise = SharedNoise.of(NoiseOverTime.banded(512), 5000, 250);
    assertTrue(IntStream.range(0, 512).allMatch(j -> noise.coefficients().get(j) >= 0));
    // Without bands the square root has ‖c‖² = Σ (binom(2j, j)/4^j)² (Henzinger et al. 2023).
    double[] root = new double[5000];
    root[0] = 1;
    for (int j = 1; j < root.length; j++) {
      root[j] = root[j - 1] * (2 * j - 1) / (2.0 * j);
    }
    double once = BandedFactor.squares(root);
    double spread = 0;
    for (int t = 0; t < root.length; t++) {
      spread += (5000 - t) * root[t] * root[t];
    }
    double unbanded = Math.sqrt(once * spread / (5000 * 5001 / 2.0));
    double found = error(SharedNoise.of(NoiseOverTime.banded(1024), 5000, 5000));
    assertTrue(found < unbanded * 1.06 && found > unbanded * 0.9, found + ", " + unbanded);
  }
}
