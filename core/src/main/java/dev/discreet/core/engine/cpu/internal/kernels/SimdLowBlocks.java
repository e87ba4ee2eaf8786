package dev.discreet.core.engine.cpu.internal.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * As {@link SimdRunBlocks} and {@link SimdTallBlocks}, for sixteen registers: with more rows a sum
 * would lie in memory.
 */
final class SimdLowBlocks {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final int L = S.length();

  private SimdLowBlocks() {}

  static void multiply6x2(
      float[] in,
      int[] base,
      int r,
      int last,
      int shift,
      int run,
      float[] data,
      int p,
      boolean first,
      float[] out,
      int[] outBase,
      int outRow,
      int outLast,
      int outAt) {
    int i0 = base[r] + shift;
    int i1 = base[Math.min(r + 1, last)] + shift;
    int i2 = base[Math.min(r + 2, last)] + shift;
    int i3 = base[Math.min(r + 3, last)] + shift;
    int i4 = base[Math.min(r + 4, last)] + shift;
    int i5 = base[Math.min(r + 5, last)] + shift;
    int o0 = outAt + outBase[outRow];
    int o1 = outAt + outBase[Math.min(outRow + 1, outLast)];
    int o2 = outAt + outBase[Math.min(outRow + 2, outLast)];
    int o3 = outAt + outBase[Math.min(outRow + 3, outLast)];
    int o4 = outAt + outBase[Math.min(outRow + 4, outLast)];
    int o5 = outAt + outBase[Math.min(outRow + 5, outLast)];
    float[] from = first ? data : out;
    int bias = p - 2 * L;
    FloatVector a0 = FloatVector.fromArray(S, from, first ? bias : o0);
    FloatVector a1 = FloatVector.fromArray(S, from, first ? bias : o1);
    FloatVector a2 = FloatVector.fromArray(S, from, first ? bias : o2);
    FloatVector a3 = FloatVector.fromArray(S, from, first ? bias : o3);
    FloatVector a4 = FloatVector.fromArray(S, from, first ? bias : o4);
    FloatVector a5 = FloatVector.fromArray(S, from, first ? bias : o5);
    FloatVector b0 = FloatVector.fromArray(S, from, (first ? bias : o0) + L);
    FloatVector b1 = FloatVector.fromArray(S, from, (first ? bias : o1) + L);
    FloatVector b2 = FloatVector.fromArray(S, from, (first ? bias : o2) + L);
    FloatVector b3 = FloatVector.fromArray(S, from, (first ? bias : o3) + L);
    FloatVector b4 = FloatVector.fromArray(S, from, (first ? bias : o4) + L);
    FloatVector b5 = FloatVector.fromArray(S, from, (first ? bias : o5) + L);
    for (int k = 0; k < run; k++) {
      FloatVector x = FloatVector.fromArray(S, data, p + k * 2 * L);
      FloatVector y = FloatVector.fromArray(S, data, p + k * 2 * L + L);
      FloatVector v = FloatVector.broadcast(S, in[i0 + k]);
      a0 = v.fma(x, a0);
      b0 = v.fma(y, b0);
      v = FloatVector.broadcast(S, in[i1 + k]);
      a1 = v.fma(x, a1);
      b1 = v.fma(y, b1);
      v = FloatVector.broadcast(S, in[i2 + k]);
      a2 = v.fma(x, a2);
      b2 = v.fma(y, b2);
      v = FloatVector.broadcast(S, in[i3 + k]);
      a3 = v.fma(x, a3);
      b3 = v.fma(y, b3);
      v = FloatVector.broadcast(S, in[i4 + k]);
      a4 = v.fma(x, a4);
      b4 = v.fma(y, b4);
      v = FloatVector.broadcast(S, in[i5 + k]);
      a5 = v.fma(x, a5);
      b5 = v.fma(y, b5);
    }
    // A sum of a loop has no class that Java 17 is sure of, and the heap takes what it is not.
    FloatVector nothing = FloatVector.broadcast(S, -0f);
    nothing.add(a0).intoArray(out, o0);
    nothing.add(b0).intoArray(out, o0 + L);
    nothing.add(a1).intoArray(out, o1);
    nothing.add(b1).intoArray(out, o1 + L);
    nothing.add(a2).intoArray(out, o2);
    nothing.add(b2).intoArray(out, o2 + L);
    nothing.add(a3).intoArray(out, o3);
    nothing.add(b3).intoArray(out, o3 + L);
    nothing.add(a4).intoArray(out, o4);
    nothing.add(b4).intoArray(out, o4 + L);
    nothing.add(a5).intoArray(out, o5);
    nothing.add(b5).intoArray(out, o5 + L);
  }

