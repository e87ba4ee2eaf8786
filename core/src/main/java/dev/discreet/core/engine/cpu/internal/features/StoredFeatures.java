package dev.discreet.core.engine.cpu.internal.features;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.parallel.ThreadTeam;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The features of examples, computed once. They lie in half precision in a file of the temporary
 * folder that has no name once it is open: nobody else can open it, and it is gone when nobody
 * reads it any more, whatever becomes of this process.
 *
 * <p>Where an example cannot be read, or has a value that is no number, so can its features: asking
 * for them does what asking for the example did, or gives no numbers.
 */
public final class StoredFeatures implements Examples {
  private static final int BYTES = 2;
  private static final int BLOCK = 16;

  /** The largest part of a file that Java maps at once. */
  private static final long PART = Integer.MAX_VALUE;

  private final Examples images;
  private final Shape shape;
  private final boolean[] usable;
  private final int examplesPerPart;
  private final ShortBuffer[] parts;

  private StoredFeatures(Examples images, Shape shape, boolean[] usable, ShortBuffer[] parts) {
    this.images = images;
    this.shape = shape;
    this.usable = usable;
    this.examplesPerPart = examplesPerPart(shape);
    this.parts = parts;
  }

  private static int examplesPerPart(Shape shape) {
    return (int) Math.max(1, PART / BYTES / shape.size());
  }

  /** The features of all examples, by the first layer of the network. */
  public static StoredFeatures of(
      Layout layout, Examples images, Supplier<Kernels> kernels, int threads) {
    return of(layout, images, kernels, threads, Path.of(System.getProperty("java.io.tmpdir")));
  }

  static StoredFeatures of(
      Layout layout, Examples images, Supplier<Kernels> kernels, int threads, Path folder) {
    Scattering layer = (Scattering) layout.network().layers().get(0);
    ScatteringFilters filters = new ScatteringFilters(layer, layout.input(), kernels.get());
    Shape shape = filters.output;
    boolean[] usable = new boolean[images.size()];
    try {
      try (FileChannel file = open(folder);
          ThreadTeam team = new ThreadTeam(threads)) {
        AtomicInteger next = new AtomicInteger();
        team.run(
            number -> {
              Block block = new Block(new ScatteringTransform(kernels.get(), filters), images);
              try {
                int from;
                while ((from = next.getAndAdd(BLOCK)) < usable.length) {
                  block.write(file, from, Math.min(usable.length, from + BLOCK), usable);
                }
              } catch (IOException e) {
                throw cannotKeep(folder, e);
              }
            });
        return new StoredFeatures(images, shape, usable, mapped(file, shape, usable.length));
      }
    } catch (IOException e) {
      throw cannotKeep(folder, e);
    }
  }

  /** Only its owner may read it, and its name is gone as soon as it is open. */
  private static FileChannel open(Path folder) throws IOException {
    Path path = Files.createTempFile(folder, "discreet-", ".features");
    try {
      return FileChannel.open(
          path,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } finally {
      // Windows keeps the name of a file that is open, or mapped.
      if (Files.exists(path) && !path.toFile().delete()) {
        path.toFile().deleteOnExit();
      }
    }
  }

  private static UncheckedIOException cannotKeep(Path folder, IOException e) {
    return new UncheckedIOException(
        folder
            + " must be writable and have room for the features of all images: "
            + e.getClass().getSimpleName()
            + ", "
            + e.getMessage(),
        e);
  }

  private static ShortBuffer[] mapped(FileChannel file, Shape shape, int examples)
      throws IOException {
    int each = examplesPerPart(shape);
    ShortBuffer[] parts = new ShortBuffer[(examples + each - 1) / each];
    long bytes = (long) shape.size() * BYTES;
    for (int i = 0; i < parts.length; i++) {
      int count = Math.min(each, examples - i * each);
      parts[i] =
          file.map(MapMode.READ_ONLY, i * each * bytes, count * bytes)
              .order(ByteOrder.nativeOrder())
              .asShortBuffer();
    }
    return parts;
  }

  /** One thread's buffers while features are computed. */
  private static final class Block {
    private final ScatteringTransform transform;
    private final Examples images;
    private final float[] image;
    private final float[] features;
    private final ByteBuffer bytes;

    Block(ScatteringTransform transform, Examples images) {
      this.transform = transform;
      this.images = images;
      this.image = new float[images.input().size() + Kernels.SLACK];
      this.features = new float[transform.output().size() + Kernels.SLACK];
      this.bytes =
          ByteBuffer.allocateDirect(BLOCK * transform.output().size() * BYTES)
              .order(ByteOrder.nativeOrder());
    }

    void write(FileChannel file, int from, int to, boolean[] usable) throws IOException {
      int size = transform.output().size();
      bytes.clear().limit((to - from) * size * BYTES);
      for (int i = from; i < to; i++) {
        usable[i] = read(i);
        if (usable[i]) {
          transform.apply(image, 0, features, 0);
        }
        for (int j = 0; j < size; j++) {
          bytes.putShort(usable[i] ? HalfFloats.of(features[j]) : 0);
        }
      }
      bytes.flip();
      for (long at = (long) from * size * BYTES; bytes.hasRemaining(); ) {
        at += file.write(bytes, at);
      }
    }

    private boolean read(int example) {
      int size = images.input().size();
      Arrays.fill(image, 0, size, Float.NaN);
      try {
        images.input(example, image, 0);
      } catch (RuntimeException e) {
        return false;
      }
      for (int i = 0; i < size; i++) {
        if (!Float.isFinite(image[i])) {
          return false;
        }
      }
      return true;
    }
  }

  @Override
  public int size() {
    return usable.length;
  }

  @Override
  public Shape input() {
    return shape;
  }

  @Override
  public int targets() {
    return images.targets();
  }

  @Override
  public void input(int example, float[] to, int at) {
    if (!usable[example]) {
      images.input(example, new float[images.input().size()], 0);
      Arrays.fill(to, at, at + shape.size(), Float.NaN);
      return;
    }
    ShortBuffer part = parts[example / examplesPerPart];
    int from = example % examplesPerPart * shape.size();
    for (int i = 0; i < shape.size(); i++) {
      to[at + i] = HalfFloats.toFloat(part.get(from + i));
    }
  }

  @Override
  public void target(int example, float[] to, int at) {
    images.target(example, to, at);
  }
}
