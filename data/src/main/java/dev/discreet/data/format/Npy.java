package dev.discreet.data.format;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Fingerprint;
import dev.discreet.data.internal.Gzip;
import dev.discreet.data.internal.Zip;
import dev.discreet.data.rows.RowStore;
import dev.discreet.data.rows.RowsBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * NumPy arrays: {@code .npy} files of inputs and of labels, or both in an {@code .npz}. The first
 * dimension counts the examples, the others are one example's: a vector, height × width, or height
 * × width × channels. That shape is the file's, and no example has another; an example with a label
 * that was not declared, or with a value that is no finite number, counts as zero.
 */
final class Npy {
  /** Names of arrays that belong together: inputs and labels, to train and to test on. */
  private static final List<List<String>> NAMES =
      List.of(
          List.of("x_train", "y_train", "x_test", "y_test"),
          List.of("train_images", "train_labels", "test_images", "test_labels"),
          List.of("x", "y"),
          List.of("X", "y"),
          List.of("inputs", "labels"),
          List.of("images", "labels"));

  private final Column label;
  private final Optional<Column.Bounded> bounds;
  private final PixelScale scale;

  private Npy(Column label, Optional<Column.Bounded> bounds, PixelScale scale) {
    this.label = label;
    this.bounds = bounds;
    this.scale = scale;
  }

  /**
   * Reads arrays.
   *
   * @param labels the file of labels, where the inputs are an {@code .npy}
   * @param label the classes that the labels stand for, or the bounds they are in
   * @param bounds of the inputs; those of bytes (0..255) and of booleans are known
   */
  public static FileRows read(
      Path inputs,
      Optional<Path> labels,
      Column label,
      Optional<Column.Bounded> bounds,
      PixelScale scale)
      throws IOException {
    Npy npy = new Npy(label, bounds, scale);
    boolean archive = inputs.toString().toLowerCase(Locale.ROOT).endsWith(".npz");
    Check.that(
        archive != labels.isPresent(),
        "labels",
        "a file beside an .npy file, and none beside an .npz file, which has its own",
        labels.map(Path::toString).orElse("none"));
    if (archive) {
      return npy.archive(inputs);
    }
    try (InputStream x = Gzip.open(inputs);
        InputStream y = Gzip.open(labels.get())) {
      Rows rows =
          npy.rows(NpyArray.open(inputs.toString(), x), NpyArray.open(labels.get().toString(), y));
      return new FileRows(rows, Optional.empty());
    }
  }

  private FileRows archive(Path path) throws IOException {
    try (Zip zip = new Zip(path)) {
      List<String> arrays =
          zip.names().stream()
              .filter(name -> name.endsWith(".npy"))
              .map(name -> name.substring(0, name.length() - 4))
              .toList();
      List<String> names =
          NAMES.stream()
              .filter(known -> arrays.containsAll(known.subList(0, 2)))
              .findFirst()
              .orElseThrow(() -> unknown(path, arrays));
      Rows train = pair(path, zip, names.get(0), names.get(1));
      if (names.size() == 2 || !arrays.containsAll(names)) {
        return new FileRows(train, Optional.empty());
      }
      Rows test = pair(path, zip, names.get(2), names.get(3));
      if (!test.examples().input().equals(train.examples().input())) {
        throw FileErrors.file(
            path,
            names.get(2)
                + ": must have examples of shape "
                + train.examples().input()
                + ". Provided: "
                + test.examples().input());
      }
      return new FileRows(train, Optional.of(test));
    }
  }

  private static IOException unknown(Path path, List<String> arrays) {
    return FileErrors.file(
        path,
        "must hold arrays x and y, inputs and labels, or x_train, y_train, x_test and y_test."
            + " Provided: "
            + FileErrors.shown(String.join(", ", arrays)));
  }

