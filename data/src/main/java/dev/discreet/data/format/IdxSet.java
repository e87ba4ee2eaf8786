package dev.discreet.data.format;

import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.internal.Gzip;
import dev.discreet.data.rows.RowStore;
import dev.discreet.data.rows.RowsBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Images and their labels in two IDX files, or in a folder with the names that MNIST has. */
final class IdxSet {
  private static final int MOST_VALUES = 1 << 26;

  private IdxSet() {}

  /**
   * Whether a file is IDX, by its first bytes. One that cannot be opened counts as IDX: whoever
   * reads it will say why.
   */
  public static boolean is(Path file) {
    try (InputStream in = Gzip.open(file)) {
      byte[] magic = in.readNBytes(4);
      return magic.length == 4 && magic[0] == 0 && magic[1] == 0 && magic[2] >= 8 && magic[3] >= 1;
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether a folder has MNIST's names in it. */
  public static boolean isFolder(Path folder) {
    return find(folder, "train-images", 3).isPresent();
  }

  /** Reads {@code train-images-idx3-ubyte}, {@code t10k-images-idx3-ubyte} and their labels. */
  public static FileRows readFolder(Path folder, Column label, PixelScale scale)
      throws IOException {
    Rows train =
        read(file(folder, "train-images", 3), file(folder, "train-labels", 1), label, scale);
    if (find(folder, "t10k-images", 3).isEmpty() && find(folder, "t10k-labels", 1).isEmpty()) {
      return new FileRows(train, Optional.empty());
    }
    Path images = file(folder, "t10k-images", 3);
    Rows test = read(images, file(folder, "t10k-labels", 1), label, scale);
    if (!test.examples().input().equals(train.examples().input())) {
      throw FileErrors.file(
          images,
          "must hold images of the training part's size, "
              + train.examples().input()
              + ". Provided: "
              + test.examples().input());
    }
    return new FileRows(train, Optional.of(test));
  }

  /**
   * Reads one part. An image whose label does not fit the declaration counts as zero; the shape of
   * all is the file's, and no image has another.
   *
   * @param label the classes that the labels stand for, or the bounds they are in
   */
  public static Rows read(Path images, Path labels, Column label, PixelScale scale)
      throws IOException {
    Idx ends = Idx.read(labels);
    if (ends.dimensions().length != 1) {
      throw FileErrors.file(
          labels,
          "must be a file of labels, of one dimension. Provided: "
              + Arrays.toString(ends.dimensions()));
    }
    try (InputStream in = Gzip.open(images)) {
      int[] dimensions = Idx.dimensions(images, in);
      int count = dimensions[0];
      Shape shape = shape(images, dimensions);
      float[][] value = scale.ofBytes(shape.channels());
      if (count != ends.values().length) {
        throw FileErrors.file(
            images,
            "must hold an image for each of the "
                + ends.values().length
                + " labels of "
                + labels
                + ". Provided: "
                + count);
      }
      if (count == 0) {
        throw FileErrors.file(images, "must hold at least one image.");
      }
      RowsBuilder rows = new RowsBuilder(new RowStore(shape.size()));
      long expected = (long) count * shape.size();
      // The first in an array that grows as bytes arrive, whatever the header says.
      byte[] row = in.readNBytes(shape.size());
      byte[] end = new byte[1];
      for (int i = 0; i < count; i++) {
        int got = i == 0 ? row.length : in.readNBytes(row, 0, row.length);
        if (got < shape.size()) {
          Idx.checkEnd(images, in, expected, (long) i * shape.size() + got);
        }
        end[0] = ends.values()[i];
        long fingerprint = Fingerprint.of("idx", row, end);
        try {
          rows.add(row, label.target(end[0] & 0xff), fingerprint);
        } catch (IllegalArgumentException e) {
          rows.misfit(fingerprint, at(labels, i, e.getMessage()));
        }
      }
      Idx.checkEnd(images, in, expected, expected);
      return rows.images(shape, value, label.task());
    }
  }

  private static Shape shape(Path images, int[] dimensions) throws IOException {
    int[] sides = Arrays.copyOfRange(dimensions, 1, dimensions.length);
    long size = Idx.count(dimensions, 1);
    if (sides.length < 1 || sides.length > 3 || size < 1 || size > MOST_VALUES) {
      throw FileErrors.file(
          images,
          "must be a file of images: their number, height, width and perhaps channels. Provided: "
              + Arrays.toString(dimensions));
    }
    return switch (sides.length) {
      case 1 -> Shape.vector(sides[0]);
      case 2 -> new Shape(sides[0], sides[1], 1);
      default -> new Shape(sides[0], sides[1], sides[2]);
    };
  }

  /** What is wrong with one item of a file. */
  static String at(Object file, int index, String wrong) {
    return FileErrors.message(file, "at index " + index + ": " + wrong);
  }

  private static Path file(Path folder, String name, int dimensions) throws IOException {
    return find(folder, name, dimensions)
        .orElseThrow(
            () ->
                FileErrors.file(
                    folder, "must hold " + name + "-idx" + dimensions + "-ubyte, plain or .gz."));
  }

  private static Optional<Path> find(Path folder, String name, int dimensions) {
    String ending = "idx" + dimensions + "-ubyte";
    return List.of("-" + ending, "-" + ending + ".gz", "." + ending, "." + ending + ".gz").stream()
        .map(end -> folder.resolve(name + end))
        .filter(Files::isRegularFile)
        .findFirst();
  }
}
