package dev.discreet.data.format;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.internal.Zip;
import dev.discreet.data.rows.RowStore;
import dev.discreet.data.rows.RowsBuilder;
import java.awt.image.BufferedImage;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Images by class, {@code CLASS/FILE.png|jpg|jpeg}, in a folder or a zip file, perhaps below {@code
 * train/} and {@code test/}. Size, channels, classes and whether there are such parts are declared;
 * an image that does not fit them, or that cannot be read, counts as zero.
 */
public final class ImageFolder {
  private static final int DEEPEST = 6;
  private static final int BATCH_BYTES = 1 << 25;
  private static final int MOST_SLICES = 32;

  private final Path path;
  private final Source source;
  private final ImageKind kind;

  /** Where files come from. */
  private interface Source extends Closeable {
    List<String> names() throws IOException;

    byte[] bytes(String name, int most) throws IOException;

    /** Refuses a source that proved unusable as a whole; asked after everything was read. */
    void check() throws IOException;
  }

  /** A decoded image, or what was wrong with it. */
  private record Decoded(byte[] values, long fingerprint, String wrong) {}

  private ImageFolder(Path path, Source source, ImageKind kind) {
    this.path = path;
    this.source = source;
    this.kind = kind;
  }

  /**
   * Reads all images. Where colours are declared, a grey image has three equal channels.
   *
   * @param testFolder whether the folders {@code train/} and {@code test/} are parts: declared, for
   *     one image below {@code test/} must not decide which others are trained on
   */
  public static FileRows read(Path path, ImageKind kind, PixelScale scale, boolean testFolder)
      throws IOException {
    float[][] value = scale.ofBytes(kind.input().channels());
    try (Source source = source(path)) {
      ImageLayout layout = ImageLayout.of(source.names(), kind.classes().names(), testFolder);
      if (layout.train().isEmpty()) {
        throw FileErrors.file(path, "must hold images as CLASS/FILE.png or .jpg. Provided: none");
      }
      if (testFolder && layout.test().isEmpty()) {
        throw FileErrors.file(
            path, "must hold images below train/ and test/, as declared. Provided: none in test/");
      }
      ImageFolder folder = new ImageFolder(path, source, kind);
      Rows train = folder.read(layout.train(), value);
      Optional<Rows> test =
          testFolder ? Optional.of(folder.read(layout.test(), value)) : Optional.empty();
      source.check();
      return new FileRows(train, test);
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    } catch (UncheckedIOException e) { // of a listing
      throw FileErrors.named(path, e.getCause());
    }
  }

  /** What a folder or zip of public images declares: their classes and the size of the first. */
  public static ImageKind kind(Path path) throws IOException {
    try (Source source = source(path)) {
      List<ImageLayout.Image> images = ImageLayout.all(source.names());
      List<String> classes = images.stream().map(ImageLayout.Image::folder).distinct().toList();
      if (classes.size() < 2) {
        throw FileErrors.file(
            path,
            "must hold images as CLASS/FILE.png or .jpg, of at least two classes. Provided: "
                + (classes.isEmpty() ? "none" : FileErrors.shown(classes.get(0))));
      }
      String first = images.get(0).name();
      try (ImageDecoder decoder = new ImageDecoder()) {
        byte[] file = source.bytes(first, ImageDecoder.mostBytes(Integer.MAX_VALUE));
        BufferedImage image = decoder.decode(file, 0, 0);
        int channels = ImageDecoder.grey(image) ? 1 : 3;
        return new ImageKind(
            new Shape(image.getHeight(), image.getWidth(), channels), new Task.Classes(classes));
      } catch (IOException e) {
        throw FileErrors.file(path, FileErrors.shown(first) + ": " + unreadable(e));
      }
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    } catch (UncheckedIOException e) {
      throw FileErrors.named(path, e.getCause());
    }
  }

  private static String unreadable(IOException e) {
    return "must be a readable PNG or JPEG image: " + e.getMessage();
  }

