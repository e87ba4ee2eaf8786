package dev.discreet.bench;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.PackedMatrix;
import dev.discreet.core.engine.cpu.internal.kernels.SimdKernels;
import dev.discreet.core.engine.cpu.internal.kernels.WindowTables;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The products of dense layers on one core beside those of a BLAS in Python, in turns: {@code
 * DenseSpeed ROUNDS SECONDS [python3 bench/peers/gemm.py [--torch]]}, or another command that
 * answers as gemm.py does. Each figure is the median
 * over the rounds of the best speed in a round; a convolution's products have no peer. {@code
 * -Donly=REGEX} takes the products whose "rows kind depth columns" it finds.
 */
public final class DenseSpeed {
  private final double seconds;
  private final PrintStream ask;
  private final BufferedReader answer;
  private final Kernels kernels = new SimdKernels();
  private final SplittableRandom random = new SplittableRandom(1);

  private DenseSpeed(double seconds, List<String> peer) throws IOException {
    this.seconds = seconds;
    if (peer.isEmpty()) {
      ask = null;
      answer = null;
      return;
    }
    ProcessBuilder builder =
        new ProcessBuilder(peer).redirectError(ProcessBuilder.Redirect.INHERIT);
    // A core type that others were told to take would be an unfair choice; DENSE_SPEED_CORE asks.
    builder.environment().remove("OPENBLAS_CORETYPE");
    String core = System.getenv("DENSE_SPEED_CORE");
    if (core != null) {
      builder.environment().put("OPENBLAS_CORETYPE", core);
    }
    Process process = builder.start();
    ask = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    answer =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    System.out.println("Peer: " + answer.readLine());
  }

  /** One product, and what it does once. */
  private record Product(String layer, String kind, int n, int depth, int columns, Runnable once) {
    String size() {
      return n + " " + kind + " " + depth + " " + columns;
    }

    double work() {
      return 2e-9 * n * depth * columns;
    }
  }

  public static void main(String[] args) throws IOException {
    System.out.printf(
        "Java %s, %d lanes%n", System.getProperty("java.version"), new SimdKernels().lanes());
    List<String> peer = Arrays.asList(args).subList(Math.min(2, args.length), args.length);
    new DenseSpeed(Double.parseDouble(args[1]), peer).run(Integer.parseInt(args[0]));
  }

  private List<Product> products() {
    List<Product> products = new ArrayList<>();
    for (int n : new int[] {8, 24, 75, 96, 600}) {
      products.add(multiply("dense(1000) on 784", n, 784, 1000));
      products.add(multiply("its input gradient", n, 1000, 784));
      products.add(outer("its weight gradient", n, 784, 1000));
      products.add(rounded("its weight gradient, rounded", n, 784, 1000));
      products.add(multiply("dense(10) on 1000", n, 1000, 10));
      products.add(multiply("its input gradient", n, 10, 1000));
      products.add(outer("its weight gradient", n, 1000, 10));
    }
    products.add(multiply("dense(32) on 512", 8, 512, 32));
    products.add(multiply("its input gradient", 8, 32, 512));
    products.add(outer("its weight gradient", 8, 512, 32));
    convolution(products, "conv(16, 8, stride 2)", 8, 28 + 4, 1, 8, 2, 16);
    convolution(products, "conv(32, 4, stride 2)", 8, 13, 16, 4, 2, 32);
    convolution(products, "conv(32, 3)", 8, 34, 32, 3, 1, 32);
    convolution(products, "conv(64, 3)", 8, 18, 32, 3, 1, 64);
    convolution(products, "conv(128, 3)", 8, 10, 64, 3, 1, 128);
    return products;
  }

