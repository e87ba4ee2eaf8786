package dev.discreet.core.privacy.draws;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BoxMullerTest {
  private static final int GROUPS = 4096;
  private static final double DEVIATION = 0x1p40;

  /** Bits among which some make a very small u, a largest one and an edge of the angle. */
  private static long[] bits() {
    SplittableRandom random = new SplittableRandom(7);
    long[] bits = random.longs(GROUPS * BoxMuller.GROUP).toArray();
    for (int i = 0; i < 400; i++) {
      bits[i * 37] >>>= random.nextInt(64);
    }
    bits[0] = 0;
    bits[1] = -1;
    bits[8] = 0;
    bits[9] = -1;
    return bits;
  }

  private static long[] run(BoxMuller normals, double deviation) {
    long[] integers = new long[GROUPS * BoxMuller.GROUP];
    SplittableRandom more = new SplittableRandom(8);
    normals.add(deviation, bits(), GROUPS, integers, 0, more::nextLong);
    return integers;
  }

  @Test
  void vectorsGiveTheSameNumbers() {
    for (double deviation : new double[] {0.3, 1e6, DEVIATION}) {
      assertArrayEquals(run(new BoxMuller(), deviation), run(new SimdBoxMuller(), deviation));
    }
  }

  /** Against the library's logarithm, sine and cosine. */
  @Test
  void theyAreThoseOfTheFormula() {
    long[] bits = bits();
    long[] integers = run(new BoxMuller(), DEVIATION);
    SplittableRandom more = new SplittableRandom(8);
    int fine = 0;
    for (int g = 0; g < bits.length; g += BoxMuller.GROUP) {
      for (int j = g; j < g + BoxMuller.HALF; j++) {
        double u = ((bits[j] >>> 12) + 0.5) * 0x1p-52;
        double logarithm = Math.log(u);
        if (u < 0x1p-8 || 1 - u < 0x1p-8) {
          double fraction = ((more.nextLong() >>> 11) + 0.5) * 0x1p-53;
          logarithm =
              u < 0.5
                  ? Math.log(((bits[j] >>> 12) + fraction) * 0x1p-52)
                  : Math.log1p(-((~bits[j] >>> 12) + fraction) * 0x1p-52);
          fine++;
        }
        double radius = Math.sqrt(-2 * logarithm);
        long turn = bits[j + BoxMuller.HALF];
        double x = (((turn >>> 12) + 0.5) * 0x1p-52 - 0.5) * Math.PI / 2;
        double cosine = radius * Math.cos(x) * ((turn & 1) == 1 ? -1 : 1);
        double sine = radius * Math.sin(x);
        boolean swapped = (turn >>> 1 & 1) == 1;
        double tolerance = 1e-14 * (1 + radius) + 1 / DEVIATION;
        assertEquals(swapped ? sine : cosine, integers[j] / DEVIATION, tolerance);
        assertEquals(swapped ? cosine : sine, integers[j + BoxMuller.HALF] / DEVIATION, tolerance);
      }
    }
    assertTrue(fine > 50, "small u were among them: " + fine);
  }
}
