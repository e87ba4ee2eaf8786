package dev.discreet.core.engine.cpu.internal.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.Window;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both kernels give the same bits and write nothing but their target. What may not be written is
 * filled with values that any write would change, and whole arrays are compared.
 */
class KernelTwinsTest {
  private static final Kernels SIMD = new SimdKernels();
  private static final Kernels SCALAR = new ScalarKernels(SIMD.lanes());
  private static final int[] SIZES = {
    1, 2, 3, 10, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 130
  };

  private static final float[] EXTREMES = {
    0f,
    -0f,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    -1e-20f,
    1e-7f,
    -1e-7f,
    0.4f,
    -0.4f,
    Math.nextDown(0.4f),
    1f,
    -1f,
    9f,
    -9f,
    50f,
    -50f,
    86.9f,
    -86.9f,
    88f,
    -88f,
    200f,
    -200f,
    1e20f,
    -1e20f,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN
  };

  private static float[] random(SplittableRandom random, int length) {
    float[] values = new float[length + Kernels.SLACK];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextDouble(-1, 1) * Math.pow(10, random.nextInt(-3, 3)));
    }
    return values;
  }

  /** Different rows in no order. */
  private static int[] rows(SplittableRandom random, int count, int step) {
    int[] rows = IntStream.range(0, count).map(i -> i * step).toArray();
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int row = rows[i];
      rows[i] = rows[j];
      rows[j] = row;
    }
    return rows;
  }

  /** Runs both on copies of the target and compares all of it; a NaN is a NaN. */
  private static float[] same(float[] target, BiConsumer<Kernels, float[]> run, String what) {
    float[] plain = target.clone();
    float[] fast = target.clone();
    run.accept(SCALAR, plain);
    run.accept(SIMD, fast);
    for (int i = 0; i < plain.length; i++) {
      if (Float.floatToIntBits(plain[i]) != Float.floatToIntBits(fast[i])) {
        assertEquals(plain[i], fast[i], what + " at " + i);
        assertEquals(Float.floatToIntBits(plain[i]), Float.floatToIntBits(fast[i]), what);
      }
    }
    return fast;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 16, 17, 32, 33, 48, 100})
  void multiply(int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    for (int depth : new int[] {0, 1, 3, 17, 64}) {
      for (int rows = 1; rows <= 30; rows++) {
        float[] in = random(random, 700);
        int[] base = random.ints(rows, 0, 300).toArray();
        int[] offset = places(random, depth);
        PackedMatrix panels = new PackedMatrix(depth, columns, SIMD.lanes());
        panels.load(random(random, depth * columns), 0, columns, 1, 0, 1);
        panels.loadBias(random(random, columns), 0);
        int[] outBase = rows(random, rows, columns + 2);
        int outAt = random.nextInt(5);
        float[] before = random(random, 5 + rows * (columns + 2));
        float[] after =
            same(
                before,
                (kernels, out) ->
                    kernels.multiply(in, base, outBase.length, offset, panels, out, outBase, outAt),
                rows + " rows, depth " + depth);
        boolean[] written = new boolean[before.length];
        for (int at : outBase) {
          Arrays.fill(written, outAt + at, outAt + at + columns, true);
        }
        untouched(before, after, written);
      }
    }
  }

  /** Anywhere, side by side, or in runs: fast kernels take each their own way. */
  private static int[] places(SplittableRandom random, int depth) {
    int[] places = random.ints(depth, 0, 300).toArray();
    int run = new int[] {1, 4, 8, 16, 32, 64, Math.max(1, depth)}[random.nextInt(7)];
    for (int k = 1; k < depth; k++) {
      places[k] = k % run == 0 ? places[k] : places[k - 1] + 1;
    }
    return places;
  }

  private static void untouched(float[] before, float[] after, boolean[] written) {
    for (int i = 0; i < before.length; i++) {
      assertTrue(written[i] || before[i] == after[i], "wrote outside of the target, at " + i);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 16, 17, 32, 33, 48, 100})
  void outer(int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    for (int depth : new int[] {0, 1, 3, 7, 8, 9, 17, 64}) {
      for (int rows : new int[] {0, 1, 2, 5, 20}) {
        for (boolean add : new boolean[] {false, true}) {
          int from = random.nextInt(3);
          float[] in = random(random, 700);
          int[] base = random.ints(from + rows, 0, 300).toArray();
          int[] offset = places(random, depth);
          float[] delta = random(random, 5 + (from + rows) * columns);
          int[] deltaBase = rows(random, from + rows, columns);
          int deltaAt = random.nextInt(5);
          // Also the stride of the copies that blocks are made in.
          int stride =
              columns < 2 * SIMD.lanes() && random.nextInt(4) == 0
                  ? 2 * SIMD.lanes()
                  : columns + random.nextInt(3);
          int at = random.nextInt(7);
          float[] before = random(random, 7 + depth * stride);
          float[] after =
              same(
                  before,
                  (kernels, gradient) ->
                      kernels.outer(
                          in,
                          base,
                          offset,
                          delta,
                          deltaBase,
                          deltaAt,
                          columns,
                          from,
                          from + rows,
                          gradient,
                          at,
                          stride,
                          add),
                  rows + " rows, depth " + depth + ", add " + add);
          boolean[] written = new boolean[before.length];
          for (int k = 0; k < depth; k++) {
            Arrays.fill(written, at + k * stride, at + k * stride + columns, true);
          }
          untouched(before, after, written);
        }
      }
    }
  }

  /** Large enough that rows are laid side by side first, in several parts. */
  @ParameterizedTest
  @CsvSource({"1, 100, 256", "9, 131, 300", "40, 96, 8192"})
  void largeWeightGradients(int rows, int depth, int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    int from = 2;
    float[] in = random(random, (from + rows) * depth);
    int[] base = rows(random, from + rows, depth);
    int[] offset = IntStream.range(0, depth).toArray();
    float[] delta = random(random, (from + rows) * columns);
    int[] deltaBase = rows(random, from + rows, columns);
    int stride = columns + random.nextInt(2);
    float[] before = random(random, 3 + depth * stride);
    boolean[] written = new boolean[before.length];
    for (int k = 0; k < depth; k++) {
      Arrays.fill(written, 3 + k * stride, 3 + k * stride + columns, true);
    }
    for (boolean add : new boolean[] {false, true}) {
      untouched(
          before,
          same(
              before,
              (kernels, gradient) ->
                  kernels.outer(
                      in,
                      base,
                      offset,
                      delta,
                      deltaBase,
                      0,
                      columns,
                      from,
                      from + rows,
                      gradient,
                      3,
                      stride,
                      add),
              "add " + add),
          written);
    }
    int[][] high = new int[2][depth * columns];
    int[][] low = new int[2][high[0].length];
    Kernels[] both = {SCALAR, SIMD};
    for (int k = 0; k < 2; k++) {
      both[k].outerRounded(
          in,
          base,
          0,
          depth,
          delta,
          deltaBase,
          columns,
          from,
          from + rows,
          0.25f,
          before,
          0,
          columns,
          0x1p4f,
          high[k],
          low[k]);
    }
    assertArrayEquals(high[0], high[1]);
    assertArrayEquals(low[0], low[1]);
  }

  /** Against the three kernels whose work it does, by the plain twin; and the fast one the same. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 16, 17, 32, 33, 48, 100})
  void outerRounded(int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    for (int depth : new int[] {0, 1, 3, 7, 8, 9, 12, 13, 16, 17, 24, 64}) {
      for (int rows : new int[] {0, 1, 5, 20}) {
        for (float share : new float[] {0, 0.37f}) {
          int from = random.nextInt(3);
          int inAt = random.nextInt(9);
          float[] in = random(random, 320 + depth);
          int[] base = random.ints(from + rows, 0, 300).toArray();
          float[] delta = random(random, (from + rows) * columns);
          int[] deltaBase = rows(random, from + rows, columns);
          int stride = columns + (random.nextBoolean() ? 0 : random.nextInt(3));
          int at = random.nextInt(7);
          // As in training, nothing spare lies behind the last place.
          int size = at + (depth == 0 ? 0 : (depth - 1) * stride + columns);
          float[] parameters = Arrays.copyOf(random(random, size), size);
          int[] steps = IntStream.range(inAt, inAt + depth).toArray();
          float[] sum = new float[size + Kernels.SLACK];
          SCALAR.outer(
              in,
              base,
              steps,
              delta,
              deltaBase,
              0,
              columns,
              from,
              from + rows,
              sum,
              at,
              stride,
              false);
          int[][] high = new int[3][size];
          int[][] low = new int[3][size];
          int[] before = random.ints(size, -1000, 1000).toArray();
          for (int k = 0; k < 3; k++) {
            System.arraycopy(before, 0, high[k], 0, size);
            System.arraycopy(before, 0, low[k], 0, size);
          }
          for (int k = 0; k < depth; k++) {
            int row = at + k * stride;
            if (share != 0) {
              SCALAR.addScaled(share, parameters, row, sum, row, columns);
            }
            SCALAR.drain(sum, row, row + columns, 0x1p7f, high[0], low[0]);
          }
          Kernels[] both = {SCALAR, SIMD};
          for (int k = 0; k < 2; k++) {
            both[k].outerRounded(
                in,
                base,
                inAt,
                depth,
                delta,
                deltaBase,
                columns,
                from,
                from + rows,
                share,
                share == 0 ? null : parameters,
                at,
                stride,
                0x1p7f,
                high[k + 1],
                low[k + 1]);
            String what = rows + " rows, depth " + depth + ", share " + share + ", kernels " + k;
            assertArrayEquals(high[0], high[k + 1], what);
            assertArrayEquals(low[0], low[k + 1], what);
          }
        }
      }
    }
  }

  @Test
  void addRuns() {
    SplittableRandom random = new SplittableRandom(3);
    for (int length : SIZES) {
      for (int count = 1; count <= 4; count++) {
        int[] runs = random.ints(count, 0, 100).toArray();
        int[] base = random.ints(7, 0, 100).toArray();
        float[] shares = random(random, 7 * count * length);
        float[] before = random(random, 205 + length);
        float[] after =
            same(
                before,
                (kernels, to) -> kernels.addRuns(shares, 7, runs, length, to, base, 3),
                "length " + length);
        boolean[] written = new boolean[before.length];
        for (int b : base) {
          for (int r : runs) {
            Arrays.fill(written, 3 + b + r, 3 + b + r + length, true);
          }
        }
        untouched(before, after, written);
      }
    }
  }

  @Test
  void sumsScalingsAndColumns() {
    SplittableRandom random = new SplittableRandom(4);
    for (int length : SIZES) {
      float[] a = random(random, 20 * length + 9);
      float factor = (float) random.nextDouble(-2, 2);
      float[] before = random(random, length + 20);
      boolean[] written = new boolean[before.length];
      Arrays.fill(written, 7, 7 + length, true);
      String what = "length " + length;
      untouched(
          before,
          same(before, (kernels, to) -> kernels.addScaled(factor, a, 5, to, 7, length), what),
          written);
      untouched(
          before,
          same(before, (kernels, to) -> kernels.scale(factor, to, 7, length), what),
          written);
      for (int rows : new int[] {0, 1, 2, 4, 19}) {
        int stride = length + rows;
        float[] many = random(random, 3 + rows * stride);
        float[] factors = random(random, rows);
        untouched(
            before,
            same(
                before,
                (kernels, to) ->
                    kernels.addScaledRows(factors, rows, many, 3, stride, to, 7, length),
                what),
            written);
        untouched(
            before,
            same(before, (kernels, to) -> kernels.columnSums(a, 3, rows, length, to, 7), what),
            written);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 17, 63, 64, 65, 200, 2047, 2048, 2049, 5000})
  void sumsOfSquaresAreTheSameAndClose(int length) {
    SplittableRandom random = new SplittableRandom(length);
    for (double size : new double[] {1, 1e-18, 1e-22, 1e-25, 1e-38, 1e17}) {
      float[] a = new float[length + 3 + Kernels.SLACK];
      double exact = 0;
      for (int i = 0; i < a.length; i++) {
        a[i] = (float) (size * random.nextDouble(0.5, 1));
        exact += i >= 3 && i < 3 + length ? (double) a[i] * a[i] : 0;
      }
      double found = SIMD.sumOfSquares(a, 3, 3 + length);
      assertEquals(SCALAR.sumOfSquares(a, 3, 3 + length), found, 0);
      assertTrue(
          found >= exact * (1 - 0x1p-17),
          "a norm must not be lost to underflow: " + found + " for " + exact);
      assertTrue(found <= exact * (1 + 0x1p-17) + length * 0x1p-148, found + " for " + exact);
    }
  }

  @Test
  void sumsOfSquaresThatSinglePrecisionCannotHoldAreNotFinite() {
    for (int length : new int[] {1, 64, 100, 3000}) {
      for (float bad : new float[] {1e30f, Float.NaN, Float.NEGATIVE_INFINITY}) {
        for (int at : new int[] {0, length / 2, length - 1}) {
          float[] a = new float[length + Kernels.SLACK];
          a[at] = bad;
          assertFalse(Double.isFinite(SIMD.sumOfSquares(a, 0, length)), bad + " at " + at);
          assertFalse(Double.isFinite(SCALAR.sumOfSquares(a, 0, length)), bad + " at " + at);
        }
      }
    }
  }

  @Test
  void drainRoundsToTheNearestWholeNumber() {
    SplittableRandom random = new SplittableRandom(5);
    for (int length : SIZES) {
      float[] a = new float[length + 5 + Kernels.SLACK];
      for (int i = 0; i < a.length; i++) {
        a[i] = (float) (random.nextDouble(-1, 1) * Math.scalb(0.999, random.nextInt(-3, 30) - 7));
      }
      int[][] high = new int[2][];
      int[][] low = new int[2][];
      Kernels[] both = {SCALAR, SIMD};
      for (int k = 0; k < 2; k++) {
        float[] copy = a.clone();
        high[k] = new int[a.length];
        low[k] = new int[a.length];
        Arrays.fill(high[k], 11);
        Arrays.fill(low[k], -7);
        both[k].drain(copy, 2, 2 + length, 128, high[k], low[k]);
        for (int i = 0; i < a.length; i++) {
          boolean inside = i >= 2 && i < 2 + length;
          long whole = ((high[k][i] - 11L) << 16) + low[k][i] + 7;
          assertEquals(inside ? 0 : a[i], copy[i]);
          assertEquals(inside ? (long) Math.rint(128.0 * a[i]) : 0, whole);
          assertTrue(Math.abs(low[k][i] + 7) <= 1 << 15, "low part " + low[k][i]);
        }
      }
      assertArrayEquals(high[0], high[1]);
      assertArrayEquals(low[0], low[1]);
    }
  }

  private static PointwiseFunction[] functions(PointwiseFunction.Kind kind) {
    return switch (kind) {
      case LEAKY ->
          new PointwiseFunction[] {
            new PointwiseFunction(kind, 0, 0, 0), new PointwiseFunction(kind, -0.3f, 0, 0)
          };
      case ELU ->
          new PointwiseFunction[] {
            new PointwiseFunction(kind, 1, 0, 0), new PointwiseFunction(kind, 1.7f, 0, 0)
          };
      case SIGMOID ->
          new PointwiseFunction[] {
            new PointwiseFunction(kind, 1, 1, 0),
            new PointwiseFunction(kind, 2, 2, 1),
            new PointwiseFunction(kind, -1.5f, 0.7f, 0.2f)
          };
      default -> new PointwiseFunction[] {new PointwiseFunction(kind, 0, 0, 0)};
    };
  }

  @ParameterizedTest
  @EnumSource
  void functionsOfAValue(PointwiseFunction.Kind kind) {
    SplittableRandom random = new SplittableRandom(6);
    for (PointwiseFunction f : functions(kind)) {
      for (int length : SIZES) {
        float[] in = random(random, length);
        for (int i = 0; i < length; i += 2) {
          in[i] = EXTREMES[random.nextInt(EXTREMES.length)];
        }
        float[] dOut = random(random, length);
        float[] before = random(random, length);
        boolean[] written = new boolean[before.length];
        Arrays.fill(written, 0, length, true);
        float[] out =
            same(before, (kernels, to) -> kernels.activate(f, in, to, length), f.toString());
        untouched(before, out, written);
        untouched(
            before,
            same(
                before,
                (kernels, to) -> kernels.activateBack(f, in, out, dOut, to, length),
                "back " + f),
            written);
      }
      // Every extreme value in every lane, and in a tail.
      for (float extreme : EXTREMES) {
        float[] in = new float[33 + Kernels.SLACK];
        float[] ones = new float[in.length];
        Arrays.fill(in, extreme);
        Arrays.fill(ones, 1);
        float[] out =
            same(
                new float[in.length],
                (kernels, to) -> kernels.activate(f, in, to, 33),
                f + " of " + extreme);
        same(
            new float[in.length],
            (kernels, to) -> kernels.activateBack(f, in, out, ones, to, 33),
            "slope of " + f + " at " + extreme);
      }
    }
  }

  private static double truth(PointwiseFunction f, double x) {
    return switch (f.kind()) {
      case LEAKY -> x > 0 ? x : f.a() * x;
      case ELU -> x > 0 ? x : f.a() * Math.expm1(x);
      case GELU -> 0.5 * x * org.apache.commons.numbers.gamma.Erfc.value(-x / Math.sqrt(2));
      case TANH -> Math.tanh(x);
      case SIGMOID -> f.a() / (1 + Math.exp(-(double) f.b() * x)) - f.c();
    };
  }

  private static double trueSlope(PointwiseFunction f, double x) {
    return switch (f.kind()) {
      case LEAKY -> x > 0 ? 1 : f.a();
      case ELU -> x > 0 ? 1 : f.a() * Math.exp(x);
      case GELU ->
          0.5 * org.apache.commons.numbers.gamma.Erfc.value(-x / Math.sqrt(2))
              + x * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
      case TANH -> 1 / Math.pow(Math.cosh(x), 2);
      case SIGMOID -> {
        double s = 1 / (1 + Math.exp(-(double) f.b() * x));
        yield f.a() * f.b() * s * (1 - s);
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void functionsAreCloseToTheTruth(PointwiseFunction.Kind kind) {
    int count = 40_000;
    float[] in = new float[count + Kernels.SLACK];
    for (int i = 0; i < count; i++) {
      in[i] = i % 2 == 0 ? (float) (-120 + 240.0 * i / count) : (float) (-3 + 6.0 * i / count);
    }
    float[] ones = new float[in.length];
    Arrays.fill(ones, 1);
    float[] out = new float[in.length];
    float[] slope = new float[in.length];
    for (PointwiseFunction f : functions(kind)) {
      SIMD.activate(f, in, out, count);
      SIMD.activateBack(f, in, out, ones, slope, count);
      for (int i = 0; i < count; i++) {
        double y = truth(f, in[i]);
        assertEquals(y, out[i], 3e-7 * Math.max(1, Math.abs(y)), f + " of " + in[i]);
        assertEquals(trueSlope(f, in[i]), slope[i], 6e-7, "slope of " + f + " at " + in[i]);
      }
    }
  }

  @Test
  void theExponentialIsGoodToAFewUnitsInTheLastPlace() {
    for (float x = -86.9f; x < 87.9f; x += 0.0137f) {
      assertEquals(1, ScalarKernels.exp(x) / Math.exp(x), 3e-7, "exp of " + x);
    }
    assertTrue(ScalarKernels.exp(-1e30f) < 1e-37 && ScalarKernels.exp(1e30f) > 1e38);
  }

  /** Taps of windows that overlap and reach over the rim. */
  private static WindowTables.Taps taps(int channels, Window window) {
    Shape input = new Shape(5, 4, channels);
    return WindowTables.Taps.of(window, input, new Layer.MaxPool(window).output(input));
  }

  private static final List<Window> WINDOWS =
      List.of(
          new Window(1, 1, 1, 1, 0, 0),
          new Window(2, 2, 1, 1, 0, 0),
          new Window(3, 2, 2, 1, 1, 1),
          new Window(4, 3, 1, 3, 2, 0));

  @Test
  void maxPooling() {
    SplittableRandom random = new SplittableRandom(7);
    float[] special = {0, 1, 1, -1e30f, Float.MAX_VALUE, -Float.MAX_VALUE, Float.MIN_VALUE};
    for (int channels : SIZES) {
      for (Window window : WINDOWS) {
        WindowTables.Taps taps = taps(channels, window);
        int outputs = taps.positions() * channels;
        float[] in = random(random, 20 * channels + 5);
        for (int i = 0; i < in.length; i += 2) {
          in[i] = special[random.nextInt(special.length)];
        }
        float[] before = random(random, outputs + 9);
        boolean[] written = new boolean[before.length];
        Arrays.fill(written, 4, 4 + outputs, true);
        int[][] winners = new int[2][];
        float[] out =
            same(
                before,
                (kernels, to) -> {
                  int[] winner = new int[before.length];
                  Arrays.fill(winner, -9);
                  kernels.maxPool(in, 5, taps, channels, to, winner, 4);
                  winners[kernels == SIMD ? 1 : 0] = winner;
                },
                "largest of " + window);
        untouched(before, out, written);
        assertArrayEquals(winners[0], winners[1]);
        for (int i = 0; i < before.length; i++) {
          assertEquals(written[i], winners[1][i] >= 0, "winner at " + i);
        }
        for (int p = 0; p < taps.positions(); p++) {
          for (int c = 0; c < channels; c++) {
            int first = taps.start()[p];
            for (int t = first; t < taps.start()[p + 1]; t++) {
              int place = 5 + taps.places()[t] + c;
              first = in[place] > in[5 + taps.places()[first] + c] ? t : first;
            }
            assertEquals(first - taps.start()[p], winners[1][4 + p * channels + c]);
            assertEquals(in[5 + taps.places()[first] + c], out[4 + p * channels + c]);
          }
        }
        float[] dOut = random(random, outputs + 9);
        WindowTables.Seen seen = WindowTables.Seen.of(taps, 20, channels);
        float[] dIn =
            same(
                random(random, 20 * channels + 5),
                (kernels, to) -> kernels.maxPoolBack(to, 5, seen, channels, dOut, winners[1], 4),
                "back of " + window);
        float[] scattered = new float[20 * channels];
        for (int p = 0; p < taps.positions(); p++) {
          for (int c = 0; c < channels; c++) {
            int i = 4 + p * channels + c;
            scattered[taps.places()[taps.start()[p] + winners[1][i]] + c] += dOut[i];
          }
        }
        assertArrayEquals(scattered, Arrays.copyOfRange(dIn, 5, 5 + scattered.length));
      }
    }
  }

  @Test
  void averagePooling() {
    SplittableRandom random = new SplittableRandom(8);
    for (int channels : SIZES) {
      for (Window window : WINDOWS) {
        WindowTables.Taps taps = taps(channels, window);
        int outputs = taps.positions() * channels;
        float share = 1f / window.size();
        float[] in = random(random, 20 * channels + 5);
        float[] before = random(random, outputs + 9);
        boolean[] written = new boolean[before.length];
        Arrays.fill(written, 4, 4 + outputs, true);
        untouched(
            before,
            same(
                before,
                (kernels, to) -> kernels.averagePool(in, 5, taps, channels, share, to, 4),
                "mean of " + window),
            written);
        float[] dOut = random(random, outputs + 9);
        float[] target = random(random, 20 * channels + 5);
        boolean[] seen = new boolean[target.length];
        for (int place : taps.places()) {
          Arrays.fill(seen, 5 + place, 5 + place + channels, true);
        }
        untouched(
            target,
            same(
                target,
                (kernels, to) -> kernels.averagePoolBack(to, 5, taps, channels, share, dOut, 4),
                "back of " + window),
            seen);
      }
    }
  }

  @Test
  void oneBitMoreWouldBeSeen() {
    float[] a = {1, 2, 3};
    float[] b = {1, Math.nextUp(2f), 3};
    org.junit.jupiter.api.Assertions.assertThrows(
        AssertionError.class,
        () -> same(new float[3], (k, to) -> System.arraycopy(k == SIMD ? a : b, 0, to, 0, 3), ""));
  }
}
