package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One row more that does not fit the declarations, in every format: it is a unit that contributes
 * zero, so with lots and noise from one seed every released file is the same to the last byte.
 */
class NeighbouringFilesTest {
  private static final int ROWS = 12;

  /**
   * Cases with sampled lots: a table, an array and images. Which units are drawn is decided after
   * the formats are left behind, so the other cases take everyone into each lot, whose cost is
   * known without a search.
   */
  private static final Set<String> SAMPLED =
      Set.of("CSV, new class", "npy, label", "images, class");

  /** What the data without the further row released; several cases share it. */
  private static final Map<List<Object>, Map<String, String>> RELEASED = new HashMap<>();

  @TempDir private Path folder;

  /** Files by name; where it is one, that file is the data, else their folder is. */
  private record Data(Map<String, byte[]> files, String data, List<String> declared) {
    Data with(String name, byte[] bytes) {
      Map<String, byte[]> more = new LinkedHashMap<>(files);
      more.put(name, bytes);
      return new Data(more, data, declared);
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Data csv(String... more) {
    StringBuilder rows = new StringBuilder("age,sex,sick\n");
    for (int i = 0; i < ROWS; i++) {
      rows.append(7 * i).append(i % 3 == 0 ? ",f," : ",m,").append(i % 2 == 0 ? "yes" : "no");
      rows.append('\n');
    }
    for (String row : more) {
      rows.append(row).append('\n');
    }
    return new Data(
        Map.of("rows.csv", text(rows.toString())),
        "rows.csv",
        List.of("--label", "sick=no|yes", "--column", "age=0..100", "--column", "sex=f|m"));
  }

  private static byte[] idx(int count, int... sides) {
    int size = Arrays.stream(sides).reduce(1, (a, b) -> a * b);
    ByteBuffer bytes = ByteBuffer.allocate(8 + 4 * sides.length + count * size);
    bytes.putInt(0x801 + sides.length).putInt(count);
    Arrays.stream(sides).forEach(bytes::putInt);
    for (int i = 0; i < count * size; i++) {
      bytes.put((byte) (sides.length == 0 ? (i < ROWS ? i % 2 : 9) : 37 * i));
    }
    return bytes.array();
  }

  private static Map<String, byte[]> idxFiles(int count) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("train-images-idx3-ubyte", idx(count, 3, 3));
    files.put("train-labels-idx1-ubyte", idx(count));
    return files;
  }

  /** The rows from the twelfth on have a label beyond, or one value that is no number. */
  private static byte[] npy(int count, boolean labels, float last) {
    String shape = labels ? "(" + count + ",)" : "(" + count + ", 3)";
    StringBuilder header = new StringBuilder("{'descr': '<f4', 'fortran_order': False, 'shape': ");
    header.append(shape).append(", }").append(" ".repeat(118 - header.length() - 4)).append("\n");
    int size = labels ? 1 : 3;
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + header.length() + 4 * size * count)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
            .putShort((short) header.length())
            .put(text(header.toString()));
    for (int i = 0; i < count * size; i++) {
      bytes.putFloat(i >= ROWS * size ? last : labels ? i % 2 : (5 * i) % 11);
    }
    return bytes.array();
  }

