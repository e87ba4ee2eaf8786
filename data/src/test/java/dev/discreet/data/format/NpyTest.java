package dev.discreet.data.format;

import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.misfit;
import static dev.discreet.data.format.Refusals.refused;
import static dev.discreet.data.format.Refusals.target;
import static dev.discreet.data.format.Refusals.zip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NpyTest {
  private static final Column LABEL = Column.parse("y={0..2}");
  private static final Optional<Column.Bounded> BOUNDS = Optional.of(Column.bounds("-10..10"));

  @TempDir Path folder;

  private static byte[] file(int version, String header, byte[] data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    byte[] text = (header + " ".repeat(20) + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer size = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(text.length);
    out.write(size.array(), 0, version == 1 ? 2 : 4);
    out.writeBytes(text);
    out.writeBytes(data);
    return out.toByteArray();
  }

  /** An array as numpy.save writes it. */
  private static byte[] array(String type, String shape, double... values) {
    int bytes = type.charAt(2) - '0';
    ByteBuffer data =
        ByteBuffer.allocate(values.length * bytes)
            .order(type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      switch (type.substring(1)) {
        case "f4" -> data.putFloat((float) value);
        case "f8" -> data.putDouble(value);
        case "i8", "u8" -> data.putLong((long) value);
        case "i4", "u4" -> data.putInt((int) (long) value);
        case "i2", "u2" -> data.putShort((short) value);
        default -> data.put((byte) value);
      }
    }
    return file(
        1,
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }",
        data.array());
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private Rows read(byte[] inputs, byte[] labels, Optional<Column.Bounded> bounds)
      throws IOException {
    return Npy.read(
            write("x.npy", inputs),
            Optional.of(write("y.npy", labels)),
            LABEL,
            bounds,
            PixelScale.NONE)
        .train();
  }

  @ParameterizedTest
  @CsvSource({"<f4", ">f4", "<f8", ">f8", "<i4", ">i4", "<i8", ">i8", "|i1", "<i2", "=f4"})
  void numbersAreScaledByDeclaredBounds(String type) throws IOException {
    byte[] inputs = array(type, "(2, 3)", -20, -10, -5, 0, 5, 100);
    Rows rows = read(inputs, array("<i8", "(2,)", 2, 0), BOUNDS);
    assertEquals(Shape.vector(3), rows.examples().input());
    assertArrayEquals(new float[] {0, 0, 0.25f}, input(rows.examples(), 0));
    assertArrayEquals(new float[] {0.5f, 0.75f, 1}, input(rows.examples(), 1));
    assertEquals(2, target(rows.examples(), 0));
    byte[] labels = array("<i8", "(2,)", 2, 0);
    String usage =
        assertThrows(IllegalArgumentException.class, () -> read(inputs, labels, Optional.empty()))
            .getMessage();
    assertTrue(usage.contains("LOW..HIGH as in 0..1 (--bounds)"), usage);
  }

  @ParameterizedTest
  @CsvSource({"<i8", ">i4", "|u1", "<u2", "<f4", ">f8", "<u8", "|i1"})
  void labelsMayBeOfAnyType(String type) throws IOException {
    Rows rows =
        read(array("|u1", "(3, 1)", 0, 51, 255), array(type, "(3, 1)", 2, 0, 1), Optional.empty());
    assertEquals(2, target(rows.examples(), 0));
    assertEquals(1, target(rows.examples(), 2));
    assertArrayEquals(new float[] {0.2f}, input(rows.examples(), 1), 1e-6f);
  }

  @Test
  void shapesAndVersions() throws IOException {
    byte[] labels = array("|u1", "(2,)", 0, 1);
    double[] eight = {1, 2, 3, 4, 5, 6, 7, 8};
    assertEquals(
        new Shape(2, 2, 1),
        read(array("|u1", "(2, 2, 2)", eight), labels, BOUNDS).examples().input());
    assertEquals(
        new Shape(1, 2, 2),
        read(array("|u1", "(2, 1, 2, 2)", eight), labels, BOUNDS).examples().input());
    assertEquals(
        Shape.vector(1), read(array("|u1", "(2,)", 1, 2), labels, BOUNDS).examples().input());
    Rows flags = read(array("|b1", "(2, 2)", 0, 1, 1, 0), labels, Optional.empty());
    assertArrayEquals(new float[] {0, 1}, input(flags.examples(), 0));
    // Bytes with declared bounds are numbers like others.
    Rows numbers = read(array("|u1", "(2,)", 1, 200), labels, Optional.of(Column.bounds("0..100")));
    assertArrayEquals(new float[] {0.01f}, input(numbers.examples(), 0), 1e-6f);
    assertArrayEquals(new float[] {1}, input(numbers.examples(), 1));
    for (int version = 1; version <= 3; version++) {
      byte[] plain =
          file(
              version,
              "{'shape': (2,), 'descr': '|u1', 'fortran_order': False}",
              new byte[] {0, (byte) 255});
      assertEquals(1, input(read(plain, labels, Optional.empty()).examples(), 1)[0]);
    }
  }

  @Test
  void archivesHaveNamedArrays() throws IOException {
    byte[] x = array("|u1", "(2, 1, 2)", 0, 51, 102, 255);
    byte[] y = array("|u1", "(2,)", 1, 2);
    Path keras =
        zip(
            folder.resolve("mnist.npz"),
            Map.of(
                "x_train.npy",
                x,
                "y_train.npy",
                y,
                "x_test.npy",
                array("|u1", "(1, 1, 2)", 0, 51),
                "y_test.npy",
                array("|u1", "(1,)", 1)));
    PixelScale scale = new PixelScale(List.of(0.2), List.of(0.1));
    FileRows parts = Npy.read(keras, Optional.empty(), LABEL, Optional.empty(), scale);
    assertArrayEquals(new float[] {-2, 0}, input(parts.train().examples(), 0), 1e-5f);
    Rows test = parts.test().orElseThrow();
    assertEquals(1, test.examples().size());
    assertEquals(parts.train().fingerprints()[0], test.fingerprints()[0]);
    for (String[] names : new String[][] {{"x", "y"}, {"X", "y"}, {"inputs", "labels"}}) {
      Path path =
          zip(folder.resolve("pair.npz"), Map.of(names[0] + ".npy", x, names[1] + ".npy", y));
      FileRows pair = Npy.read(path, Optional.empty(), LABEL, Optional.empty(), PixelScale.NONE);
      assertTrue(pair.test().isEmpty());
      assertEquals(2, pair.train().examples().size());
    }
    Path other = zip(folder.resolve("other.npz"), Map.of("a.npy", x, "b.npy", y));
    refused(
        () -> Npy.read(other, Optional.empty(), LABEL, Optional.empty(), PixelScale.NONE),
        other,
        "x and y",
        "Provided: a, b");
    refused(
        () -> Npy.read(other, Optional.of(other), LABEL, Optional.empty(), PixelScale.NONE),
        "labels must be");
    Path bad = zip(folder.resolve("bad.npz"), Map.of("x.npy", x, "y.npy", array("|u1", "(1,)", 1)));
    refused(
        () -> Npy.read(bad, Optional.empty(), LABEL, Optional.empty(), PixelScale.NONE),
        bad + ": y must hold one label for each of the 2 inputs",
        "Provided: 1");
    byte[] zeros = array("|u1", "(1000, 100000)");
    Path bomb =
        zip(
            folder.resolve("bomb.npz"),
            Map.of(
                "x.npy", Arrays.copyOf(zeros, zeros.length + 100_000_000),
                "y.npy", array("|u1", "(1000,)", new double[1000])));
    refused(
        () -> Npy.read(bomb, Optional.empty(), LABEL, Optional.empty(), PixelScale.NONE),
        bomb,
        "at most 200 times its size");
  }

  @Test
  void regressionTargetsAreScaled() throws IOException {
    Rows rows =
        Npy.read(
                write("x.npy", array("|u1", "(1, 2)", 1, 2)),
                Optional.of(write("y.npy", array("<f8", "(1,)", 2.5))),
                Column.parse("y=0..10"),
                Optional.empty(),
                PixelScale.NONE)
            .train();
    assertEquals(0.25f, target(rows.examples(), 0));
    assertEquals(new Task.Number("y", 0, 10), rows.task());
  }

  @Test
  void badArraysAreRefusedInOneLine() throws IOException {
    byte[] labels = array("|u1", "(2,)", 0, 1);
    byte[] good = array("<f4", "(2, 2)", 1, 2, 3, 4);
    Path x = folder.resolve("x.npy");
    Path y = folder.resolve("y.npy");
    refused(() -> read("hello, world".getBytes(), labels, BOUNDS), x, "must be a NumPy array");
    refused(() -> read(new byte[0], labels, BOUNDS), x, "must be a NumPy array");
    refused(() -> read(Arrays.copyOf(good, 40), labels, BOUNDS), x, "truncated in its header");
    refused(
        () -> read(Arrays.copyOf(good, good.length - 1), labels, BOUNDS),
        x,
        "truncated",
        "2 items");
    refused(() -> read(Arrays.copyOf(good, good.length + 1), labels, BOUNDS), x, "must end after");
    misfit(
        () -> read(array("<f4", "(2, 2)", 1, 2, 3, Double.NaN), labels, BOUNDS),
        x,
        "at index 1: value 1 must be a finite number",
        "NaN");
    misfit(
        () -> read(array("<f8", "(2,)", 1, Double.POSITIVE_INFINITY), labels, BOUNDS),
        "at index 1: value 0");
    misfit(() -> read(good, array("|u1", "(2,)", 0, 3), BOUNDS), y, "at index 1", "0, 1, 2", "3");
    refused(
        () -> read(good, array("|u1", "(3,)", 0, 1, 2), BOUNDS), y, "each of the 2 inputs", "3");
    refused(() -> read(good, array("|u1", "(2, 2)", 0, 1, 1, 0), BOUNDS), y, "of 2 values");
    refused(
        () -> read(array("|u1", "(0, 2)"), array("|u1", "(0,)"), BOUNDS),
        x,
        "at least one example");
    refused(
        () -> read(array("|u1", "(2, 3, 1, 5)", new double[30]), labels, BOUNDS),
        x,
        "channels last",
        "3x1x5");
    refused(() -> read(array("<f4", "()", 1), labels, BOUNDS), x, "one to four dimensions");
    refused(
        () -> read(array("|u1", "(2, 99999999, 99999999)"), labels, BOUNDS),
        x,
        "one to four dimensions");
    refused(
        () ->
            read(
                file(1, "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", new byte[9]),
                labels,
                BOUNDS),
        x,
        "must hold bool, integers, float32 or float64",
        "|O");
    refused(
        () ->
            read(
                file(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", new byte[16]),
                labels,
                BOUNDS),
        x,
        "must be in C order");
    refused(() -> read(file(4, "{}", new byte[0]), labels, BOUNDS), x, "version 1 to 3");
    refused(
        () -> Npy.read(x, Optional.empty(), LABEL, BOUNDS, PixelScale.NONE),
        "labels must be",
        "none");
    refused(
        () -> Npy.read(folder.resolve("gone.npy"), Optional.of(y), LABEL, BOUNDS, PixelScale.NONE),
        "gone.npy does not exist.");
  }

  /** A file that NumPy 2.4 wrote: numpy.savez_compressed(x=[[0.5, -1], [2, 3]], y=[1, 2]). */
  @Test
  void numpysOwnFileIsRead() throws IOException {
    String file =
        "UEsDBC0AAAAIAAAAIQBAArYL//////////8FABQAeC5ucHkBABAAoAAAAAAAAABVAAAAAAAAAJvsF+ob"
            + "EMnIUMZQrZ6SWpxcpG6loG6XZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CkaaOgq1"
            + "CmQDLvsHDGCw/wOEdmCA0hwQGgBQSwMELQAAAAgAAAAhAAv5qi3//////////wUAFAB5Lm5weQEAEACI"
            + "AAAAAAAAAEsAAAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgbpNpoq6joJ6WX1RSlJgXn1+UkgoSd0vM"
            + "KU4FihdnJBakAvkaRjqaOgq1ChQALkYGBgYmIAYAUEsBAi0DLQAAAAgAAAAhAEACtgtVAAAAoAAAAAUA"
            + "AAAAAAAAAAAAAIABAAAAAHgubnB5UEsBAi0DLQAAAAgAAAAhAAv5qi1LAAAAiAAAAAUAAAAAAAAAAAAA"
            + "AIABjAAAAHkubnB5UEsFBgAAAAACAAIAZgAAAA4BAAAAAA==";
    Path path = write("numpy.npz", Base64.getDecoder().decode(file));
    Rows rows = Npy.read(path, Optional.empty(), LABEL, BOUNDS, PixelScale.NONE).train();
    assertArrayEquals(new float[] {10.5f / 20, 9 / 20f}, input(rows.examples(), 0), 1e-6f);
    assertArrayEquals(new float[] {12 / 20f, 13 / 20f}, input(rows.examples(), 1), 1e-6f);
    assertEquals(2, target(rows.examples(), 1));
  }
}
