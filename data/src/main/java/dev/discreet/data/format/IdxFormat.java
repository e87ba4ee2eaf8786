package dev.discreet.data.format;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.DataFormat;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.rows.ByteImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Images in one IDX file and their labels in another. */
public final class IdxFormat implements DataFormat {
  @Override
  public String label() {
    return "an IDX file";
  }

  @Override
  public String paths() {
    return "an IDX file with its labels";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".idx", "-ubyte");
  }

  /** By a part of its name, or by its first bytes, which are those of the format and of no row. */
  @Override
  public Claim claim(Path path) {
    return !Files.isDirectory(path) && (name(path).matches(".*(idx|ubyte).*") || IdxSet.is(path))
        ? Claim.PERHAPS
        : Claim.NO;
  }

  private static String name(Path path) {
    return path.getFileName().toString().toLowerCase(Locale.ROOT);
  }

  @Override
  public Set<Declaration> takes() {
    return Set.of(Declaration.LABELS, Declaration.LABEL, Declaration.MEAN);
  }

  @Override
  public boolean mayHaveTestPart() {
    return true;
  }

  @Override
  public FileRows read(Path path, DataOptions options) throws IOException {
    Path labels = options.labels().orElseGet(() -> labelsBeside(path));
    return FileRows.only(IdxSet.read(path, labels, Column.label(options.label()), options.scale()));
  }

  /** By the names that MNIST's files have. */
  private static Path labelsBeside(Path path) {
    String name = path.getFileName().toString();
    Path guess = path.resolveSibling(name.replace("images-idx3", "labels-idx1"));
    Check.that(
        !guess.equals(path) && Files.exists(guess),
        "labels",
        "given for the IDX file " + path + ", by --labels or as labels-idx1 beside images-idx3",
        "none");
    return guess;
  }

  @Override
  public Optional<Examples> readInputs(Path file, DataOptions options) throws IOException {
    if (!name(file).matches(".*(idx3-ubyte(\\.gz)?|\\.idx)")) {
      return Optional.empty();
    }
    Idx idx = Idx.read(file);
    int[] sides = idx.dimensions();
    // A dimension of 0 would let any number of labels stand beside no pixels.
    if (sides.length > 4 || idx.values().length == 0) {
      throw FileErrors.file(
          file,
          "must be a file of images: their number, height, width and perhaps channels. Provided: "
              + Arrays.toString(sides));
    }
    Shape shape =
        new Shape(
            sides.length > 1 ? sides[1] : 1,
            sides.length > 2 ? sides[2] : 1,
            sides.length > 3 ? sides[3] : 1);
    return Optional.of(
        new ByteImages(
            shape,
            idx.values(),
            new byte[sides[0]],
            figures(options.mean(), shape, 0),
            figures(options.deviation(), shape, 1)));
  }

  private static double[] figures(List<Double> given, Shape shape, double otherwise) {
    return IntStream.range(0, shape.channels())
        .mapToDouble(i -> i < given.size() ? given.get(i) : otherwise)
        .toArray();
  }
}
