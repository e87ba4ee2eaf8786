package dev.discreet.core.engine.cpu.internal.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Weight gradients from what {@link SimdPackedProducts} has laid side by side: n rows of a strip of
 * inputs, as wide as the block has rows, and n of a panel of deltas, two vectors wide.
 */
final class SimdPackedBlocks {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final int L = S.length();

  private SimdPackedBlocks() {}

  static void outer12x2(
      float[] strip,
      float[] panels,
      int p,
      int n,
      float[] gradient,
      int at,
      int stride,
      boolean add) {
    int g0 = at;
    int g1 = at + stride;
    int g2 = at + 2 * stride;
    int g3 = at + 3 * stride;
    int g4 = at + 4 * stride;
    int g5 = at + 5 * stride;
    int g6 = at + 6 * stride;
    int g7 = at + 7 * stride;
    int g8 = at + 8 * stride;
    int g9 = at + 9 * stride;
    int g10 = at + 10 * stride;
    int g11 = at + 11 * stride;
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    FloatVector a8 = a0;
    FloatVector a9 = a0;
    FloatVector a10 = a0;
    FloatVector a11 = a0;
    FloatVector b0 = a0;
    FloatVector b1 = a0;
    FloatVector b2 = a0;
    FloatVector b3 = a0;
    FloatVector b4 = a0;
    FloatVector b5 = a0;
    FloatVector b6 = a0;
    FloatVector b7 = a0;
    FloatVector b8 = a0;
    FloatVector b9 = a0;
    FloatVector b10 = a0;
    FloatVector b11 = a0;
    if (add) {
      a0 = FloatVector.fromArray(S, gradient, g0);
      a1 = FloatVector.fromArray(S, gradient, g1);
      a2 = FloatVector.fromArray(S, gradient, g2);
      a3 = FloatVector.fromArray(S, gradient, g3);
      a4 = FloatVector.fromArray(S, gradient, g4);
      a5 = FloatVector.fromArray(S, gradient, g5);
      a6 = FloatVector.fromArray(S, gradient, g6);
      a7 = FloatVector.fromArray(S, gradient, g7);
      a8 = FloatVector.fromArray(S, gradient, g8);
      a9 = FloatVector.fromArray(S, gradient, g9);
      a10 = FloatVector.fromArray(S, gradient, g10);
      a11 = FloatVector.fromArray(S, gradient, g11);
      b0 = FloatVector.fromArray(S, gradient, g0 + L);
      b1 = FloatVector.fromArray(S, gradient, g1 + L);
      b2 = FloatVector.fromArray(S, gradient, g2 + L);
      b3 = FloatVector.fromArray(S, gradient, g3 + L);
      b4 = FloatVector.fromArray(S, gradient, g4 + L);
      b5 = FloatVector.fromArray(S, gradient, g5 + L);
      b6 = FloatVector.fromArray(S, gradient, g6 + L);
      b7 = FloatVector.fromArray(S, gradient, g7 + L);
      b8 = FloatVector.fromArray(S, gradient, g8 + L);
      b9 = FloatVector.fromArray(S, gradient, g9 + L);
      b10 = FloatVector.fromArray(S, gradient, g10 + L);
      b11 = FloatVector.fromArray(S, gradient, g11 + L);
    }
    for (int r = 0; r < n; r++) {
      FloatVector x = FloatVector.fromArray(S, panels, p + r * 2 * L);
      FloatVector y = FloatVector.fromArray(S, panels, p + r * 2 * L + L);
      FloatVector v = FloatVector.broadcast(S, strip[12 * r]);
      a0 = v.fma(x, a0);
      b0 = v.fma(y, b0);
      v = FloatVector.broadcast(S, strip[12 * r + 1]);
      a1 = v.fma(x, a1);
      b1 = v.fma(y, b1);
      v = FloatVector.broadcast(S, strip[12 * r + 2]);
      a2 = v.fma(x, a2);
      b2 = v.fma(y, b2);
      v = FloatVector.broadcast(S, strip[12 * r + 3]);
      a3 = v.fma(x, a3);
      b3 = v.fma(y, b3);
      v = FloatVector.broadcast(S, strip[12 * r + 4]);
      a4 = v.fma(x, a4);
      b4 = v.fma(y, b4);
      v = FloatVector.broadcast(S, strip[12 * r + 5]);
      a5 = v.fma(x, a5);
      b5 = v.fma(y, b5);
      v = FloatVector.broadcast(S, strip[12 * r + 6]);
      a6 = v.fma(x, a6);
      b6 = v.fma(y, b6);
      v = FloatVector.broadcast(S, strip[12 * r + 7]);
      a7 = v.fma(x, a7);
      b7 = v.fma(y, b7);
      v = FloatVector.broadcast(S, strip[12 * r + 8]);
      a8 = v.fma(x, a8);
      b8 = v.fma(y, b8);
      v = FloatVector.broadcast(S, strip[12 * r + 9]);
      a9 = v.fma(x, a9);
      b9 = v.fma(y, b9);
      v = FloatVector.broadcast(S, strip[12 * r + 10]);
      a10 = v.fma(x, a10);
      b10 = v.fma(y, b10);
      v = FloatVector.broadcast(S, strip[12 * r + 11]);
      a11 = v.fma(x, a11);
      b11 = v.fma(y, b11);
    }
    // A sum of a loop has no class that Java 17 is sure of, and the heap takes what it is not.
    FloatVector nothing = FloatVector.broadcast(S, -0f);
    nothing.add(a0).intoArray(gradient, g0);
    nothing.add(b0).intoArray(gradient, g0 + L);
    nothing.add(a1).intoArray(gradient, g1);
    nothing.add(b1).intoArray(gradient, g1 + L);
    nothing.add(a2).intoArray(gradient, g2);
    nothing.add(b2).intoArray(gradient, g2 + L);
    nothing.add(a3).intoArray(gradient, g3);
    nothing.add(b3).intoArray(gradient, g3 + L);
    nothing.add(a4).intoArray(gradient, g4);
    nothing.add(b4).intoArray(gradient, g4 + L);
    nothing.add(a5).intoArray(gradient, g5);
    nothing.add(b5).intoArray(gradient, g5 + L);
    nothing.add(a6).intoArray(gradient, g6);
    nothing.add(b6).intoArray(gradient, g6 + L);
    nothing.add(a7).intoArray(gradient, g7);
    nothing.add(b7).intoArray(gradient, g7 + L);
    nothing.add(a8).intoArray(gradient, g8);
    nothing.add(b8).intoArray(gradient, g8 + L);
    nothing.add(a9).intoArray(gradient, g9);
    nothing.add(b9).intoArray(gradient, g9 + L);
    nothing.add(a10).intoArray(gradient, g10);
    nothing.add(b10).intoArray(gradient, g10 + L);
    nothing.add(a11).intoArray(gradient, g11);
    nothing.add(b11).intoArray(gradient, g11 + L);
  }
}
