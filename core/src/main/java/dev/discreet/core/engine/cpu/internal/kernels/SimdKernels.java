package dev.discreet.core.engine.cpu.internal.kernels;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The kernels with the Vector API; the products are in {@link SimdProducts}. */
public final class SimdKernels implements Kernels {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> I = VectorSpecies.of(int.class, S.vectorShape());
  private static final int L = S.length();

  private final SimdPackedProducts packed = new SimdPackedProducts();
  private final SimdProducts products = new SimdProducts(packed);
  private final SimdRoundedProducts rounded = new SimdRoundedProducts(packed);
  private final SimdMaxPool pools = new SimdMaxPool();
  private final ScalarKernels scalar = new ScalarKernels(L);
  private final float[] spill = new float[L];
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
      PackedMatrix weights,
      float[] out,
      int[] outBase,
      int outAt) {
    products.multiply(in, base, rows, offset, weights, out, outBase, outAt);
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
    products.outer(
        in, base, offset, delta, deltaBase, deltaAt, columns, from, to, gradient, at, stride, add);
  }

  @Override
  public void outerRounded(
      float[] in,
      int[] base,
      int inAt,
      int depth,
      float[] delta,
      int[] deltaBase,
      int columns,
      int from,
      int to,
      float share,
      float[] parameters,
      int at,
      int stride,
      float scale,
      int[] high,
      int[] low) {
    rounded.outer(
        in,
        base,
        inAt,
        depth,
        delta,
        deltaBase,
        columns,
        from,
        to,
        share,
        parameters,
        at,
        stride,
        scale,
        high,
        low);
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
  public void addScaledRows(
      float[] factor, int rows, float[] a, int from, int stride, float[] to, int toAt, int length) {
    int whole = S.loopBound(length);
    int r = 0;
    for (; r + 4 <= rows; r += 4) {
      int at = from + r * stride;
      addScaled4(factor, r, a, at, stride, to, toAt, whole);
      for (int i = whole; i < length; i++) {
        for (int q = 0; q < 4; q++) {
          to[toAt + i] = Math.fma(factor[r + q], a[at + q * stride + i], to[toAt + i]);
        }
      }
    }
    for (; r < rows; r++) {
      addScaled(factor[r], a, from + r * stride, to, toAt, length);
    }
  }

  /** Four rows while the sum is in a register. */
  private static void addScaled4(
      float[] factor, int r, float[] a, int from, int stride, float[] to, int toAt, int whole) {
    FloatVector f0 = FloatVector.broadcast(S, factor[r]);
    FloatVector f1 = FloatVector.broadcast(S, factor[r + 1]);
    FloatVector f2 = FloatVector.broadcast(S, factor[r + 2]);
    FloatVector f3 = FloatVector.broadcast(S, factor[r + 3]);
    int a1 = from + stride;
    int a2 = a1 + stride;
    int a3 = a2 + stride;
    for (int i = 0; i < whole; i += L) {
      FloatVector sum = FloatVector.fromArray(S, to, toAt + i);
      sum = f0.fma(FloatVector.fromArray(S, a, from + i), sum);
      sum = f1.fma(FloatVector.fromArray(S, a, a1 + i), sum);
      sum = f2.fma(FloatVector.fromArray(S, a, a2 + i), sum);
      sum = f3.fma(FloatVector.fromArray(S, a, a3 + i), sum);
      sum.intoArray(to, toAt + i);
    }
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
    SimdRoundedProducts.addRounded(a, from, whole - from, scale, from, high, low);
    Arrays.fill(a, from, whole, 0);
    scalar.drain(a, whole, to, scale, high, low);
  }

  @Override
  public void activate(PointwiseFunction f, float[] in, float[] out, int length) {
    int whole = f.kind() == PointwiseFunction.Kind.GELU ? 0 : S.loopBound(length);
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
      PointwiseFunction f, float[] in, float[] out, float[] dOut, float[] dIn, int length) {
    int whole = f.kind() == PointwiseFunction.Kind.GELU ? 0 : S.loopBound(length);
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
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float[] out,
      int[] winner,
      int outAt) {
    pools.maxPool(in, inAt, taps, channels, out, winner, outAt);
  }

  @Override
  public void maxPoolBack(
      float[] dIn,
      int inAt,
      WindowTables.Seen seen,
      int channels,
      float[] dOut,
      int[] winner,
      int at) {
    pools.maxPoolBack(dIn, inAt, seen, channels, dOut, winner, at);
  }

  @Override
  public void averagePool(
      float[] in,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float share,
      float[] out,
      int outAt) {
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
      float[] dIn,
      int inAt,
      WindowTables.Taps taps,
      int channels,
      float share,
      float[] dOut,
      int at) {
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
