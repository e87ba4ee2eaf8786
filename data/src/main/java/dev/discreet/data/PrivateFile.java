package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.data.format.Cifar;
import dev.discreet.data.format.Csv;
import dev.discreet.data.format.IdxSet;
import dev.discreet.data.format.ImageFolder;
import dev.discreet.data.format.ImageKind;
import dev.discreet.data.format.Npy;
import dev.discreet.data.format.UnitMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Data with a path and what its owner declared of them.
 *
 * @param kind of the path, by its name and, of a folder, the names in it
 * @param labels the file of labels that belongs to the path
 */
record PrivateFile(Path path, Kind kind, Optional<Path> labels, DataOptions options) {
  enum Kind {
    CSV("a table", "label", "columns", "unit"),
    IDX_FOLDER("a folder of IDX files", "label", "mean"),
    IDX("an IDX file", "labels", "label", "mean"),
    CIFAR("CIFAR batches", "mean"),
    IMAGES("images in a folder for each class", "input", "classes", "test folder", "mean"),
    NPY("a NumPy file", "labels", "label", "bounds", "mean");

    final String label;
    final Set<String> declarable;

    Kind(String label, String... declarable) {
      this.label = label;
      this.declarable =
          Stream.concat(Stream.of("public test", "unit map"), Stream.of(declarable))
              .collect(Collectors.toUnmodifiableSet());
    }
  }

  static PrivateFile of(Path path, DataOptions options) {
    Kind kind = kind(path);
    options.allowOnly(kind.declarable, path + ", " + kind.label);
    return new PrivateFile(path, kind, options.labels(), options);
  }

