package dev.discreet.core.engine.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels with the Vector API. The two products keep eight rows by two vectors of sums in
 * registers; a block that reaches past the last row repeats that row, which costs what an idle
 * register would.
 */
final class SimdKernels implements Kernels {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> I = VectorSpecies.of(int.class, S.vectorShape());
  private static final int L = S.length();

  private static final int[] SPILL_ROWS = Tables.steps(8, 2 * L);

  private final ScalarKernels scalar = new ScalarKernels(L);
  private final float[] spill = new float[16 * L];
  private final float[] part = new float[4 * L];

  @Override
  public int lanes() {
    return L;
  }

  @Override
  public void multiply(
      float[] in,
      int[] base,
      int rows,
      int[] offset,
      Panels w,
      float[] out,
      int[] outBase,
      int outAt) {
    int width;
    for (int j = 0; j < w.columns; j += width) {
      width = w.width(j);
      int lanes = Math.min(width, w.columns - j);
      boolean whole = lanes == width;
      for (int r = 0; r < rows; r += 8) {
        if (whole) {
          block(in, base, r, rows - 1, offset, w, j, out, outBase, r, rows - 1, outAt + j);
        } else {
          // A block that ends inside a vector goes to the spill first: a store must not touch
          // what lies behind the row.
          block(in, base, r, rows - 1, offset, w, j, spill, SPILL_ROWS, 0, 7, 0);
          for (int i = 0; i < Math.min(8, rows - r); i++) {
            System.arraycopy(spill, i * 2 * L, out, outAt + outBase[r + i] + j, lanes);
          }
        }
      }
    }
  }

  private static void block(
      float[] in,
      int[] base,
      int r,
      int last,
      int[] offset,
      Panels w,
      int column,
      float[] out,
      int[] outBase,
      int outRow,
      int outLast,
      int outAt) {
    int p = w.panel(column);
    if (w.width(column) == L) {
      multiply8x1(
          in, base, r, last, offset, w.data, p, w.depth, out, outBase, outRow, outLast, outAt);
    } else {
      multiply8x2(
          in, base, r, last, offset, w.data, p, w.depth, out, outBase, outRow, outLast, outAt);
    }
  }