  private Rows pair(Path path, Zip zip, String inputs, String labels) throws IOException {
    try (InputStream x = zip.open(inputs + ".npy");
        InputStream y = zip.open(labels + ".npy")) {
      return rows(NpyArray.open(path + ": " + inputs, x), NpyArray.open(path + ": " + labels, y));
    }
  }

  private Rows rows(NpyArray inputs, NpyArray labels) throws IOException {
    int count = inputs.dimensions()[0];
    if (labels.itemSize() != 1 || labels.dimensions()[0] != count) {
      throw FileErrors.file(
          labels.where(),
          "must hold one label for each of the "
              + count
              + " inputs. Provided: "
              + labels.dimensions()[0]
              + (labels.itemSize() == 1 ? "" : " of " + labels.itemSize() + " values"));
    }
    if (count == 0) {
      throw FileErrors.file(inputs.where(), "must hold at least one example.");
    }
    Shape shape = shape(inputs);
    scale.check(shape.channels());
    boolean small = inputs.kind() == 'u' && inputs.bytes() == 1 || inputs.kind() == 'b';
    if (!small && bounds.isEmpty()) {
      throw new IllegalArgumentException(
          "bounds must be declared for "
              + inputs.where()
              + ", LOW..HIGH as in 0..1 (--bounds): they are not read off private values. Provided"
              + " value: none");
    }
    Column.Bounded inside =
        bounds.orElse(new Column.Bounded("inputs", 0, inputs.kind() == 'b' ? 1 : 255));
    int width = shape.size();
    byte[] item = inputs.first();
    RowsBuilder rows = new RowsBuilder(new RowStore(width * (small ? 1 : Float.BYTES)));
    ByteBuffer values = ByteBuffer.wrap(item).order(inputs.order());
    byte[] end = new byte[labels.bytes()];
    ByteBuffer endValue = ByteBuffer.wrap(end).order(labels.order());
    float[] row = new float[small ? 0 : width];
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        inputs.next(i, item);
      }
      labels.next(i, end);
      long fingerprint = Fingerprint.of("npy", item, end);
      float target;
      try {
        target = label.target(labels.value(endValue, 0));
      } catch (IllegalArgumentException e) {
        rows.misfit(fingerprint, IdxSet.at(labels.where(), i, e.getMessage()));
        continue;
      }
      if (small) {
        rows.add(item, target, fingerprint);
        continue;
      }
      String wrong = "";
      for (int j = 0; j < width && wrong.isEmpty(); j++) {
        double value = inputs.value(values, j);
        if (!Double.isFinite(value)) {
          wrong = "value " + j + " must be a finite number. Provided: ";
          wrong += Digits.shortest(value);
        }
        row[j] = scale.apply(inside.scaled(value), j % shape.channels());
      }
      if (wrong.isEmpty()) {
        rows.add(row, target, fingerprint);
      } else {
        rows.misfit(fingerprint, IdxSet.at(inputs.where(), i, wrong));
      }
    }
    inputs.checkEnd();
    labels.checkEnd();
    return small
        ? rows.images(shape, scale.ofBytes(shape.channels(), inside), label.task())
        : rows.table(shape, label.task(), null);
  }

  private static Shape shape(NpyArray array) throws IOException {
    int[] sides = array.dimensions();
    if (array.itemSize() < 1) {
      throw FileErrors.file(array.where(), "must have at least one value an example.");
    }
    if (sides.length == 4 && (sides[1] == 1 || sides[1] == 3) && sides[3] > 4) {
      throw FileErrors.file(
          array.where(),
          "must have channels last (numpy.moveaxis(x, 1, -1)). Provided: "
              + sides[1]
              + "x"
              + sides[2]
              + "x"
              + sides[3]);
    }
    return switch (sides.length) {
      case 1 -> Shape.vector(1);
      case 2 -> Shape.vector(sides[1]);
      case 3 -> new Shape(sides[1], sides[2], 1);
      default -> new Shape(sides[1], sides[2], sides[3]);
    };
  }
}