  static void multiply4x2(
      float[] in,
      int[] base,
      int r,
      int last,
      int shift,
      int run,
      float[] data,
      int p,
      boolean first,
      float[] out,
      int[] outBase,
      int outRow,
      int outLast,
      int outAt) {
    int i0 = base[r] + shift;
    int i1 = base[Math.min(r + 1, last)] + shift;
    int i2 = base[Math.min(r + 2, last)] + shift;
    int i3 = base[Math.min(r + 3, last)] + shift;
    int o0 = outAt + outBase[outRow];
    int o1 = outAt + outBase[Math.min(outRow + 1, outLast)];
    int o2 = outAt + outBase[Math.min(outRow + 2, outLast)];
    int o3 = outAt + outBase[Math.min(outRow + 3, outLast)];
    float[] from = first ? data : out;
    int bias = p - 2 * L;
    FloatVector a0 = FloatVector.fromArray(S, from, first ? bias : o0);
    FloatVector a1 = FloatVector.fromArray(S, from, first ? bias : o1);
    FloatVector a2 = FloatVector.fromArray(S, from, first ? bias : o2);
    FloatVector a3 = FloatVector.fromArray(S, from, first ? bias : o3);
    FloatVector b0 = FloatVector.fromArray(S, from, (first ? bias : o0) + L);
    FloatVector b1 = FloatVector.fromArray(S, from, (first ? bias : o1) + L);
    FloatVector b2 = FloatVector.fromArray(S, from, (first ? bias : o2) + L);
    FloatVector b3 = FloatVector.fromArray(S, from, (first ? bias : o3) + L);
    for (int k = 0; k < run; k++) {
      FloatVector x = FloatVector.fromArray(S, data, p + k * 2 * L);
      FloatVector y = FloatVector.fromArray(S, data, p + k * 2 * L + L);
      FloatVector v = FloatVector.broadcast(S, in[i0 + k]);
      a0 = v.fma(x, a0);
      b0 = v.fma(y, b0);
      v = FloatVector.broadcast(S, in[i1 + k]);
      a1 = v.fma(x, a1);
      b1 = v.fma(y, b1);
      v = FloatVector.broadcast(S, in[i2 + k]);
      a2 = v.fma(x, a2);
      b2 = v.fma(y, b2);
      v = FloatVector.broadcast(S, in[i3 + k]);
      a3 = v.fma(x, a3);
      b3 = v.fma(y, b3);
    }
    // A sum of a loop has no class that Java 17 is sure of, and the heap takes what it is not.
    FloatVector nothing = FloatVector.broadcast(S, -0f);
    nothing.add(a0).intoArray(out, o0);
    nothing.add(b0).intoArray(out, o0 + L);
    nothing.add(a1).intoArray(out, o1);
    nothing.add(b1).intoArray(out, o1 + L);
    nothing.add(a2).intoArray(out, o2);
    nothing.add(b2).intoArray(out, o2 + L);
    nothing.add(a3).intoArray(out, o3);
    nothing.add(b3).intoArray(out, o3 + L);
  }

  static void outer4x2(
      float[] in,
      int[] base,
      int shift,
      float[] delta,
      int[] deltaBase,
      int deltaAt,
      int from,
      int to,
      float[] gradient,
      int at,
      int stride,
      int row,
      int last,
      boolean add) {
    int g0 = at + row * stride;
    int g1 = at + Math.min(row + 1, last) * stride;
    int g2 = at + Math.min(row + 2, last) * stride;
    int g3 = at + Math.min(row + 3, last) * stride;
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector b0 = a0;
    FloatVector b1 = a0;
    FloatVector b2 = a0;
    FloatVector b3 = a0;
    if (add) {
      a0 = FloatVector.fromArray(S, gradient, g0);
      a1 = FloatVector.fromArray(S, gradient, g1);
      a2 = FloatVector.fromArray(S, gradient, g2);
      a3 = FloatVector.fromArray(S, gradient, g3);
      b0 = FloatVector.fromArray(S, gradient, g0 + L);
      b1 = FloatVector.fromArray(S, gradient, g1 + L);
      b2 = FloatVector.fromArray(S, gradient, g2 + L);
      b3 = FloatVector.fromArray(S, gradient, g3 + L);
    }
    for (int r = from; r < to; r++) {
      int d = deltaAt + deltaBase[r];
      FloatVector x = FloatVector.fromArray(S, delta, d);
      FloatVector y = FloatVector.fromArray(S, delta, d + L);
      int i = base[r] + shift;
      FloatVector v = FloatVector.broadcast(S, in[i]);
      a0 = v.fma(x, a0);
      b0 = v.fma(y, b0);
      v = FloatVector.broadcast(S, in[i + 1]);
      a1 = v.fma(x, a1);
      b1 = v.fma(y, b1);
      v = FloatVector.broadcast(S, in[i + 2]);
      a2 = v.fma(x, a2);
      b2 = v.fma(y, b2);
      v = FloatVector.broadcast(S, in[i + 3]);
      a3 = v.fma(x, a3);
      b3 = v.fma(y, b3);
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
  }
}