  private static void multiply8x2(
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
    a0.intoArray(out, o);
    b0.intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 1, outLast)];
    a1.intoArray(out, o);
    b1.intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 2, outLast)];
    a2.intoArray(out, o);
    b2.intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 3, outLast)];
    a3.intoArray(out, o);
    b3.intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 4, outLast)];
    a4.intoArray(out, o);
    b4.intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 5, outLast)];
    a5.intoArray(out, o);
    b5.intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 6, outLast)];
    a6.intoArray(out, o);
    b6.intoArray(out, o + L);
    o = outAt + outBase[Math.min(outRow + 7, outLast)];
    a7.intoArray(out, o);
    b7.intoArray(out, o + L);
  }

  private static void multiply8x1(
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
    for (int k = 0; k < depth; k++) {
      p += L;
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
    a0.intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 1, outLast)];
    a1.intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 2, outLast)];
    a2.intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 3, outLast)];
    a3.intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 4, outLast)];
    a4.intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 5, outLast)];
    a5.intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 6, outLast)];
    a6.intoArray(out, o);
    o = outAt + outBase[Math.min(outRow + 7, outLast)];
    a7.intoArray(out, o);
  }

  @Override
  public void outer(
      float[] in,
      int[] base,
      int[] offset,
      float[] delta,
      int[] deltaBase,
      int deltaAt,
      int columns,
      int from,
      int to,
      float[] gradient,
      int at,
      int stride,
      boolean add) {
    int depth = offset.length;
    int width;
    for (int j = 0; j < columns; j += width) {
      width = columns - j > L ? 2 * L : L;
      int lanes = Math.min(width, columns - j);
      int d = deltaAt + j;
      for (int k = 0; k < depth; k += 8) {
        boolean whole = lanes == width;
        int rows = Math.min(8, depth - k);
        int first = at + j + k * stride;
        if (!whole && add) {
          for (int i = 0; i < rows; i++) {
            System.arraycopy(gradient, first + i * stride, spill, i * 2 * L, lanes);
          }
        }
        float[] to8 = whole ? gradient : spill;
        int start = whole ? at + j : 0;
        int step = whole ? stride : 2 * L;
        int row = whole ? k : 0;
        int last = whole ? depth - 1 : rows - 1;
        if (width == L) {
          outer8x1(
              in, base, offset, k, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        } else {
          outer8x2(
              in, base, offset, k, delta, deltaBase, d, from, to, to8, start, step, row, last, add);
        }
        for (int i = 0; !whole && i < rows; i++) {
          System.arraycopy(spill, i * 2 * L, gradient, first + i * stride, lanes);
        }
      }
    }
  }

  private static void outer8x2(
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
    a0.intoArray(gradient, g0);
    b0.intoArray(gradient, g0 + L);
    a1.intoArray(gradient, g1);
    b1.intoArray(gradient, g1 + L);
    a2.intoArray(gradient, g2);
    b2.intoArray(gradient, g2 + L);
    a3.intoArray(gradient, g3);
    b3.intoArray(gradient, g3 + L);
    a4.intoArray(gradient, g4);
    b4.intoArray(gradient, g4 + L);
    a5.intoArray(gradient, g5);
    b5.intoArray(gradient, g5 + L);
    a6.intoArray(gradient, g6);
    b6.intoArray(gradient, g6 + L);
    a7.intoArray(gradient, g7);
    b7.intoArray(gradient, g7 + L);
  }

  private static void outer8x1(
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
    a0.intoArray(gradient, g0);
    a1.intoArray(gradient, g1);
    a2.intoArray(gradient, g2);
    a3.intoArray(gradient, g3);
    a4.intoArray(gradient, g4);
    a5.intoArray(gradient, g5);
    a6.intoArray(gradient, g6);
    a7.intoArray(gradient, g7);
  }

  @Override
  public void addRuns(
      float[] shares, int rows, int[] runs, int length, float[] to, int[] base, int toAt) {
    int whole = S.loopBound(length);
    int from = 0;
    for (int r = 0; r < rows; r++) {
      for (int run : runs) {
        int at = toAt + base[r] + run;
        for (int i = 0; i < whole; i += L) {
          FloatVector.fromArray(S, to, at + i)
              .add(FloatVector.fromArray(S, shares, from + i))
              .intoArray(to, at + i);
        }
        for (int i = whole; i < length; i++) {
          to[at + i] += shares[from + i];
        }
        from += length;
      }
    }
  }

  @Override
  public void columnSums(float[] a, int at, int rows, int columns, float[] out, int outAt) {
    for (int j = 0; j < columns; j += L) {
      FloatVector sum = FloatVector.zero(S);
      for (int r = 0; r < rows; r++) {
        sum = sum.add(FloatVector.fromArray(S, a, at + r * columns + j));
      }
      if (columns - j >= L) {
        sum.intoArray(out, outAt + j);
      } else {
        sum.intoArray(spill, 0);
        System.arraycopy(spill, 0, out, outAt + j, columns - j);
      }
    }
  }

  @Override
  public double sumOfSquares(float[] a, int from, int to) {
    double total = 0;
    for (int block = from; block < to; block += ScalarKernels.BLOCK) {
      int end = Math.min(to, block + ScalarKernels.BLOCK);
      FloatVector s0 = FloatVector.zero(S);
      FloatVector s1 = s0;
      FloatVector s2 = s0;
      FloatVector s3 = s0;
      int i = block;
      for (; i + 4 * L <= end; i += 4 * L) {
        FloatVector x = FloatVector.fromArray(S, a, i);
        s0 = x.fma(x, s0);
        x = FloatVector.fromArray(S, a, i + L);
        s1 = x.fma(x, s1);
        x = FloatVector.fromArray(S, a, i + 2 * L);
        s2 = x.fma(x, s2);
        x = FloatVector.fromArray(S, a, i + 3 * L);
        s3 = x.fma(x, s3);
      }
      s0.intoArray(part, 0);
      s1.intoArray(part, L);
      s2.intoArray(part, 2 * L);
      s3.intoArray(part, 3 * L);
      total += ScalarKernels.fold(part);
      for (; i < end; i++) {
        total += (double) a[i] * a[i];
      }
    }
    return ScalarKernels.bound(total, to - from);
  }

  @Override
  public void addScaled(float factor, float[] a, int from, float[] to, int toAt, int length) {
    FloatVector f = FloatVector.broadcast(S, factor);
    int whole = S.loopBound(length);
    for (int i = 0; i < whole; i += L) {
      f.fma(FloatVector.fromArray(S, a, from + i), FloatVector.fromArray(S, to, toAt + i))
          .intoArray(to, toAt + i);
    }
    scalar.addScaled(factor, a, from + whole, to, toAt + whole, length - whole);
  }

  @Override
  public void scale(float factor, float[] a, int from, int length) {
    int whole = S.loopBound(length);
    for (int i = from; i < from + whole; i += L) {
      FloatVector.fromArray(S, a, i).mul(factor).intoArray(a, i);
    }
    scalar.scale(factor, a, from + whole, length - whole);
  }

  @Override
  public void drain(float[] a, int from, int to, float scale, int[] high, int[] low) {
    int whole = from + S.loopBound(to - from);
    FloatVector zero = FloatVector.zero(S);
    FloatVector rounder = FloatVector.broadcast(S, ScalarKernels.ROUNDER);
    FloatVector down = FloatVector.broadcast(S, 0x1p-16f);
    FloatVector up = FloatVector.broadcast(S, -0x1p16f);
    int bits = Float.floatToRawIntBits(ScalarKernels.ROUNDER);
    for (int i = from; i < whole; i += L) {
      FloatVector x = FloatVector.fromArray(S, a, i).mul(scale);
      FloatVector upper = x.fma(down, rounder);
      FloatVector lower = upper.sub(rounder).fma(up, x).add(rounder);
      upper.reinterpretAsInts().sub(bits).add(IntVector.fromArray(I, high, i)).intoArray(high, i);
      lower.reinterpretAsInts().sub(bits).add(IntVector.fromArray(I, low, i)).intoArray(low, i);
      zero.intoArray(a, i);
    }
    scalar.drain(a, whole, to, scale, high, low);
  }

  @Override
  public void activate(Pointwise f, float[] in, float[] out, int length) {
    int whole = f.kind() == Pointwise.Kind.GELU ? 0 : S.loopBound(length);
    switch (f.kind()) {
      case LEAKY -> {
        for (int i = 0; i < whole; i += L) {
          FloatVector x = FloatVector.fromArray(S, in, i);
          FloatVector y = x.mul(f.a());
          y.blend(x, x.compare(VectorOperators.GT, 0)).intoArray(out, i);
        }
      }
      case ELU -> {
        FloatVector alpha = FloatVector.broadcast(S, f.a());
        for (int i = 0; i < whole; i += L) {
          FloatVector x = FloatVector.fromArray(S, in, i);
          FloatVector y = alpha.fma(exp(x), alpha.neg());
          y.blend(x, x.compare(VectorOperators.GT, 0)).intoArray(out, i);
        }
      }
      case TANH -> {
        for (int i = 0; i < whole; i += L) {
          tanh(FloatVector.fromArray(S, in, i)).intoArray(out, i);
        }
      }
      case SIGMOID -> {
        FloatVector one = FloatVector.broadcast(S, 1);
        FloatVector scale = FloatVector.broadcast(S, f.a());
        for (int i = 0; i < whole; i += L) {
          FloatVector e = exp(FloatVector.fromArray(S, in, i).mul(f.b()).neg());
          scale.fma(one.div(e.add(1)), FloatVector.broadcast(S, -f.c())).intoArray(out, i);
        }
      }
      case GELU -> {}
    }
    for (int i = whole; i < length; i++) {
      out[i] = ScalarKernels.value(f, in[i]);
    }
  }

  @Override
  public void activateBack(
      Pointwise f, float[] in, float[] out, float[] dOut, float[] dIn, int length) {
    int whole = f.kind() == Pointwise.Kind.GELU ? 0 : S.loopBound(length);
    FloatVector one = FloatVector.broadcast(S, 1);
    for (int i = 0; i < whole; i += L) {
      FloatVector x = FloatVector.fromArray(S, in, i);
      FloatVector y = FloatVector.fromArray(S, out, i);
      FloatVector slope =
          switch (f.kind()) {
            case LEAKY ->
                FloatVector.broadcast(S, f.a()).blend(one, x.compare(VectorOperators.GT, 0));
            case ELU -> y.add(f.a()).blend(one, x.compare(VectorOperators.GT, 0));
            case TANH -> y.neg().fma(y, one);
            case SIGMOID -> {
              FloatVector s = y.add(f.c()).div(f.a());
              yield s.mul(one.sub(s)).mul(f.a() * f.b());
            }
            case GELU -> throw new IllegalStateException("gelu has no vector form");
          };
      FloatVector.fromArray(S, dOut, i).mul(slope).intoArray(dIn, i);
    }
    for (int i = whole; i < length; i++) {
      dIn[i] = dOut[i] * ScalarKernels.slope(f, in[i], out[i]);
    }
  }

  private static FloatVector exp(FloatVector x) {
    FloatVector cut = x.max(ScalarKernels.EXP_LOW).min(ScalarKernels.EXP_HIGH);
    FloatVector rounder = FloatVector.broadcast(S, ScalarKernels.ROUNDER);
    FloatVector rounded = cut.fma(FloatVector.broadcast(S, ScalarKernels.LOG2E), rounder);
    FloatVector n = rounded.sub(rounder).neg();
    FloatVector r = n.fma(FloatVector.broadcast(S, ScalarKernels.LN2_HIGH), cut);
    r = n.fma(FloatVector.broadcast(S, ScalarKernels.LN2_LOW), r);
    FloatVector p = FloatVector.broadcast(S, 1f / 5040);
    p = p.fma(r, FloatVector.broadcast(S, 1f / 720));
    p = p.fma(r, FloatVector.broadcast(S, 1f / 120));
    p = p.fma(r, FloatVector.broadcast(S, 1f / 24));
    p = p.fma(r, FloatVector.broadcast(S, 1f / 6));
    p = p.fma(r, FloatVector.broadcast(S, 0.5f));
    p = p.fma(r, FloatVector.broadcast(S, 1));
    p = p.fma(r, FloatVector.broadcast(S, 1));
    IntVector power =
        rounded
            .reinterpretAsInts()
            .sub(Float.floatToRawIntBits(ScalarKernels.ROUNDER))
            .add(127)
            .lanewise(VectorOperators.LSHL, 23);
    return p.mul(power.reinterpretAsFloats());
  }

  private static FloatVector tanh(FloatVector x) {
    FloatVector square = x.mul(x);
    FloatVector p = FloatVector.broadcast(S, -1382f / 155925);
    p = p.fma(square, FloatVector.broadcast(S, 62f / 2835));
    p = p.fma(square, FloatVector.broadcast(S, -17f / 315));
    p = p.fma(square, FloatVector.broadcast(S, 2f / 15));
    p = p.fma(square, FloatVector.broadcast(S, -1f / 3));
    FloatVector series = p.mul(square).fma(x, x);
    FloatVector one = FloatVector.broadcast(S, 1);
    FloatVector far = one.sub(FloatVector.broadcast(S, 2).div(exp(x.add(x)).add(1)));
    return far.blend(series, x.abs().compare(VectorOperators.LT, ScalarKernels.TANH_SERIES));
  }

  @Override
  public void maxPool(
      float[] in, int inAt, Tables.Taps taps, int channels, float[] out, int[] winner, int outAt) {
    int whole = S.loopBound(channels);
    int[] start = taps.start();
    int[] places = taps.places();
    for (int p = 0; p < start.length - 1; p++) {
      int from = start[p];
      int to = start[p + 1];
      for (int c = 0; c < whole; c += L) {
        FloatVector best = FloatVector.fromArray(S, in, inAt + places[from] + c);
        IntVector tap = IntVector.zero(I);
        for (int t = from + 1; t < to; t++) {
          FloatVector value = FloatVector.fromArray(S, in, inAt + places[t] + c);
          IntVector won = best.sub(value).reinterpretAsInts().lanewise(VectorOperators.ASHR, 31);
          IntVector bits = best.reinterpretAsInts();
          best =
              bits.lanewise(
                      VectorOperators.XOR,
                      bits.lanewise(VectorOperators.XOR, value.reinterpretAsInts()).and(won))
                  .reinterpretAsFloats();
          tap =
              tap.lanewise(
                  VectorOperators.XOR, tap.lanewise(VectorOperators.XOR, t - from).and(won));
        }
        best.intoArray(out, outAt + p * channels + c);
        tap.intoArray(winner, outAt + p * channels + c);
      }
    }
    ScalarKernels.maxPool(in, inAt, taps, channels, whole, out, winner, outAt);
  }

  @Override
  public void maxPoolBack(
      float[] dIn, int inAt, Tables.Taps taps, int channels, float[] dOut, int[] winner, int at) {
    int whole = S.loopBound(channels);
    int[] start = taps.start();
    int[] places = taps.places();
    for (int p = 0; p < start.length - 1; p++) {
      for (int c = 0; c < whole; c += L) {
        FloatVector d = FloatVector.fromArray(S, dOut, at + p * channels + c);
        IntVector bits = d.reinterpretAsInts();
        IntVector tap = IntVector.fromArray(I, winner, at + p * channels + c);
        for (int t = start[p]; t < start[p + 1]; t++) {
          int i = inAt + places[t] + c;
          // All ones where this tap did not win: x | −x is negative for every x but 0.
          IntVector other = tap.lanewise(VectorOperators.XOR, t - start[p]);
          IntVector lost = other.or(other.neg()).lanewise(VectorOperators.ASHR, 31);
          FloatVector.fromArray(S, dIn, i)
              .add(bits.lanewise(VectorOperators.AND_NOT, lost).reinterpretAsFloats())
              .intoArray(dIn, i);
        }
      }
    }
    ScalarKernels.maxPoolBack(dIn, inAt, taps, channels, whole, dOut, winner, at);
  }

  @Override
  public void averagePool(
      float[] in, int inAt, Tables.Taps taps, int channels, float share, float[] out, int outAt) {
    int whole = S.loopBound(channels);
    int[] start = taps.start();
    int[] places = taps.places();
    for (int p = 0; p < start.length - 1; p++) {
      for (int c = 0; c < whole; c += L) {
        FloatVector sum = FloatVector.zero(S);
        for (int t = start[p]; t < start[p + 1]; t++) {
          sum = sum.add(FloatVector.fromArray(S, in, inAt + places[t] + c));
        }
        sum.mul(share).intoArray(out, outAt + p * channels + c);
      }
    }
    ScalarKernels.averagePool(in, inAt, taps, channels, whole, share, out, outAt);
  }

  @Override
  public void averagePoolBack(
      float[] dIn, int inAt, Tables.Taps taps, int channels, float share, float[] dOut, int at) {
    int whole = S.loopBound(channels);
    int[] start = taps.start();
    int[] places = taps.places();
    FloatVector factor = FloatVector.broadcast(S, share);
    for (int p = 0; p < start.length - 1; p++) {
      for (int c = 0; c < whole; c += L) {
        FloatVector d = FloatVector.fromArray(S, dOut, at + p * channels + c);
        for (int t = start[p]; t < start[p + 1]; t++) {
          int i = inAt + places[t] + c;
          factor.fma(d, FloatVector.fromArray(S, dIn, i)).intoArray(dIn, i);
        }
      }
    }
    ScalarKernels.averagePoolBack(dIn, inAt, taps, channels, whole, share, dOut, at);
  }
}
