package dev.discreet.fuzz;

import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Readers of IDX files, of NumPy arrays and of CIFAR batches. */
final class ArrayParsers {
  private static final String IMAGES = "train-images-idx3-ubyte";
  private static final String LABELS = "train-labels-idx1-ubyte";
  private static final DataOptions DIGITS =
      DataOptions.builder().label("{0..9}").testShare(0).build();
  private static final DataOptions NONE = DataOptions.builder().testShare(0).build();

  private ArrayParsers() {}

  static List<HostileParser> all() {
    return List.of(
        HostileParser.ofFiles("idx", ArrayParsers::idx, ArrayParsers::readIdx),
        HostileParser.ofFiles("idx-inputs", ArrayParsers::idx, ArrayParsers::readIdxInputs),
        HostileParser.ofFiles("npy", ArrayParsers::npy, ArrayParsers::readNpy),
        HostileParser.ofFiles("npz", ArrayParsers::npz, ArrayParsers::readNpz),
        HostileParser.ofFiles("cifar-folder", ArrayParsers::cifarFolder, ArrayParsers::readFolder),
        HostileParser.ofFiles("cifar-tar", ArrayParsers::cifarTar, ArrayParsers::readTar));
  }

  // ---- IDX

  private static byte[] idx(int... dimensions) {
    int size = 1;
    for (int dimension : dimensions) {
      size *= dimension;
    }
    ByteBuffer to = ByteBuffer.allocate(4 + 4 * dimensions.length + size);
    to.putInt(0x800 + dimensions.length);
    for (int dimension : dimensions) {
      to.putInt(dimension);
    }
    for (int i = 0; i < size; i++) {
      to.put((byte) (i % 10));
    }
    return to.array();
  }

  private static HostileFiles idx(SplittableRandom random) {
    byte[] images = random.nextInt(3) == 0 ? idx(4, 3, 3, 2) : idx(4, 5, 5);
    byte[] labels = idx(4);
    if (Mutations.chance(random, 4)) {
      labels = Mutations.bytes(random, labels);
    } else {
      images = Mutations.bytes(random, images);
    }
    if (Mutations.chance(random, 3)) {
      images = HostileArchives.gzip(images);
      images = Mutations.chance(random, 3) ? Mutations.bytes(random, images) : images;
    }
    return HostileFiles.of(IMAGES, images).with(LABELS, labels);
  }

  private static void readIdx(Path folder, HostileFiles files) throws IOException {
    TableParsers.touch(DataSets.open(folder.toString(), DIGITS));
  }

  private static void readIdxInputs(Path folder, HostileFiles files) throws IOException {
    DataSets.openInputs(folder.resolve(IMAGES).toString(), DataOptions.none());
  }

  // ---- NumPy