  /** Decodes batch by batch on all cores, and keeps the order. */
  private Rows read(List<ImageLayout.Image> images, float[][] value) throws IOException {
    Shape shape = kind.input();
    RowsBuilder rows = new RowsBuilder(new RowStore(shape.size()));
    int batch = Math.max(1, Math.min(1024, BATCH_BYTES / shape.size()));
    for (int from = 0; from < images.size(); from += batch) {
      List<ImageLayout.Image> now = images.subList(from, Math.min(images.size(), from + batch));
      Decoded[] decoded = decode(now);
      for (int i = 0; i < decoded.length; i++) {
        ImageLayout.Image image = now.get(i);
        if (decoded[i].wrong.isEmpty()) {
          int target = kind.classes().names().indexOf(image.folder());
          rows.add(decoded[i].values, target, decoded[i].fingerprint);
        } else {
          String wrong = FileErrors.shown(image.name()) + ": " + decoded[i].wrong;
          rows.misfit(decoded[i].fingerprint, FileErrors.message(path, wrong));
        }
      }
    }
    return rows.images(shape, value, kind.classes());
  }

  private Decoded[] decode(List<ImageLayout.Image> names) {
    Decoded[] images = new Decoded[names.size()];
    int slices = Math.min(MOST_SLICES, images.length);
    IntStream.range(0, slices)
        .parallel()
        .forEach(
            slice -> {
              try (ImageDecoder decoder = new ImageDecoder()) {
                for (int i = slice; i < images.length; i += slices) {
                  images[i] = decode(decoder, names.get(i));
                }
              }
            });
    return images;
  }

  private Decoded decode(ImageDecoder decoder, ImageLayout.Image name) {
    Shape shape = kind.input();
    byte[] label = name.folder().getBytes(StandardCharsets.UTF_8);
    byte[] file;
    try {
      file = source.bytes(name.name(), ImageDecoder.mostBytes(shape.positions()));
    } catch (IOException e) {
      byte[] place = name.name().getBytes(StandardCharsets.UTF_8);
      return new Decoded(null, Fingerprint.of("unread", place), e.getMessage());
    }
    // Copies are told apart by their rank (Split), so no two of them may differ in fitting.
    String what = name.wrong().isEmpty() ? "image" : "misfit";
    long fingerprint = Fingerprint.of(what, label, file);
    if (!name.wrong().isEmpty()) {
      return new Decoded(null, fingerprint, name.wrong());
    }
    try {
      BufferedImage image = decoder.decode(file, shape.width(), shape.height());
      if (shape.channels() == 1 && !ImageDecoder.grey(image)) {
        return new Decoded(null, fingerprint, "must be grey, as " + shape + " declares");
      }
      return new Decoded(ImageDecoder.values(image, shape.channels()), fingerprint, "");
    } catch (ImageDecoder.WrongSize e) {
      String size = shape.width() + "x" + shape.height();
      return new Decoded(
          null, fingerprint, "must be " + size + " as declared. Provided: " + e.getMessage());
    } catch (IOException e) {
      return new Decoded(null, fingerprint, unreadable(e));
    }
  }

  private static Source source(Path path) throws IOException {
    return Files.isDirectory(path) ? folder(path) : zip(path);
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
      public void check() throws IOException {
        zip.check();
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
        list(path, path, "", 0, new HashSet<>(), names);
        return names;
      }

      @Override
      public byte[] bytes(String name, int most) throws IOException {
        Path file = path.resolve(name);
        // A pipe would be waited for.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
          throw FileErrors.file(file, "must be a regular file.");
        }
        try (InputStream in = Files.newInputStream(file)) {
          byte[] bytes = in.readNBytes(most);
          if (in.read() >= 0) {
            throw FileErrors.file(file, "must have at most " + most + " bytes.");
          }
          return bytes;
        } catch (IOException e) {
          throw FileErrors.named(file, e);
        }
      }

      @Override
      public void check() {}

      @Override
      public void close() {}
    };
  }

  /**
   * @param seen the folders that were listed: by links, a few of them could be found in millions of
   *     ways
   */
  private static void list(
      Path whole, Path folder, String prefix, int depth, Set<Path> seen, List<String> names)
      throws IOException {
    if (!seen.add(folder.toRealPath())) {
      throw FileErrors.file(
          whole, "must hold each folder once; a link leads to one again" + FileErrors.LABEL);
    }
    try (Stream<Path> inside = Files.list(folder)) {
      for (Path each : inside.toList()) {
        String name = prefix + each.getFileName();
        if (Files.isDirectory(each)) {
          names.add(name + "/");
          if (depth < DEEPEST) {
            list(whole, each, name + "/", depth + 1, seen, names);
          }
        } else {
          names.add(name);
        }
      }
    }
  }
}
