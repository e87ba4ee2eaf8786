package dev.discreet.data.format;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.internal.Gzip;
import dev.discreet.data.internal.Tar;
import dev.discreet.data.rows.RowStore;
import dev.discreet.data.rows.RowsBuilder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
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
 * CIFAR-10 and CIFAR-100 as their binary version has them, a folder or a tar file: a record is one
 * label (of CIFAR-100 a coarse and a fine one; we predict the fine) and 32×32 red, then green, then
 * blue values. An image whose label is of no class counts as zero.
 */
public final class Cifar {
  private static final Shape SHAPE = new Shape(32, 32, 3);
  private static final List<String> CIFAR_10 =
      IntStream.rangeClosed(1, 5).mapToObj(i -> "data_batch_" + i + ".bin").toList();
  private static final List<String> CIFAR_10_NAMES =
      List.of(
          "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");
  private static final String CIFAR_100 = "train.bin";
  private static final int MOST_NAMES_BYTES = 1 << 16;

  private final Path path;
  private final RowsBuilder train = new RowsBuilder(new RowStore(SHAPE.size()));
  private final RowsBuilder test = new RowsBuilder(new RowStore(SHAPE.size()));
  private final Set<String> seen = new HashSet<>();
  private List<String> names;

  private Cifar(Path path) {
    this.path = path;
  }

  /** Whether a folder has CIFAR's names in it, or one level down. */
  static boolean isFolder(Path path) {
    return folder(path).isPresent();
  }

  /** Reads both parts. Classes are named as the set's own list does. */
  public static FileRows read(Path path, PixelScale scale) throws IOException {
    Cifar cifar = new Cifar(path);
    float[][] value = scale.ofBytes(SHAPE.channels());
    if (Files.isDirectory(path)) {
      Path folder = folder(path).orElseThrow(() -> missing(path, CIFAR_10.get(0)));
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          if (Files.isRegularFile(file)) {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
              cifar.file(file.getFileName().toString(), in, Files.size(file));
            }
          }
        }
      }
    } else {
      try (InputStream in = Gzip.open(path)) {
        Tar.read(path, in, cifar::file);
      } catch (IOException e) {
        throw FileErrors.named(path, e);
      }
    }
    return cifar.parts(value);
  }

  private FileRows parts(float[][] value) throws IOException {
    boolean fine = seen.contains(CIFAR_100);
    for (String file : fine ? List.of(CIFAR_100) : CIFAR_10) {
      if (!seen.contains(file)) {
        throw missing(path, file);
      }
    }
    if (fine && CIFAR_10.stream().anyMatch(seen::contains)) {
      throw FileErrors.file(path, "must hold CIFAR-10 or CIFAR-100, not both.");
    }
    int classes = fine ? 100 : 10;
    if (names == null) {
      names = fine ? IntStream.range(0, 100).mapToObj(Integer::toString).toList() : CIFAR_10_NAMES;
    }
    if (names.size() != classes) {
      throw FileErrors.file(path, "must name " + classes + " classes. Provided: " + names.size());
    }
    if (train.size() == 0) {
      throw FileErrors.file(path, "must hold at least one image to train on.");
    }
    Task task = new Task.Classes(names);
    Rows first = train.images(SHAPE, value, task);
    return new FileRows(
        first, test.size() == 0 ? Optional.empty() : Optional.of(test.images(SHAPE, value, task)));
  }

  private static IOException missing(Path path, String file) {
    return FileErrors.file(
        path,
        "must hold CIFAR-10's data_batch_1.bin to data_batch_5.bin or CIFAR-100's train.bin."
            + " Missing: "
            + file);
  }

  private static Optional<Path> folder(Path path) {
    try (Stream<Path> inside = Files.list(path)) {
      return Stream.concat(Stream.of(path), inside.filter(Files::isDirectory).sorted())
          .filter(
              folder ->
                  Files.isRegularFile(folder.resolve(CIFAR_10.get(0)))
                      || Files.isRegularFile(folder.resolve(CIFAR_100)))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void file(String name, InputStream in, long size) throws IOException {
    switch (name) {
      case "batches.meta.txt", "fine_label_names.txt" -> names = names(name, in);
      case "test_batch.bin" -> images(name, in, size, 10, test);
      case "test.bin" -> images(name, in, size, 100, test);
      case CIFAR_100 -> images(name, in, size, 100, train);
      default -> {
        if (CIFAR_10.contains(name)) {
          images(name, in, size, 10, train);
        }
      }
    }
  }

  private List<String> names(String file, InputStream in) throws IOException {
    byte[] text = in.readNBytes(MOST_NAMES_BYTES);
    List<String> lines = new ArrayList<>();
    for (String line : new String(text, StandardCharsets.UTF_8).split("\\R")) {
      if (!line.isBlank()) {
        lines.add(FileErrors.shown(line.strip()));
      }
    }
    if (new HashSet<>(lines).size() < lines.size()) {
      throw FileErrors.file(path, file + ": names of classes must be distinct.");
    }
    return lines;
  }

  private void images(String file, InputStream in, long size, int classes, RowsBuilder to)
      throws IOException {
    int labels = classes == 100 ? 2 : 1;
    byte[] record = new byte[labels + SHAPE.size()];
    if (size % record.length != 0) {
      throw FileErrors.file(
          path,
          file
              + ": must hold records of "
              + record.length
              + " bytes. Provided: "
              + size
              + " bytes (truncated, or not CIFAR-"
              + classes
              + ")");
    }
    if (!seen.add(file)) {
      throw FileErrors.file(path, file + ": must be there once only.");
    }
    byte[] pixels = new byte[SHAPE.size()];
    for (long i = 0; i < size / record.length; i++) {
      if (in.readNBytes(record, 0, record.length) < record.length) {
        throw FileErrors.file(path, file + ": is truncated at record " + i + ".");
      }
      int label = record[labels - 1] & 0xff;
      long fingerprint = Fingerprint.of("cifar", record);
      if (label >= classes) {
        String wrong = ": label of record " + i + " must be in [0, " + (classes - 1);
        to.misfit(
            fingerprint, FileErrors.message(path, file + wrong + "]. Provided value: " + label));
        continue;
      }
      for (int p = 0; p < SHAPE.positions(); p++) {
        for (int c = 0; c < 3; c++) {
          pixels[3 * p + c] = record[labels + c * SHAPE.positions() + p];
        }
      }
      to.add(pixels, label, fingerprint);
    }
  }
}
