package dev.discreet.core.engine.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
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
  private static final VectorSpecies<Long> LONGS = VectorSpecies.of(long.class, S.vectorShape());
  private static final int L = S.length();

  private final ScalarKernels scalar = new ScalarKernels(L);

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
      for (int r = 0; r < rows; r += 8) {
        if (width == L) {
          multiply8x1(in, base, r, rows, offset, w, j, lanes, out, outBase, outAt + j);
        } else {
          multiply8x2(in, base, r, rows, offset, w, j, lanes, out, outBase, outAt + j);
        }
      }
    }
  }

  private static void multiply8x2(
      float[] in,
      int[] base,
      int r,
      int rows,
      int[] offset,
      Panels w,
      int column,
      int lanes,
      float[] out,
      int[] outBase,
      int outAt) {
    int last = rows - 1;
    int r1 = Math.min(r + 1, last);
    int r2 = Math.min(r + 2, last);
    int r3 = Math.min(r + 3, last);
    int r4 = Math.min(r + 4, last);
    int r5 = Math.min(r + 5, last);
    int r6 = Math.min(r + 6, last);
    int r7 = Math.min(r + 7, last);
    int i0 = base[r];
    int i1 = base[r1];
    int i2 = base[r2];
    int i3 = base[r3];
    int i4 = base[r4];
    int i5 = base[r5];
    int i6 = base[r6];
    int i7 = base[r7];
    float[] data = w.data;
    int p = w.panel(column);
    FloatVector a0 = FloatVector.fromArray(S, data, p);
    FloatVector b0 = FloatVector.fromArray(S, data, p + L);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    FloatVector b1 = b0;
    FloatVector b2 = b0;
    FloatVector b3 = b0;
    FloatVector b4 = b0;
    FloatVector b5 = b0;
    FloatVector b6 = b0;
    FloatVector b7 = b0;
    int depth = w.depth;
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
    store(a0, b0, out, outAt + outBase[r], lanes);
    store(a1, b1, out, outAt + outBase[r1], lanes);
    store(a2, b2, out, outAt + outBase[r2], lanes);
    store(a3, b3, out, outAt + outBase[r3], lanes);
    store(a4, b4, out, outAt + outBase[r4], lanes);
    store(a5, b5, out, outAt + outBase[r5], lanes);
    store(a6, b6, out, outAt + outBase[r6], lanes);
    store(a7, b7, out, outAt + outBase[r7], lanes);
  }

  private static void multiply8x1(
      float[] in,
      int[] base,
      int r,
      int rows,
      int[] offset,
      Panels w,
      int column,
      int lanes,
      float[] out,
      int[] outBase,
      int outAt) {
    int last = rows - 1;
    int r1 = Math.min(r + 1, last);
    int r2 = Math.min(r + 2, last);
    int r3 = Math.min(r + 3, last);
    int r4 = Math.min(r + 4, last);
    int r5 = Math.min(r + 5, last);
    int r6 = Math.min(r + 6, last);
    int r7 = Math.min(r + 7, last);
    int i0 = base[r];
    int i1 = base[r1];
    int i2 = base[r2];
    int i3 = base[r3];
    int i4 = base[r4];
    int i5 = base[r5];
    int i6 = base[r6];
    int i7 = base[r7];
    float[] data = w.data;
    int p = w.panel(column);
    FloatVector a0 = FloatVector.fromArray(S, data, p);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    int depth = w.depth;
    for (int k = 0; k < depth; k++) {
      p += L;
      FloatVector x = FloatVector.fromArray(S, data, p);
      int f = offset[k];
      a0 = FloatVector.broadcast(S, in[i0 + f]).fma(x, a0);
      a1 = FloatVector.broadcast(S, in[i1 + f]).fma(x, a1);
      a2 = FloatVector.broadcast(S, in[i2 + f]).fma(x, a2);
      a3 = FloatVector.broadcast(S, in[i3 + f]).fma(x, a3);
      a4 = FloatVector.broadcast(S, in[i4 + f]).fma(x, a4);
      a5 = FloatVector.broadcast(S, in[i5 + f]).fma(x, a5);
      a6 = FloatVector.broadcast(S, in[i6 + f]).fma(x, a6);
      a7 = FloatVector.broadcast(S, in[i7 + f]).fma(x, a7);
    }
    store(a0, out, outAt + outBase[r], lanes);
    store(a1, out, outAt + outBase[r1], lanes);
    store(a2, out, outAt + outBase[r2], lanes);
    store(a3, out, outAt + outBase[r3], lanes);
    store(a4, out, outAt + outBase[r4], lanes);
    store(a5, out, outAt + outBase[r5], lanes);
    store(a6, out, outAt + outBase[r6], lanes);
    store(a7, out, outAt + outBase[r7], lanes);
  }

  private static void store(FloatVector a, FloatVector b, float[] out, int at, int lanes) {
    a.intoArray(out, at);
    store(b, out, at + L, lanes - L);
  }

  /** Stores the first lanes; what stands after them stays. */
  private static void store(FloatVector a, float[] out, int at, int lanes) {
    if (lanes == L) {
      a.intoArray(out, at);
    } else {
      VectorMask<Float> keep = S.indexInRange(0, lanes);
      FloatVector.fromArray(S, out, at).blend(a, keep).intoArray(out, at);
    }
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
    int j = 0;
    for (; columns - j > L; j += 2 * L) {
      int lanes = Math.min(2 * L, columns - j);
      for (int k = 0; k < offset.length; k += 8) {
        outer8x2(
            in,
            base,
            offset,
            k,
            delta,
            deltaBase,
            deltaAt + j,
            from,
            to,
            gradient,
            at + j,
            stride,
            lanes,
            add);
      }
    }
    if (j < columns) {
      for (int k = 0; k < offset.length; k += 8) {
        outer8x1(
            in,
            base,
            offset,
            k,
            delta,
            deltaBase,
            deltaAt + j,
            from,
            to,
            gradient,
            at + j,
            stride,
            columns - j,
            add);
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
      int lanes,
      boolean add) {
    int last = offset.length - 1;
    int k1 = Math.min(k + 1, last);
    int k2 = Math.min(k + 2, last);
    int k3 = Math.min(k + 3, last);
    int k4 = Math.min(k + 4, last);
    int k5 = Math.min(k + 5, last);
    int k6 = Math.min(k + 6, last);
    int k7 = Math.min(k + 7, last);
    int f0 = offset[k];
    int f1 = offset[k1];
    int f2 = offset[k2];
    int f3 = offset[k3];
    int f4 = offset[k4];
    int f5 = offset[k5];
    int f6 = offset[k6];
    int f7 = offset[k7];
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
      a0 = FloatVector.fromArray(S, gradient, at + k * stride);
      a1 = FloatVector.fromArray(S, gradient, at + k1 * stride);
      a2 = FloatVector.fromArray(S, gradient, at + k2 * stride);
      a3 = FloatVector.fromArray(S, gradient, at + k3 * stride);
      a4 = FloatVector.fromArray(S, gradient, at + k4 * stride);
      a5 = FloatVector.fromArray(S, gradient, at + k5 * stride);
      a6 = FloatVector.fromArray(S, gradient, at + k6 * stride);
      a7 = FloatVector.fromArray(S, gradient, at + k7 * stride);
      b0 = FloatVector.fromArray(S, gradient, at + k * stride + L);
      b1 = FloatVector.fromArray(S, gradient, at + k1 * stride + L);
      b2 = FloatVector.fromArray(S, gradient, at + k2 * stride + L);
      b3 = FloatVector.fromArray(S, gradient, at + k3 * stride + L);
      b4 = FloatVector.fromArray(S, gradient, at + k4 * stride + L);
      b5 = FloatVector.fromArray(S, gradient, at + k5 * stride + L);
      b6 = FloatVector.fromArray(S, gradient, at + k6 * stride + L);
      b7 = FloatVector.fromArray(S, gradient, at + k7 * stride + L);
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
    store(a0, b0, gradient, at + k * stride, lanes);
    store(a1, b1, gradient, at + k1 * stride, lanes);
    store(a2, b2, gradient, at + k2 * stride, lanes);
    store(a3, b3, gradient, at + k3 * stride, lanes);
    store(a4, b4, gradient, at + k4 * stride, lanes);
    store(a5, b5, gradient, at + k5 * stride, lanes);
    store(a6, b6, gradient, at + k6 * stride, lanes);
    store(a7, b7, gradient, at + k7 * stride, lanes);
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
      int lanes,
      boolean add) {
    int last = offset.length - 1;
    int k1 = Math.min(k + 1, last);
    int k2 = Math.min(k + 2, last);
    int k3 = Math.min(k + 3, last);
    int k4 = Math.min(k + 4, last);
    int k5 = Math.min(k + 5, last);
    int k6 = Math.min(k + 6, last);
    int k7 = Math.min(k + 7, last);
    int f0 = offset[k];
    int f1 = offset[k1];
    int f2 = offset[k2];
    int f3 = offset[k3];
    int f4 = offset[k4];
    int f5 = offset[k5];
    int f6 = offset[k6];
    int f7 = offset[k7];
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = a0;
    FloatVector a2 = a0;
    FloatVector a3 = a0;
    FloatVector a4 = a0;
    FloatVector a5 = a0;
    FloatVector a6 = a0;
    FloatVector a7 = a0;
    if (add) {
      a0 = FloatVector.fromArray(S, gradient, at + k * stride);
      a1 = FloatVector.fromArray(S, gradient, at + k1 * stride);
      a2 = FloatVector.fromArray(S, gradient, at + k2 * stride);
      a3 = FloatVector.fromArray(S, gradient, at + k3 * stride);
      a4 = FloatVector.fromArray(S, gradient, at + k4 * stride);
      a5 = FloatVector.fromArray(S, gradient, at + k5 * stride);
      a6 = FloatVector.fromArray(S, gradient, at + k6 * stride);
      a7 = FloatVector.fromArray(S, gradient, at + k7 * stride);
    }
    for (int r = from; r < to; r++) {
      FloatVector x = FloatVector.fromArray(S, delta, deltaAt + deltaBase[r]);
      int i = base[r];
      a0 = FloatVector.broadcast(S, in[i + f0]).fma(x, a0);
      a1 = FloatVector.broadcast(S, in[i + f1]).fma(x, a1);
      a2 = FloatVector.broadcast(S, in[i + f2]).fma(x, a2);
      a3 = FloatVector.broadcast(S, in[i + f3]).fma(x, a3);
      a4 = FloatVector.broadcast(S, in[i + f4]).fma(x, a4);
      a5 = FloatVector.broadcast(S, in[i + f5]).fma(x, a5);
      a6 = FloatVector.broadcast(S, in[i + f6]).fma(x, a6);
      a7 = FloatVector.broadcast(S, in[i + f7]).fma(x, a7);
    }
    store(a0, gradient, at + k * stride, lanes);
    store(a1, gradient, at + k1 * stride, lanes);
    store(a2, gradient, at + k2 * stride, lanes);
    store(a3, gradient, at + k3 * stride, lanes);
    store(a4, gradient, at + k4 * stride, lanes);
    store(a5, gradient, at + k5 * stride, lanes);
    store(a6, gradient, at + k6 * stride, lanes);
    store(a7, gradient, at + k7 * stride, lanes);
  }

  @Override
  public void columnSums(float[] a, int at, int rows, int columns, float[] out, int outAt) {
    for (int j = 0; j < columns; j += L) {
      FloatVector sum = FloatVector.zero(S);
      for (int r = 0; r < rows; r++) {
        sum = sum.add(FloatVector.fromArray(S, a, at + r * columns + j));
      }
      store(sum, out, outAt + j, Math.min(L, columns - j));
    }
  }

  @Override
  public double sumOfSquares(float[] a, int from, int to) {
    double total = 0;
    float[] part = new float[4 * L];
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
    return total;
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
  public void drain(float[] a, int from, int to, float scale, long[] sum) {
    int whole = from + S.loopBound(to - from);
    FloatVector zero = FloatVector.zero(S);
    for (int i = from; i < whole; i += L) {
      IntVector whole32 =
          (IntVector)
              FloatVector.fromArray(S, a, i).mul(scale).convertShape(VectorOperators.F2I, I, 0);
      ((LongVector) whole32.convertShape(VectorOperators.I2L, LONGS, 0))
          .add(LongVector.fromArray(LONGS, sum, i))
          .intoArray(sum, i);
      ((LongVector) whole32.convertShape(VectorOperators.I2L, LONGS, 1))
          .add(LongVector.fromArray(LONGS, sum, i + L / 2))
          .intoArray(sum, i + L / 2);
      zero.intoArray(a, i);
    }
    scalar.drain(a, whole, to, scale, sum);
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
  public void maxTaps(
      float[] in,
      int inAt,
      int[] taps,
      int from,
      int to,
      int channels,
      float[] out,
      float[] arg,
      int at) {
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += L) {
      FloatVector best = FloatVector.fromArray(S, in, inAt + taps[from] + c);
      FloatVector tap = FloatVector.zero(S);
      for (int t = from + 1; t < to; t++) {
        FloatVector value = FloatVector.fromArray(S, in, inAt + taps[t] + c);
        VectorMask<Float> larger = value.compare(VectorOperators.GT, best);
        best = best.blend(value, larger);
        tap = tap.blend((float) (t - from), larger);
      }
      best.intoArray(out, at + c);
      tap.intoArray(arg, at + c);
    }
    for (int c = whole; c < channels; c++) {
      scalar.maxTaps(in, inAt + c, taps, from, to, 1, out, arg, at + c);
    }
  }

  @Override
  public void maxTapsBack(
      float[] dIn,
      int inAt,
      int[] taps,
      int from,
      int to,
      int channels,
      float[] dOut,
      float[] arg,
      int at) {
    int whole = S.loopBound(channels);
    FloatVector zero = FloatVector.zero(S);
    for (int c = 0; c < whole; c += L) {
      FloatVector d = FloatVector.fromArray(S, dOut, at + c);
      FloatVector tap = FloatVector.fromArray(S, arg, at + c);
      for (int t = from; t < to; t++) {
        int i = inAt + taps[t] + c;
        VectorMask<Float> won = tap.compare(VectorOperators.EQ, (float) (t - from));
        FloatVector.fromArray(S, dIn, i).add(zero.blend(d, won)).intoArray(dIn, i);
      }
    }
    for (int c = whole; c < channels; c++) {
      scalar.maxTapsBack(dIn, inAt + c, taps, from, to, 1, dOut, arg, at + c);
    }
  }
}
