package dev.discreet.core.engine.cpu.internal.features;

/** Half precision (IEEE 754 binary16) for finite numbers up to 65504. Java 17 has none. */
final class HalfFloats {
  /** 2¹¹²: what moves the exponent of a float with the bits of a half into its place. */
  private static final float SHIFT = 0x1p112f;

  private HalfFloats() {}

  /**
   * The nearest half, of two the even one. Numbers beyond 65504, and NaN, have no business here.
   */
  static short of(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = bits >>> 16 & 0x8000;
    // The steps of a half near its smallest normal number are those of all that lie below.
    float magnitude = Math.abs(value);
    if (magnitude < 0x1p-14f) {
      return (short) (sign | (int) Math.rint(magnitude * 0x1p24f));
    }
    int exact = Float.floatToRawIntBits(magnitude);
    int even = exact + 0xfff + (exact >>> 13 & 1);
    return (short) (sign | (even >>> 13) - (112 << 10));
  }

  static float toFloat(short half) {
    float magnitude = Float.intBitsToFloat((half & 0x7fff) << 13) * SHIFT;
    return half < 0 ? -magnitude : magnitude;
  }

  /** The nearest half, as a float. */
  static float rounded(float value) {
    return toFloat(of(value));
  }
}
