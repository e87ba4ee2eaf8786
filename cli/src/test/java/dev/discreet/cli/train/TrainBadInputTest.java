package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each mistake is one line that names the place and what is allowed, and leaves nothing behind. */
class TrainBadInputTest {
  @TempDir private Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** Runs where nothing may be left: one line, no trace, no new name. */
  private String refused(int code, List<String> arguments) throws IOException {
    List<String> before = Small.names(folder);
    String line = Run.of(arguments.toArray(String[]::new)).line(code);
    assertEquals(before, Small.names(folder));
    assertFalse(line.contains("Exception") || line.contains("\tat "), line);
    assertFalse(line.contains("--debug shows where"), "not in words: " + line);
    return line;
  }

  private String refused(int code, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("train", "--out", folder.resolve("out").toString()));
    all.addAll(List.of(arguments));
    return refused(code, all);
  }

  private static void has(String line, String... parts) {
    for (String part : parts) {
      assertTrue(line.contains(part), "'" + part + "' is not in: " + line);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          age,sex,sick;1,f,yes;2,m       | 1 | line 3
          age,sex,sick;1,f,yes;2,x,no    | 1 | line 3, column sex
          age,sex,sick;1,f,yes;NaN,m,no  | 1 | line 3, column age
          age,sex,sick;1,f,yes;2,m,maybe | 1 | line 3, column sick
          age,sex,ill;1,f,yes;2,m,no     | 2 | must have the label column sick
          age,sex,sick;                  | 1 | must have at least one row
          age,sex,sick;1,f,yes           | 2 | there are too few of them
          """)
  void aTable(String text, int code, String message) throws IOException {
    // A row that does not fit is one of too many.
    String others = message.startsWith("line") ? "\n1,f,yes".repeat(40) : "";
    Path file = write("rows.csv", text.replace(';', '\n') + others);
    List<String> arguments = new ArrayList<>(List.of("--data", file.toString()));
    arguments.addAll(Small.DECLARED);
    String line = refused(code, arguments.toArray(String[]::new));
    has(line, message);
    if (code == 1) {
      has(line, file.toString());
    }
    if (!others.isEmpty()) {
      has(line, "1 of 42 rows of rows.csv do not fit what was declared", "--accept-misfits");
    }
  }

  /** Rows that are taken one by one are no people. */
  @Test
  void peopleWithoutAColumnThatSaysWhoTheyAre() throws IOException {
    Path file = write("rows.csv", "age,sex,sick\n" + "1,f,yes\n2,m,no\n".repeat(50));
    List<String> arguments =
        new ArrayList<>(List.of("--data", file.toString(), "--unit", "patient"));
    arguments.addAll(Small.DECLARED);
    has(refused(2, arguments.toArray(String[]::new)), "--unit-column", "patient");
  }

  @Test
  void oneRow() throws IOException {
    Path file = write("rows.csv", "age,sex,sick\n1,f,yes\n");
    List<String> arguments =
        new ArrayList<>(List.of("--data", file.toString(), "--test-share", "0"));
    arguments.addAll(Small.DECLARED);
    has(
        refused(2, arguments.toArray(String[]::new)),
        "units to train on must be at least 2. Provided value: 1");
  }

  @Test
  void aTableWithoutDeclarations() throws IOException {
    Path file = write("rows.csv", "a,b\n1,2\n");
    has(refused(2, "--data", file.toString()), "label must be declared", "NAME=LOW..HIGH");
    has(
        refused(2, "--data", file.toString(), "--label", "b=0|1"),
        "columns must be declared",
        "NAME=LOW..HIGH");
  }

  private static byte[] idx(int magic, int... sizes) {
    int count = 1;
    for (int size : sizes) {
      count *= size;
    }
    ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * sizes.length + count).putInt(magic);
    for (int size : sizes) {
      bytes.putInt(size);
    }
    return bytes.array();
  }

  private void labels(int count, int label) throws IOException {
    byte[] labels = idx(0x801, count);
    labels[8] = (byte) label;
    Files.write(folder.resolve("y-labels-idx1-ubyte"), labels);
  }

  private String idxRun(byte[] images, String name) throws IOException {
    Path file = Files.write(folder.resolve(name), images);
    String line =
        refused(
            1,
            "--data",
            file.toString(),
            "--labels",
            folder.resolve("y-labels-idx1-ubyte").toString(),
            "--label",
            "{0..9}");
    return line;
  }

  @Test
  void anIdxFile() throws IOException {
    labels(30, 0);
    byte[] good = idx(0x803, 30, 28, 28);
    has(idxRun(java.util.Arrays.copyOf(good, good.length - 5), "x-idx3-ubyte"), "x-idx3-ubyte");
    has(idxRun(idx(0x999, 30, 28, 28), "x-idx3-ubyte"), "x-idx3-ubyte", "IDX");
    has(idxRun(idx(0x803, 29, 28, 28), "x-idx3-ubyte"), "29", "30");
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write(good);
    }
    zipped.write("garbage".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    has(idxRun(zipped.toByteArray(), "x-idx3-ubyte.gz"), "x-idx3-ubyte.gz");
    labels(30, 17);
    has(idxRun(good, "x-idx3-ubyte"), "y-labels-idx1-ubyte", "1 of 30 rows");
  }

  private static byte[] png(int width, int height) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY), "png", out);
    return out.toByteArray();
  }

  private Path zip(Object... namesAndBytes) throws IOException {
    Path file = folder.resolve("images.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < namesAndBytes.length; i += 2) {
        out.putNextEntry(new ZipEntry((String) namesAndBytes[i]));
        out.write((byte[]) namesAndBytes[i + 1]);
      }
    }
    return file;
  }

  @Test
  void images() throws IOException {
    byte[] small = png(28, 28);
    has(images(1, "a/1.png", small, "b/1.png", png(27, 28)), "images.zip", "b/1.png");
    has(images(1, "../a/1.png", small), "images.zip", "names inside itself only");
    has(images(1, "a/1.png", small, "b/1.png", new byte[3]), "b/1.png");
    has(images(1, "a/1.png", new byte[200_000_000], "b/1.png", small), "images.zip");
    Path pictures = folder.resolve("images.zip");
    String undeclared = refused(2, "--data", pictures.toString());
    has(undeclared, "input and classes must be declared", "--input HxWxC", "--classes A|B");
    has(undeclared, "--as-in PATH");
    has(refused(2, "--data", pictures.toString(), "--input", "28x28"), "HxWxC, as in 28x28x1");
    has(refused(2, "--data", pictures.toString(), "--classes", "a"), "at least two folders");
    has(refused(2, "--data", "gaussians", "--classes", "a|b"), "classes must be left out");
  }

  private String images(int code, Object... namesAndBytes) throws IOException {
    String data = zip(namesAndBytes).toString();
    return refused(
        code, "--data", data, "--input", "28x28x1", "--classes", "a|b", "--test-share", "0");
  }

  static Stream<Arguments> usage() {
    return Stream.of(
        Arguments.of("--data nosuch", "data must be one of", "digits"),
        Arguments.of("--data gausians", "did you mean gaussians?", "data"),
        Arguments.of("--data gaussians --epsilom 3", "unknown option '--epsilom'", "--epsilon"),
        Arguments.of("--data gaussians --epsilon 0", "epsilon must be in (0, infinity)", "0"),
        Arguments.of(
            "--data gaussians --epsilon 1e-12 --steps 100000000", "epsilon must be", "1e-12"),
        Arguments.of("--data gaussians --model mnist-cnn", "must be at least 2x2", "layer 0"),
        Arguments.of(
            "--data gaussians --model dense(3)",
            "outputs of the model must be as many as the data have classes, 2",
            "3"),
        Arguments.of(
            "--data linear-1d --model logistic", "model must be of one output", "loss=squared"),
        Arguments.of("--data gaussians --model resnet", "network must be one of", "resnet"),
        Arguments.of(
            "--data gaussians --lot-size 20000",
            "lot size must be at most the number of units, 10000",
            "20000"),
        Arguments.of("--data gaussians --epochs 3 --steps 4", "--epochs and --steps", "together"),
        Arguments.of(
            "--data gaussians --epsilon 3 --non-private",
            "--epsilon and --non-private",
            "together"),
        Arguments.of(
            "--data gaussians --momentum 0.9", "--momentum is for --optimizer", "nesterov"),
        Arguments.of("--data gaussians --optimizer adamm", "optimizer must be one of", "adamm"),
        Arguments.of("--data gaussians --schedule linaer", "schedule must be", "linaer"),
        Arguments.of("--data gaussians --noise-multiplier 0", "asked for by --non-private", "0"),
        Arguments.of(
            "--data gaussians --resume nowhere", "resume must be the --checkpoints", "nowhere"),
        Arguments.of(
            "--data gaussians --held-out none", "--held-out is for private rows", "public"),
        Arguments.of("--data gaussians --column a=0..1", "columns must be left out", "gaussians"),
        Arguments.of("--data gaussians --freeze 7", "layer must be the name of one", "7"),
        Arguments.of("--data gaussians --sampler shuffled", "neighbouring", "zero-out"),
        Arguments.of("nosuch.yaml", "nosuch.yaml", "there is no"));
  }

  @ParameterizedTest
  @MethodSource("usage")
  void anOption(String arguments, String first, String second) throws IOException {
    has(refused(2, arguments.split(" ")), first, second);
  }

  @Test
  void anUnwritablePlaceIsToldBeforeTraining() throws IOException {
    Path file = write("file", "");
    String line =
        refused(
            2, List.of("train", "--data", "gaussians", "--out", file.resolve("out").toString()));
    has(line, file.toString());
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Assumptions.assumeTrue(closed.toFile().setWritable(false) && !Files.isWritable(closed));
    has(
        refused(1, List.of("train", "--data", "gaussians", "--out", closed + "/out")),
        closed + "/out could not be written: no permission");
  }

  @Test
  void debugShowsTheTrace() {
    Run run = Run.of("train --data nosuch --debug");
    assertEquals(2, run.code());
    assertTrue(run.err().contains("\tat dev.discreet."), run.err());
  }
}