  private float[] values(int length) {
    float[] values = new float[length + Kernels.SLACK];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble();
    }
    return values;
  }

  private Product multiply(String layer, int n, int depth, int columns) {
    PackedMatrix weights = packed(depth, columns);
    float[] in = values(n * depth);
    float[] out = values(n * columns);
    int[] base = WindowTables.steps(n, depth);
    int[] outBase = WindowTables.steps(n, columns);
    int[] offset = WindowTables.steps(depth, 1);
    return new Product(
        layer,
        "multiply",
        n,
        depth,
        columns,
        () -> kernels.multiply(in, base, n, offset, weights, out, outBase, 0));
  }

  private PackedMatrix packed(int depth, int columns) {
    PackedMatrix weights = new PackedMatrix(depth, columns, kernels.lanes());
    weights.load(values(depth * columns), 0, columns, 1, 0, 1);
    weights.loadBias(values(columns), 0);
    return weights;
  }

  private Product outer(String layer, int n, int depth, int columns) {
    float[] in = values(n * depth);
    float[] delta = values(n * columns);
    float[] gradient = values(depth * columns);
    int[] base = WindowTables.steps(n, depth);
    int[] deltaBase = WindowTables.steps(n, columns);
    int[] offset = WindowTables.steps(depth, 1);
    return new Product(
        layer,
        "outer",
        n,
        depth,
        columns,
        () ->
            kernels.outer(
                in, base, offset, delta, deltaBase, 0, columns, 0, n, gradient, 0, columns, false));
  }

  private Product rounded(String layer, int n, int depth, int columns) {
    float[] in = values(n * depth);
    float[] delta = values(n * columns);
    int[] high = new int[depth * columns];
    int[] low = new int[depth * columns];
    int[] base = WindowTables.steps(n, depth);
    int[] deltaBase = WindowTables.steps(n, columns);
    return new Product(
        layer,
        "outer",
        n,
        depth,
        columns,
        () ->
            kernels.outerRounded(
                in, base, 0, depth, delta, deltaBase, columns, 0, n, 0, null, 0, columns, 16, high,
                low));
  }

  /** As a layer runs it on a tile of {@code n} examples, with sides padded already. */
  private void convolution(
      List<Product> to,
      String layer,
      int n,
      int side,
      int channels,
      int window,
      int stride,
      int outputs) {
    int across = (side - window) / stride + 1;
    int size = side * side * channels;
    int positions = across * across;
    int depth = window * window * channels;
    int[] one = new int[positions];
    Arrays.setAll(one, p -> (p / across * side + p % across) * stride * channels);
    int[] base = WindowTables.tiled(one, n, size);
    int[] offset = new int[depth];
    int row = window * channels;
    Arrays.setAll(offset, k -> k / row * side * channels + k % row);
    float[] in = values(n * size);
    float[] out = values(n * positions * outputs);
    float[] gradients = values(n * depth * outputs);
    int[] outBase = WindowTables.steps(n * positions, outputs);
    PackedMatrix weights = packed(depth, outputs);
    to.add(
        new Product(
            layer,
            "",
            n * positions,
            depth,
            outputs,
            () -> kernels.multiply(in, base, base.length, offset, weights, out, outBase, 0)));
    PackedMatrix backward = packed(outputs, depth);
    float[] shares = values(n * positions * depth);
    int[] shareBase = WindowTables.steps(n * positions, depth);
    int[] along = WindowTables.steps(outputs, 1);
    to.add(
        new Product(
            "its input gradient",
            "",
            n * positions,
            outputs,
            depth,
            () ->
                kernels.multiply(
                    out, outBase, base.length, along, backward, shares, shareBase, 0)));
    to.add(
        new Product(
            "its weight gradient",
            "",
            n * positions,
            depth,
            outputs,
            () -> {
              for (int e = 0; e < n; e++) {
                kernels.outer(
                    in,
                    base,
                    offset,
                    out,
                    outBase,
                    0,
                    outputs,
                    e * positions,
                    (e + 1) * positions,
                    gradients,
                    e * depth * outputs,
                    outputs,
                    false);
              }
            }));
  }

  private void run(int rounds) throws IOException {
    List<Product> products = products();
    String only = System.getProperty("only", "");
    products.removeIf(each -> !each.size().matches(".*(" + only + ").*"));
    double[][] ours = new double[products.size()][rounds];
    double[][] theirs = new double[products.size()][rounds];
    // What has run only once or with one shape is compiled for that; so first all of them.
    for (int i = 0; i < 3; i++) {
      for (Product each : products) {
        speed(each, 0.1);
      }
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < products.size(); i++) {
        Product each = products.get(i);
        ours[i][round] = speed(each, seconds);
        if (ask != null && !each.kind().isEmpty()) {
          ask.printf(
              "%s %d %d %d %s%n", each.kind(), each.n(), each.depth(), each.columns(), seconds);
          theirs[i][round] = Double.parseDouble(answer.readLine());
        }
      }
    }
    System.out.println("| layer | rows | product | ours, GFLOP/s | BLAS | ours / BLAS |");
    System.out.println("| --- | ---: | --- | ---: | ---: | ---: |");
    for (int i = 0; i < products.size(); i++) {
      Product each = products.get(i);
      double we = median(ours[i]);
      double they = median(theirs[i]);
      System.out.printf(
          Locale.ROOT,
          "| %s | %d | %d x %d | %.1f | %s |%n",
          each.layer(),
          each.n(),
          each.depth(),
          each.columns(),
          we,
          they == 0 ? "| " : String.format(Locale.ROOT, "%.1f | %.2f", they, we / they));
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The best GFLOP/s of some seconds. */
  private static double speed(Product product, double seconds) {
    int batch = (int) Math.max(1, 0.004 / product.work());
    long best = Long.MAX_VALUE;
    long end = System.nanoTime() + (long) (1e9 * seconds);
    do {
      long start = System.nanoTime();
      for (int i = 0; i < batch; i++) {
        product.once().run();
      }
      best = Math.min(best, System.nanoTime() - start);
    } while (System.nanoTime() < end);
    return product.work() * batch / best * 1e9;
  }
}
