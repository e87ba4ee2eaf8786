package dev.discreet.data.format;

import dev.discreet.core.nn.Shape;
import dev.discreet.data.Rows;
import dev.discreet.data.Task;
import java.awt.image.BufferedImage;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Images by class, {@code CLASS/FILE.png|jpg|jpeg}, in a folder or a zip file, perhaps below {@code
 * train/} and {@code test/}. Names of folders are the declared classes, in order of the alphabet.
 * All images have the size of the first.
 */
public final class ImageFolder {
  private static final int DEEPEST = 6;
  private static final int BATCH_BYTES = 1 << 25;
  private static final int MOST_SLICES = 32;

  private final Path path;
  private final Source source;
  private final boolean channelsDeclared;
  private final Task.Classes task;
  private final Shape shape;
  private final String first;

  /** Where files come from. */
  private interface Source extends Closeable {
    List<String> names() throws IOException;

    byte[] bytes(String name, int most) throws IOException;
  }

  /** A decoded image, or what was wrong with it. */
  private record Decoded(byte[] values, long fingerprint, IOException wrong) {}

  /** Reads all images. Figures for one channel ask for grey, for three for colours. */
  public static Parts read(Path path, PixelScale scale) throws IOException {
    try (Source source = Files.isDirectory(path) ? folder(path) : zip(path)) {
      ImageLayout layout = ImageLayout.of(path, source.names());
      ImageFolder folder = new ImageFolder(path, source, layout, scale);
      float[][] value = scale.ofBytes(folder.shape.channels());
      Rows train = folder.read(layout.train(), value);
      return new Parts(
          train,
          layout.test().isEmpty()
              ? Optional.empty()
              : Optional.of(folder.read(layout.test(), value)));
    } catch (IOException e) {
      throw Bad.named(path, e);
    } catch (UncheckedIOException e) { // of a listing
      throw Bad.named(path, e.getCause());
    }
  }

  private ImageFolder(Path path, Source source, ImageLayout layout, PixelScale scale)
      throws IOException {
    this.path = path;
    this.source = source;
    this.task = new Task.Classes(List.copyOf(layout.train().keySet()));
    this.first = layout.train().values().iterator().next().get(0);
    this.channelsDeclared = !scale.mean().isEmpty();
    byte[] file = source.bytes(first, ImageDecoder.mostBytes(Integer.MAX_VALUE));
    try (ImageDecoder decoder = new ImageDecoder()) {
      BufferedImage image = decoder.decode(file, 0, 0);
      int channels = channelsDeclared ? scale.mean().size() : ImageDecoder.grey(image) ? 1 : 3;
      if (channels != 1 && channels != 3) {
        throw new IllegalArgumentException(
            "mean and deviation must be one (grey) or three (colours). Provided value: "
                + channels);
      }
      this.shape = new Shape(image.getHeight(), image.getWidth(), channels);
    } catch (ImageDecoder.WrongSize e) {
      throw Bad.file(
          path, Bad.shown(first) + ": must have at most 2^24 pixels. Provided: " + e.getMessage());
    } catch (IOException e) {
      throw unreadable(first, e);
    }
  }

  private IOException unreadable(String name, IOException e) {
    return Bad.file(
        path, Bad.shown(name) + ": must be a readable PNG or JPEG image: " + e.getMessage());
  }

  /** Decodes batch by batch on all cores, and keeps the order. */
  private Rows read(Map<String, List<String>> classes, float[][] value) throws IOException {
    RowsBuilder rows = new RowsBuilder(new RowStore(shape.size()));
    int batch = Math.max(1, Math.min(1024, BATCH_BYTES / shape.size()));
    for (Map.Entry<String, List<String>> each : classes.entrySet()) {
      float target = task.names().indexOf(each.getKey());
      byte[] label = each.getKey().getBytes(StandardCharsets.UTF_8);
      List<String> names = each.getValue();
      for (int from = 0; from < names.size(); from += batch) {
        List<String> now = names.subList(from, Math.min(names.size(), from + batch));
        for (Decoded image : decode(now, label)) {
          if (image.wrong != null) {
            throw image.wrong;
          }
          rows.add(image.values, target, image.fingerprint);
        }
      }
    }
    return rows.images(shape, value, task);
  }

  private Decoded[] decode(List<String> names, byte[] label) {
    Decoded[] images = new Decoded[names.size()];
    int slices = Math.min(MOST_SLICES, images.length);
    IntStream.range(0, slices)
        .parallel()
        .forEach(
            slice -> {
              try (ImageDecoder decoder = new ImageDecoder()) {
                for (int i = slice; i < images.length; i += slices) {
                  images[i] = decode(decoder, names.get(i), label);
                }
              }
            });
    return images;
  }

  private Decoded decode(ImageDecoder decoder, String name, byte[] label) {
    byte[] file;
    try {
      file = source.bytes(name, ImageDecoder.mostBytes(shape.positions()));
    } catch (IOException e) {
      return new Decoded(null, 0, e);
    }
    try {
      BufferedImage image = decoder.decode(file, shape.width(), shape.height());
      if (!channelsDeclared && shape.channels() == 1 && !ImageDecoder.grey(image)) {
        return wrong(
            name,
            "must be grey, as the first image "
                + Bad.shown(first)
                + " is; declare a mean and deviation of three channels to read all in colour.");
      }
      return new Decoded(
          ImageDecoder.values(image, shape.channels()), Fingerprint.of("image", label, file), null);
    } catch (ImageDecoder.WrongSize e) {
      return wrong(
          name,
          "must be "
              + shape.width()
              + "x"
              + shape.height()
              + " as the first image "
              + Bad.shown(first)
              + " is. Provided: "
              + e.getMessage());
    } catch (IOException e) {
      return new Decoded(null, 0, unreadable(name, e));
    }
  }

  private Decoded wrong(String name, String what) {
    return new Decoded(null, 0, Bad.file(path, Bad.shown(name) + ": " + what));
  }

  private static Source zip(Path path) throws IOException {
    Zip zip = new Zip(path);
    return new Source() {
      @Override
      public List<String> names() {
        return zip.names();
      }

      @Override
      public byte[] bytes(String name, int most) throws IOException {
        return zip.bytes(name, most);
      }

      @Override
      public void close() throws IOException {
        zip.close();
      }
    };
  }

  private static Source folder(Path path) {
    return new Source() {
      @Override
      public List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        list(path, "", 0, names);
        return names;
      }

      @Override
      public byte[] bytes(String name, int most) throws IOException {
        Path file = path.resolve(name);
        try (InputStream in = Files.newInputStream(file)) {
          byte[] bytes = in.readNBytes(most);
          if (in.read() >= 0) {
            throw Bad.file(file, "must have at most " + most + " bytes.");
          }
          return bytes;
        } catch (IOException e) {
          throw Bad.named(file, e);
        }
      }

      @Override
      public void close() {}
    };
  }

  private static void list(Path folder, String prefix, int depth, List<String> names)
      throws IOException {
    try (Stream<Path> inside = Files.list(folder)) {
      for (Path each : inside.toList()) {
        String name = prefix + each.getFileName();
        if (Files.isDirectory(each)) {
          names.add(name + "/");
          if (depth < DEEPEST) {
            list(each, name + "/", depth + 1, names);
          }
        } else {
          names.add(name);
        }
      }
    }
  }
}
