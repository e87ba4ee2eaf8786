package dev.discreet.core.engine.cpu.internal.features;

import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.MirroredExamples;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import java.util.function.Supplier;

/** Features of examples, and behind them those of their mirror images. */
public record MirroredFeatures(StoredFeatures all, int size) implements MirroredExamples {

  /** Those of all examples, by the first layer of the network. */
  public static MirroredFeatures of(
      Layout layout, Examples images, Supplier<Kernels> kernels, int threads) {
    return new MirroredFeatures(
        StoredFeatures.of(layout, new BothWays(images), kernels, threads), images.size());
  }

  /** Images, and behind them their mirror images. */
  private record BothWays(Examples images) implements Examples {
    private static final Augmentation MIRROR = new Augmentation(true, 0, 0, 2);

    @Override
    public int size() {
      return Math.multiplyExact(2, images.size());
    }

    @Override
    public Shape input() {
      return images.input();
    }

    @Override
    public int targets() {
      return images.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      int image = example % images.size();
      images.input(image, to, at);
      if (example != image) {
        float[] read = new float[input().size()];
        System.arraycopy(to, at, read, 0, read.length);
        MIRROR.view(0, 0, 1, input(), read, to, at);
      }
    }

    @Override
    public void target(int example, float[] to, int at) {
      images.target(example % images.size(), to, at);
    }
  }

  @Override
  public Shape input() {
    return all.input();
  }

  @Override
  public int targets() {
    return all.targets();
  }

  @Override
  public void input(int example, float[] to, int at) {
    all.input(example, to, at);
  }

  @Override
  public void mirrored(int example, float[] to, int at) {
    all.input(size + example, to, at);
  }

  @Override
  public void target(int example, float[] to, int at) {
    all.target(example, to, at);
  }
}