  private static byte[] npy(int version, String header, byte[] values) {
    byte[] text = (header + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer to = ByteBuffer.allocate(12 + text.length + values.length);
    to.order(ByteOrder.LITTLE_ENDIAN).put((byte) 0x93);
    to.put("NUMPY".getBytes(StandardCharsets.US_ASCII)).put((byte) version).put((byte) 0);
    if (version == 1) {
      to.putShort((short) text.length);
    } else {
      to.putInt(text.length);
    }
    to.put(text).put(values);
    return java.util.Arrays.copyOf(to.array(), to.position());
  }

  private static String header(String type, String shape) {
    return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  }

  /** Four examples and their labels. */
  static HostileFiles arrays() {
    return HostileFiles.of("x.npy", npy(1, header("|u1", "(4, 2, 2)"), new byte[16]))
        .with("y.npy", npy(1, header("|u1", "(4,)"), new byte[] {0, 1, 2, 0}));
  }

  private static byte[] array(SplittableRandom random, boolean inputs) {
    String type = Mutations.pick(random, List.of("|u1", "<f4", ">f8", "<i8", "|b1", "<u2"));
    String shape =
        inputs
            ? Mutations.pick(random, List.of("(4, 2)", "(4, 1, 2)", "(4, 1, 1, 2)", "(4L, 2L)"))
            : "(4,)";
    String header = header(type, shape);
    if (Mutations.chance(random, 2)) {
      header = Mutations.text(random, header);
    }
    int width = Math.max(1, type.charAt(2) - '0');
    byte[] values = new byte[(inputs ? 8 : 4) * width];
    random.nextBytes(values);
    byte[] all = npy(1 + random.nextInt(3), header, values);
    return Mutations.chance(random, 3) ? Mutations.bytes(random, all) : all;
  }

  private static HostileFiles npy(SplittableRandom random) {
    return HostileFiles.of("x.npy", array(random, true)).with("y.npy", array(random, false));
  }

  private static void readNpy(Path folder, HostileFiles files) throws IOException {
    TableParsers.touch(
        DataSets.open(
            folder.resolve("x.npy").toString(),
            DataOptions.builder()
                .label("0|1|2")
                .bounds("0..1")
                .labels(folder.resolve("y.npy"))
                .testShare(0)
                .build()));
  }

  private static HostileFiles npz(SplittableRandom random) {
    Map<String, byte[]> arrays = new LinkedHashMap<>();
    arrays.put("x_train.npy", array(random, true));
    arrays.put("y_train.npy", array(random, false));
    if (Mutations.chance(random, 2)) {
      arrays.put("x_test.npy", array(random, true));
      arrays.put("y_test.npy", array(random, false));
    }
    byte[] zip = HostileArchives.zip(random, arrays);
    return HostileFiles.of(
        "a.npz", Mutations.chance(random, 3) ? Mutations.bytes(random, zip) : zip);
  }

  private static void readNpz(Path folder, HostileFiles files) throws IOException {
    DataOptions options = DataOptions.builder().label("0|1|2").bounds("0..1").testShare(0).build();
    TableParsers.touch(DataSets.open(folder.resolve("a.npz").toString(), options));
  }

  // ---- CIFAR

  private static Map<String, byte[]> cifar(SplittableRandom random) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    boolean fine = Mutations.chance(random, 3);
    int record = 3072 + (fine ? 2 : 1);
    for (int i = 1; i <= (fine ? 1 : 5); i++) {
      files.put(fine ? "train.bin" : "data_batch_" + i + ".bin", new byte[record]);
    }
    files.put(fine ? "test.bin" : "test_batch.bin", new byte[record]);
    if (!fine) {
      String names = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
      files.put("batches.meta.txt", names.getBytes(StandardCharsets.UTF_8));
    }
    return files;
  }

  private static Map<String, byte[]> changed(SplittableRandom random) {
    Map<String, byte[]> files = cifar(random);
    String one = Mutations.pick(random, List.copyOf(files.keySet()));
    files.put(
        one,
        one.endsWith(".txt") && Mutations.chance(random, 2)
            ? Mutations.text(random, files.get(one))
            : Mutations.bytes(random, files.get(one)));
    return files;
  }

  private static HostileFiles cifarFolder(SplittableRandom random) {
    Map<String, byte[]> files = changed(random);
    if (Mutations.chance(random, 4)) {
      files.remove(Mutations.pick(random, List.copyOf(files.keySet())));
    }
    return new HostileFiles(files);
  }

  private static void readFolder(Path folder, HostileFiles files) throws IOException {
    TableParsers.touch(DataSets.open(folder.toString(), NONE));
  }

  private static HostileFiles cifarTar(SplittableRandom random) {
    byte[] tar =
        HostileArchives.tar(random, Mutations.chance(random, 2) ? cifar(random) : changed(random));
    tar = Mutations.chance(random, 4) ? Mutations.bytes(random, tar) : tar;
    if (Mutations.chance(random, 2)) {
      return HostileFiles.of("c.tar", tar);
    }
    byte[] packed = HostileArchives.gzip(tar);
    return HostileFiles.of(
        "c.tar.gz", Mutations.chance(random, 3) ? Mutations.bytes(random, packed) : packed);
  }

  private static void readTar(Path folder, HostileFiles files) throws IOException {
    String name = files.contents().keySet().iterator().next();
    TableParsers.touch(DataSets.open(folder.resolve(name).toString(), NONE));
  }
}
