package dev.discreet.core.engine.cpu.internal.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The blocks of {@link SimdProducts} for values that lie anywhere. They are long because they are
 * unrolled by hand: vectors in an array would live in memory.
 */
final class SimdScatteredBlocks {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final int L = S.length();

  private SimdScatteredBlocks() {}

  static void multiply8x2(
      float[] in,
      int[] base,
      int r,
      int last,
      int[] offset,
      float[] data,
      int panel,
      int depth,
      float[] out,
      int[] outBase,
      int outRow,
      int outLast,
      int outAt) {
    int i0 = base[r];
    int i1 = base[Math.min(r + 1, last)];
    int i2 = base[Math.min(r + 2, last)];
    int i3 = base[Math.min(r + 3, last)];
    int i4 = base[Math.min(r + 4, last)];
    int i5 = base[Math.min(r + 5, last)];
    int i6 = base[Math.min(r + 6, last)];
    int i7 = base[Math.min(r + 7, last)];
    int p = panel;
    FloatVector a0 = FloatVector.fromArray(S, data, p);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    FloatVector b0 = FloatVector.fromArray(S, data, p + L);
    FloatVector b1 = b0;
    FloatVector b2 = b0;
    FloatVector b3 = b0;
    FloatVector b4 = b0;
    FloatVector b5 = b0;
    FloatVector b6 = b0;
    FloatVector b7 = b0;
    for (int k = 0; k < depth; k++) {
      p += 2 * L;
      FloatVector x = FloatVector.fromArray(S, data, p);
      FloatVector y = FloatVector.fromArray(S, data, p + L);
      int f = offset[k];
      FloatVector v = FloatVector.broadcast(S, in[i0 + f]);
      a0 = v.fma(x, a0);
      b0 = v.fma(y, b0);
      v = FloatVector.broadcast(S, in[i1 + f]);
      a1 = v.fma(x, a1);
      b1 = v.fma(y, b1);
      v = FloatVector.broadcast(S, in[i2 + f]);
      a2 = v.fma(x, a2);
      b2 = v.fma(y, b2);
      v = FloatVector.broadcast(S, in[i3 + f]);
      a3 = v.fma(x, a3);
      b3 = v.fma(y, b3);
      v = FloatVector.broadcast(S, in[i4 + f]);
      a4 = v.fma(x, a4);
      b4 = v.fma(y, b4);
      v = FloatVector.broadcast(S, in[i5 + f]);
      a5 = v.fma(x, a5);
      b5 = v.fma(y, b5);
      v = FloatVector.broadcast(S, in[i6 + f]);
      a6 = v.fma(x, a6);
      b6 = v.fma(y, b6);
      v = FloatVector.broadcast(S, in[i7 + f]);
      a7 = v.fma(x, a7);
      b7 = v.fma(y, b7);
    }
    int o = outAt + outBase[outRow];
    // A sum of a loop has no class that Java 17 is sure of, and the heap takes what it is not.
    FloatVector nothing = FloatVector.broadcast(S, -0f);
    nothing.add(a0).intoArray(out, o);
    nothing.add(b0).intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 1, outLast)];
    nothing.add(a1).intoArray(out, o);
    nothing.add(b1).intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 2, outLast)];
    nothing.add(a2).intoArray(out, o);
    nothing.add(b2).intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 3, outLast)];
    nothing.add(a3).intoArray(out, o);
    nothing.add(b3).intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 4, outLast)];
    nothing.add(a4).intoArray(out, o);
    nothing.add(b4).intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 5, outLast)];
    nothing.add(a5).intoArray(out, o);
    nothing.add(b5).intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 6, outLast)];
    nothing.add(a6).intoArray(out, o);
    nothing.add(b6).intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 7, outLast)];
    nothing.add(a7).intoArray(out, o);
    nothing.add(b7).intoArray(out, o + L);
  }

  /**
   * @param twice whether the panel is two vectors wide
   */
  static void multiply8x1(
      float[] in,
      int[] base,
      int r,
      int last,
      int[] offset,
      float[] data,
      int panel,
      boolean twice,
      int depth,
      float[] out,
      int[] outBase,
      int outRow,
      int outLast,
      int outAt) {
    int i0 = base[r];
    int i1 = base[Math.min(r + 1, last)];
    int i2 = base[Math.min(r + 2, last)];
    int i3 = base[Math.min(r + 3, last)];
    int i4 = base[Math.min(r + 4, last)];
    int i5 = base[Math.min(r + 5, last)];
    int i6 = base[Math.min(r + 6, last)];
    int i7 = base[Math.min(r + 7, last)];
    int p = panel;
    FloatVector a0 = FloatVector.fromArray(S, data, p);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    for (int k = 0; k < depth; k++) {
      p += twice ? 2 * L : L;
      FloatVector x = FloatVector.fromArray(S, data, p);
      int f = offset[k];
      FloatVector v = FloatVector.broadcast(S, in[i0 + f]);
      a0 = v.fma(x, a0);
      v = FloatVector.broadcast(S, in[i1 + f]);
      a1 = v.fma(x, a1);
      v = FloatVector.broadcast(S, in[i2 + f]);
      a2 = v.fma(x, a2);
      v = FloatVector.broadcast(S, in[i3 + f]);
      a3 = v.fma(x, a3);
      v = FloatVector.broadcast(S, in[i4 + f]);
      a4 = v.fma(x, a4);
      v = FloatVector.broadcast(S, in[i5 + f]);
      a5 = v.fma(x, a5);
      v = FloatVector.broadcast(S, in[i6 + f]);
      a6 = v.fma(x, a6);
      v = FloatVector.broadcast(S, in[i7 + f]);
      a7 = v.fma(x, a7);
    }
    int o = outAt + outBase[outRow];
    // A sum of a loop has no class that Java 17 is sure of, and the heap takes what it is not.
    FloatVector nothing = FloatVector.broadcast(S, -0f);
    nothing.add(a0).intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 1, outLast)];
    nothing.add(a1).intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 2, outLast)];
    nothing.add(a2).intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 3, outLast)];
    nothing.add(a3).intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 4, outLast)];
    nothing.add(a4).intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 5, outLast)];
    nothing.add(a5).intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 6, outLast)];
    nothing.add(a6).intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 7, outLast)];
    nothing.add(a7).intoArray(out, o);
  }

  static void outer8x2(
      float[] in,
      int[] base,
      int[] offset,
      int k,
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
    int top = offset.length - 1;
    int f0 = offset[k];
    int f1 = offset[Math.min(k + 1, top)];
    int f2 = offset[Math.min(k + 2, top)];
    int f3 = offset[Math.min(k + 3, top)];
    int f4 = offset[Math.min(k + 4, top)];
    int f5 = offset[Math.min(k + 5, top)];
    int f6 = offset[Math.min(k + 6, top)];
    int f7 = offset[Math.min(k + 7, top)];
    int g0 = at + row * stride;
    int g1 = at + Math.min(row + 1, last) * stride;
    int g2 = at + Math.min(row + 2, last) * stride;
    int g3 = at + Math.min(row + 3, last) * stride;
    int g4 = at + Math.min(row + 4, last) * stride;
    int g5 = at + Math.min(row + 5, last) * stride;
    int g6 = at + Math.min(row + 6, last) * stride;
    int g7 = at + Math.min(row + 7, last) * stride;
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    FloatVector b0 = a0;
    FloatVector b1 = a0;
    FloatVector b2 = a0;
    FloatVector b3 = a0;
    FloatVector b4 = a0;
    FloatVector b5 = a0;
    FloatVector b6 = a0;
    FloatVector b7 = a0;
    if (add) {
      a0 = FloatVector.fromArray(S, gradient, g0);
      a1 = FloatVector.fromArray(S, gradient, g1);
      a2 = FloatVector.fromArray(S, gradient, g2);
      a3 = FloatVector.fromArray(S, gradient, g3);
      a4 = FloatVector.fromArray(S, gradient, g4);
      a5 = FloatVector.fromArray(S, gradient, g5);
      a6 = FloatVector.fromArray(S, gradient, g6);
      a7 = FloatVector.fromArray(S, gradient, g7);
      b0 = FloatVector.fromArray(S, gradient, g0 + L);
      b1 = FloatVector.fromArray(S, gradient, g1 + L);
      b2 = FloatVector.fromArray(S, gradient, g2 + L);
      b3 = FloatVector.fromArray(S, gradient, g3 + L);
      b4 = FloatVector.fromArray(S, gradient, g4 + L);
      b5 = FloatVector.fromArray(S, gradient, g5 + L);
      b6 = FloatVector.fromArray(S, gradient, g6 + L);
      b7 = FloatVector.fromArray(S, gradient, g7 + L);
    }
    for (int r = from; r < to; r++) {
      int d = deltaAt + deltaBase[r];
      FloatVector x = FloatVector.fromArray(S, delta, d);
      FloatVector y = FloatVector.fromArray(S, delta, d + L);
      int i = base[r];
      FloatVector v = FloatVector.broadcast(S, in[i + f0]);
      a0 = v.fma(x, a0);
      b0 = v.fma(y, b0);
      v = FloatVector.broadcast(S, in[i + f1]);
      a1 = v.fma(x, a1);
      b1 = v.fma(y, b1);
      v = FloatVector.broadcast(S, in[i + f2]);
      a2 = v.fma(x, a2);
      b2 = v.fma(y, b2);
      v = FloatVector.broadcast(S, in[i + f3]);
      a3 = v.fma(x, a3);
      b3 = v.fma(y, b3);
      v = FloatVector.broadcast(S, in[i + f4]);
      a4 = v.fma(x, a4);
      b4 = v.fma(y, b4);
      v = FloatVector.broadcast(S, in[i + f5]);
      a5 = v.fma(x, a5);
      b5 = v.fma(y, b5);
      v = FloatVector.broadcast(S, in[i + f6]);
      a6 = v.fma(x, a6);
      b6 = v.fma(y, b6);
      v = FloatVector.broadcast(S, in[i + f7]);
      a7 = v.fma(x, a7);
      b7 = v.fma(y, b7);
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
  }

  static void outer8x1(
      float[] in,
      int[] base,
      int[] offset,
      int k,
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
    int top = offset.length - 1;
    int f0 = offset[k];
    int f1 = offset[Math.min(k + 1, top)];
    int f2 = offset[Math.min(k + 2, top)];
    int f3 = offset[Math.min(k + 3, top)];
    int f4 = offset[Math.min(k + 4, top)];
    int f5 = offset[Math.min(k + 5, top)];
    int f6 = offset[Math.min(k + 6, top)];
    int f7 = offset[Math.min(k + 7, top)];
    int g0 = at + row * stride;
    int g1 = at + Math.min(row + 1, last) * stride;
    int g2 = at + Math.min(row + 2, last) * stride;
    int g3 = at + Math.min(row + 3, last) * stride;
    int g4 = at + Math.min(row + 4, last) * stride;
    int g5 = at + Math.min(row + 5, last) * stride;
    int g6 = at + Math.min(row + 6, last) * stride;
    int g7 = at + Math.min(row + 7, last) * stride;
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    if (add) {
      a0 = FloatVector.fromArray(S, gradient, g0);
      a1 = FloatVector.fromArray(S, gradient, g1);
      a2 = FloatVector.fromArray(S, gradient, g2);
      a3 = FloatVector.fromArray(S, gradient, g3);
      a4 = FloatVector.fromArray(S, gradient, g4);
      a5 = FloatVector.fromArray(S, gradient, g5);
      a6 = FloatVector.fromArray(S, gradient, g6);
      a7 = FloatVector.fromArray(S, gradient, g7);
    }
    for (int r = from; r < to; r++) {
      int d = deltaAt + deltaBase[r];
      FloatVector x = FloatVector.fromArray(S, delta, d);
      int i = base[r];
      FloatVector v = FloatVector.broadcast(S, in[i + f0]);
      a0 = v.fma(x, a0);
      v = FloatVector.broadcast(S, in[i + f1]);
      a1 = v.fma(x, a1);
      v = FloatVector.broadcast(S, in[i + f2]);
      a2 = v.fma(x, a2);
      v = FloatVector.broadcast(S, in[i + f3]);
      a3 = v.fma(x, a3);
      v = FloatVector.broadcast(S, in[i + f4]);
      a4 = v.fma(x, a4);
      v = FloatVector.broadcast(S, in[i + f5]);
      a5 = v.fma(x, a5);
      v = FloatVector.broadcast(S, in[i + f6]);
      a6 = v.fma(x, a6);
      v = FloatVector.broadcast(S, in[i + f7]);
      a7 = v.fma(x, a7);
    }
    // A sum of a loop has no class that Java 17 is sure of, and the heap takes what it is not.
    FloatVector nothing = FloatVector.broadcast(S, -0f);
    nothing.add(a0).intoArray(gradient, g0);
    nothing.add(a1).intoArray(gradient, g1);
    nothing.add(a2).intoArray(gradient, g2);
    nothing.add(a3).intoArray(gradient, g3);
    nothing.add(a4).intoArray(gradient, g4);
    nothing.add(a5).intoArray(gradient, g5);
    nothing.add(a6).intoArray(gradient, g6);
    nothing.add(a7).intoArray(gradient, g7);
  }
}