  static Kind kind(Path path) {
    if (Files.isDirectory(path)) {
      return IdxSet.isFolder(path) ? Kind.IDX_FOLDER : Cifar.is(path) ? Kind.CIFAR : Kind.IMAGES;
    }
    String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.matches(".*\\.(csv|tsv|tab)(\\.gz)?")) {
      return Kind.CSV;
    }
    if (name.matches(".*\\.np[yz]")) {
      return Kind.NPY;
    }
    if (name.endsWith(".zip")) {
      return Kind.IMAGES;
    }
    if (Cifar.is(path)) {
      return Kind.CIFAR;
    }
    boolean idx = name.matches(".*(idx|ubyte).*") || IdxSet.is(path);
    Check.that(
        idx,
        "data",
        DataSets.PATHS + "; " + path.getFileName() + " is none of these: " + advice(name),
        path);
    return Kind.IDX;
  }

  private static String advice(String name) {
    if (name.matches(
        ".*\\.(xlsx?|ods|parquet|feather|arrow|orc|json|jsonl|sav|dta|rds|sas7bdat)")) {
      return "export this one as .csv";
    }
    return "a table as text is to be called .csv or .tsv, by its delimiter";
  }

  /** Nothing of it is public, but for the public test rows. */
  DataSet open() throws IOException {
    String from =
        asInPublicTest() ? options.publicTest().get() + ", declared public" : options.asIn();
    DataSet set = opened();
    return from.isEmpty() ? set : set.taken("Input and classes were taken from " + from + ".");
  }

  private DataSet opened() throws IOException {
    refuseMovingImages();
    String name = path.getFileName().toString();
    FileRows parts = mapped(read());
    Misfits misfits = parts.train().misfits();
    if (options.publicTest().isPresent()) {
      Rows rows = publicRows(parts.train());
      return new DataSet(
          name,
          rows.task(),
          Split.whole(parts.train(), false),
          Optional.of(Split.whole(rows, true)),
          misfits);
    }
    if (parts.test().isPresent()) {
      match("test part of " + path, parts.test().get(), parts.train());
      return new DataSet(
          name,
          parts.train().task(),
          Split.whole(parts.train(), false),
          parts.test().map(rows -> Split.whole(rows, false)),
          misfits.then(parts.test().get().misfits()));
    }
    Split.Parts sides =
        Split.of(parts.train(), options.testShare(), options.relation(), options.publicIds());
    return new DataSet(name, parts.train().task(), sides.train(), sides.test(), misfits);
  }

  /** A replaced image has another name, and by its name it might change sides. */
  private void refuseMovingImages() {
    if (kind != Kind.IMAGES || options.relation() != Neighbouring.REPLACE_ONE) {
      return;
    }
    Check.that(
        !options.testFolder(),
        "test folder",
        "left out under replace-one: a replaced image may lie in the other part (give the training"
            + " part alone, or take another relation)",
        "given");
    Check.that(
        options.testShare() == 0
            || options.unitMap().isPresent()
            || options.publicTest().isPresent(),
        "test share",
        "0 for images under replace-one: a replaced image has another name, and names are what puts"
            + " them in order (give rows to test on with --public-test, or take another relation)",
        options.testShare());
  }

  /** With the units of a table beside the data, if there is one. */
  private FileRows mapped(FileRows parts) throws IOException {
    if (options.unitMap().isEmpty()) {
      return parts;
    }
    // Its rows are numbered in one part. Those of the other would be nobody's.
    Check.that(
        parts.test().isEmpty() || options.publicTest().isPresent(),
        "unit map",
        "left out for data with a private test part of its own (give the training part alone, or a"
            + " public test)",
        options.unitMap().get());
    return only(UnitMap.of(options.unitMap().get(), parts.train()));
  }

  /** Read as the private rows are; of a set with a test part, that part. */
  private Rows publicRows(Rows train) throws IOException {
    Path test = options.publicTest().get();
    Check.that(Files.exists(test), "public test", "a file or folder that exists", test);
    PrivateFile file = new PrivateFile(test, kind(test), Optional.empty(), options);
    FileRows parts =
        file.kind == Kind.IMAGES
            ? file.images(kind == Kind.IMAGES ? images() : ImageFolder.kind(test))
            : file.read();
    // A slip here would put rows of people into every file.
    Check.that(
        parts.test().isPresent() || !sameRows(test),
        "public test",
        "other rows than the private data's own",
        test);
    Rows rows = parts.test().orElse(parts.train()).fitting();
    match("public test " + test, rows, train);
    return rows;
  }

  /** The file or folder itself, or a copy of it. */
  private boolean sameRows(Path test) throws IOException {
    return Files.isSameFile(path, test) || DataSets.isCopy(path, test);
  }

  private static void match(String name, Rows rows, Rows train) {
    Check.that(
        rows.task().equals(train.task()),
        name,
        "for the same task as the training data, " + train.task(),
        rows.task());
    Check.that(
        rows.examples().input().equals(train.examples().input()),
        "inputs of " + name,
        "of the training data's shape " + train.examples().input(),
        rows.examples().input());
  }

  private PixelScale scale() {
    return options.mean().isEmpty()
        ? PixelScale.NONE
        : new PixelScale(options.mean(), options.deviation());
  }

  private FileRows images(ImageKind declared) throws IOException {
    return ImageFolder.read(path, declared, scale(), options.testFolder());
  }

  private FileRows read() throws IOException {
    PixelScale scale = scale();
    return switch (kind) {
      case CSV -> only(Csv.read(path, column(), columns(), options.unit()));
      case IDX_FOLDER -> IdxSet.readFolder(path, label(), scale);
      case IDX -> only(IdxSet.read(path, idxLabels(), label(), scale));
      case CIFAR -> Cifar.read(path, scale);
      case IMAGES -> images(images());
      case NPY -> Npy.read(path, labels, label(), options.bounds().map(Column::bounds), scale);
    };
  }

  /** As declared, or as the public test images are. */
  private ImageKind images() throws IOException {
    if (options.input().isPresent() && !options.classes().isEmpty()) {
      return new ImageKind(options.input().get(), new Task.Classes(options.classes()));
    }
    if (asInPublicTest()) {
      return ImageFolder.kind(options.publicTest().get());
    }
    boolean neither = options.input().isEmpty() && options.classes().isEmpty();
    throw new IllegalArgumentException(
        "input and classes must be declared for "
            + path
            + ", for no private image may decide them: --input HxWxC and --classes A|B, or --as-in"
            + " PATH, a folder of public images or an earlier run. Provided value: "
            + (neither ? "none" : "one of the two"));
  }

  /** Unless private images lie there too: they would decide. */
  private boolean asInPublicTest() throws IOException {
    Path test = options.publicTest().orElse(null);
    return kind == Kind.IMAGES
        && options.input().isEmpty()
        && options.classes().isEmpty()
        && test != null
        && Files.exists(test)
        && kind(test) == Kind.IMAGES
        && !DataSets.overlap(path, test);
  }

  private static FileRows only(Rows rows) {
    return new FileRows(rows, Optional.empty());
  }

  private Column column() {
    return Column.parse(
        options
            .label()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "label must be declared for "
                            + path
                            + ": NAME=A|B for classes, NAME=LOW..HIGH for a number. Provided"
                            + " value: none")));
  }

  private List<Column> columns() {
    Check.that(
        !options.columns().isEmpty(),
        "columns",
        "declared for " + path + ": NAME=LOW..HIGH or NAME=A|B each",
        "none");
    return options.columns().stream().map(Column::parse).toList();
  }

  private Column label() {
    return Column.label(options.label());
  }

  /** As declared, or by the names that MNIST's files have. */
  private Path idxLabels() {
    if (labels.isPresent()) {
      return labels.get();
    }
    String name = path.getFileName().toString();
    Path guess = path.resolveSibling(name.replace("images-idx3", "labels-idx1"));
    Check.that(
        !guess.equals(path) && Files.exists(guess),
        "data",
        DataSets.PATHS + "; " + path + " is none of these, and as an IDX file needs its labels",
        name);
    return guess;
  }
}
