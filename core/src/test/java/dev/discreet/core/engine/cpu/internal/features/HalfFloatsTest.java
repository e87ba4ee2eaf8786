package dev.discreet.core.engine.cpu.internal.features;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HalfFloatsTest {
  /** By the definition: fraction and exponent, every finite half. */
  @Test
  void everyHalfIsTheNumberThatItsBitsSay() {
    for (int bits = 0; bits < 0x10000; bits++) {
      int exponent = bits >> 10 & 31;
      int fraction = bits & 1023;
      if (exponent == 31) {
        continue;
      }
      double magnitude =
          exponent == 0
              ? Math.scalb((double) fraction, -24)
              : Math.scalb(1024.0 + fraction, exponent - 25);
      float value = (float) ((bits & 0x8000) == 0 ? magnitude : -magnitude);
      assertEquals(value, HalfFloats.toFloat((short) bits));
      assertEquals((short) bits, HalfFloats.of(value));
    }
  }

  @Test
  void roundsToTheNearestAndOfTwoToTheEvenOne() {
    assertEquals(1f, HalfFloats.rounded(1 + 0x1p-11f));
    assertEquals(1 + 0x1p-9f, HalfFloats.rounded(1 + 3 * 0x1p-11f));
    assertEquals(0f, HalfFloats.rounded(0x1p-25f));
    assertEquals(0x1p-23f, HalfFloats.rounded(3 * 0x1p-25f));
    assertEquals(0x1p-14f, HalfFloats.rounded(Math.nextDown(0x1p-14f)));
    assertEquals(2f, HalfFloats.rounded(Math.nextDown(2f)));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      float value = (float) Math.scalb(random.nextDouble(-1, 1), random.nextInt(-26, 16));
      double step = Math.scalb(1.0, Math.max(-14, Math.getExponent(value)) - 10);
      assertEquals((float) (Math.rint(value / step) * step), HalfFloats.rounded(value));
    }
  }
}
