package dev.discreet.data.generate;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.rows.ByteImages;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Digits as if written by hand, bright on dark as in MNIST, drawn from our own strokes. Fonts would
 * differ between machines.
 */
record DigitImages() implements Generator {
  /**
   * Mean and deviation of the pixels of seed 0, in [0, 1]. They are constants, so that normalising
   * spends nothing.
   */
  private static final double MEAN = 0.113;

  private static final double DEVIATION = 0.239;

  /** Rows that one thread makes with one hand. */
  private static final int BLOCK = 256;

  @Override
  public GeneratedSet describe(String name) {
    return new GeneratedSet(
        name,
        "handwritten-like digits drawn from strokes",
        20_000,
        4_000,
        new Shape(DigitWriter.SIDE, DigitWriter.SIDE, 1),
        new Task.Classes(IntStream.range(0, 10).mapToObj(Integer::toString).toList()),
        List.of(),
        List.of(MEAN),
        List.of(DEVIATION));
  }

  @Override
  public Examples rows(long seed, int stream, int n) {
    return rows(Handwriting.USUAL, seed, stream, n);
  }

  static Examples rows(Handwriting manner, long seed, int stream, int n) {
    int size = DigitWriter.SIDE * DigitWriter.SIDE;
    byte[] pixels = new byte[n * size];
    byte[] labels = new byte[n];
    IntStream.range(0, (n + BLOCK - 1) / BLOCK)
        .parallel()
        .forEach(
            block -> {
              DigitWriter hand = new DigitWriter(manner);
              for (int i = block * BLOCK; i < Math.min(n, (block + 1) * BLOCK); i++) {
                SplitMix random = SplitMix.of(seed, stream, i);
                labels[i] = (byte) random.below(10);
                hand.write(labels[i], random, pixels, i * size);
              }
            });
    return new ByteImages(
        new Shape(DigitWriter.SIDE, DigitWriter.SIDE, 1),
        pixels,
        labels,
        new double[] {MEAN},
        new double[] {DEVIATION});
  }
}