  private static Data npy(int count, float label, float value) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("x.npy", npy(count, false, value));
    files.put("y.npy", npy(count, true, label));
    return new Data(
        files, "x.npy", List.of("--labels", "y.npy", "--label", "0|1", "--bounds", "0..10"));
  }

  private static Data npz(int count, float label, float value) throws IOException {
    return new Data(
        Map.of("rows.npz", zipped(npy(count, label, value).files)),
        "rows.npz",
        List.of("--label", "0|1", "--bounds", "0..10"));
  }

  private static Data cifar(int... more) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int batch = 1; batch <= 5; batch++) {
      int rows = 3 + (batch == 5 ? more.length : 0);
      byte[] bytes = new byte[3073 * rows];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (i % 251 + batch);
      }
      for (int row = 0; row < rows; row++) {
        bytes[3073 * row] = (byte) (row < 3 ? row : more[row - 3]);
      }
      files.put("data_batch_" + batch + ".bin", bytes);
    }
    return new Data(files, "", List.of());
  }

  private static byte[] png(int type, int width, int value) throws IOException {
    BufferedImage image = new BufferedImage(width, 3, type);
    for (int x = 0; x < width; x++) {
      image.setRGB(x, 1, 0xff000000 | value * (x + 1));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static byte[] grey(int width, int value) throws IOException {
    return png(BufferedImage.TYPE_BYTE_GRAY, width, 0x10101 * value);
  }

  private static byte[] colour() throws IOException {
    return png(BufferedImage.TYPE_INT_RGB, 4, 0x302010);
  }

  private static Data images() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < ROWS / 2; i++) {
      files.put("cat/" + i + ".png", grey(4, 10 + i));
      files.put("dog/" + i + ".png", grey(4, 30 + i));
    }
    return new Data(files, "", List.of("--input", "3x4x1", "--classes", "dog|cat"));
  }

  /** The same below train/, but for two images below test/, as is declared. */
  private static Data parted() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    images().files.forEach((name, bytes) -> files.put("train/" + name, bytes));
    files.put("test/cat/1.png", grey(4, 50));
    files.put("test/dog/1.png", grey(4, 51));
    List<String> declared = new ArrayList<>(images().declared);
    declared.addAll(List.of("--test-folder", "--declared-held-out", "2"));
    return new Data(files, "", declared);
  }

  private static Data below(String part, Data images) throws IOException {
    return images.with(part + "/cat/z.png", grey(4, 9));
  }

  private static Data wrapped(Data images) {
    Map<String, byte[]> files = new TreeMap<>();
    images.files.forEach((name, bytes) -> files.put("pets/" + name, bytes));
    return new Data(files, "", images.declared);
  }

  private static byte[] zipped(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static Data zip(Data images) throws IOException {
    return new Data(Map.of("images.zip", zipped(images.files)), "images.zip", images.declared);
  }

  static Stream<Arguments> formats() throws IOException {
    Data idx = new Data(idxFiles(ROWS), "", List.of("--label", "0|1"));
    Data idxFile = new Data(idx.files, "train-images-idx3-ubyte", idx.declared);
    Data idxMore = new Data(idxFiles(ROWS + 1), "", idx.declared);
    Data idxFileMore = new Data(idxMore.files, idxFile.data, idx.declared);
    Data csv = csv();
    Data npy = npy(ROWS, 0, 0);
    Data npz = npz(ROWS, 0, 0);
    Data images = images();
    Data zip = zip(images);
    Data rare = images.with("rare/1.png", grey(4, 9));
    Data parted = parted();
    Data wrapped = wrapped(images);
    return Stream.of(
        Arguments.of("CSV, too short", csv, csv("3,f")),
        Arguments.of("CSV, too long", csv, csv("3,f,yes,no")),
        Arguments.of("CSV, new category", csv, csv("3,x,yes")),
        Arguments.of("CSV, new class", csv, csv("3,f,perhaps")),
        Arguments.of("CSV, no number", csv, csv("old,f,yes")),
        Arguments.of("CSV, text after a quote", csv, csv("\"3\" x,f,yes")),
        Arguments.of("IDX folder, label", idx, idxMore),
        Arguments.of("IDX file, label", idxFile, idxFileMore),
        Arguments.of("npy, label", npy, npy(ROWS + 1, 2, 1)),
        Arguments.of("npy, NaN", npy, npy(ROWS + 1, 1, Float.NaN)),
        Arguments.of("npz, label", npz, npz(ROWS + 1, 2, 1)),
        Arguments.of("npz, NaN", npz, npz(ROWS + 1, 1, Float.NaN)),
        Arguments.of("CIFAR, label", cifar(), cifar(10)),
        Arguments.of("images, class", images, rare),
        Arguments.of("images, no class", images, images.with("z.png", grey(4, 9))),
        Arguments.of("images, colour", images, images.with("dog/z.png", colour())),
        Arguments.of("images, size", images, images.with("dog/z.png", grey(5, 9))),
        Arguments.of("images, unreadable", images, images.with("dog/z.png", text("GIF89a"))),
        Arguments.of("images, other", images, images.with("dog/z.gif", text("GIF89a"))),
        Arguments.of("images, first below test", images, below("test", images)),
        Arguments.of("images, first below train", images, below("train", images)),
        Arguments.of("parts, one in neither", parted, parted.with("cat/z.png", grey(4, 9))),
        Arguments.of("parts, one below val", parted, below("val", parted)),
        Arguments.of("parts, new class", parted, parted.with("test/rare/z.png", grey(4, 9))),
        Arguments.of("zip, first below test", zip, zip(below("test", images))),
        Arguments.of("zip, root", zip(wrapped), zip(wrapped.with("rare/1.png", grey(4, 9)))),
        Arguments.of("zip, class", zip, zip(rare)),
        Arguments.of("zip, colour", zip, zip(images.with("dog/z.png", colour()))));
  }

  private Map<String, String> released(String name, Data data, boolean sampled) throws IOException {
    // One name: the data's name is released.
    Path place = Files.createDirectories(folder.resolve(name).resolve("data"));
    for (Map.Entry<String, byte[]> file : data.files.entrySet()) {
      Path path = place.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    Path out = folder.resolve(name).resolve("out");
    List<String> arguments = new ArrayList<>(List.of("train", "--quiet", "--accept-misfits"));
    arguments.addAll(List.of("--data", place.resolve(data.data).toString()));
    for (String each : data.declared) {
      arguments.add(each.endsWith(".npy") ? place.resolve(each).toString() : each);
    }
    arguments.addAll(
        List.of("--noise-multiplier", "1", "--lot-size", sampled ? "6" : "10", "--steps", "2"));
    arguments.addAll(List.of("--clip", "1"));
    arguments.addAll(List.of("--declared-units", "10", "--insecure-seed", "7", "--delta", "1e-5"));
    arguments.addAll(List.of("--out", out.toString()));
    Run run = Run.of(arguments.toArray(String[]::new));
    assertEquals(0, run.code(), run.err());
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(out)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        files.put(out.relativize(file).toString(), text.replace(folder + "/" + name, ""));
      }
    }
    return files;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("formats")
  void aRowThatDoesNotFitLeavesNoTrace(String name, Data data, Data neighbour) throws IOException {
    boolean sampled = SAMPLED.contains(name);
    List<Object> key = List.of(data, sampled);
    Map<String, String> one = RELEASED.get(key);
    if (one == null) {
      one = released("one", data, sampled);
      RELEASED.put(key, one);
    }
    Map<String, String> other = released("other", neighbour, sampled);
    assertEquals(one.keySet(), other.keySet());
    assertTrue(one.containsKey("run.json"), one.keySet()::toString);
    one.forEach((file, text) -> assertEquals(text, other.get(file), file));
  }

  /** The comparison can fail. */
  @Test
  void aRowThatFitsIsLearntFrom() throws IOException {
    Map<String, String> one = released("one", csv(), true);
    Map<String, String> other = released("other", csv("99,f,yes", "98,f,yes", "97,f,yes"), true);
    assertEquals(one.keySet(), other.keySet());
    assertNotEquals(one, other);
  }
}
