package dev.discreet.data.format;

import static dev.discreet.data.format.Refusals.gzip;
import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.misfit;
import static dev.discreet.data.format.Refusals.refused;
import static dev.discreet.data.format.Refusals.target;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.DataFormat;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CifarTest {
  private static final String NAMES =
      "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n\n";

  @TempDir Path folder;

  /** An image whose red is 10, green 20 + column, blue 30 + row. */
  private static byte[] record(int... labels) {
    byte[] bytes = new byte[labels.length + 3072];
    for (int i = 0; i < labels.length; i++) {
      bytes[i] = (byte) labels[i];
    }
    for (int p = 0; p < 1024; p++) {
      bytes[labels.length + p] = 10;
      bytes[labels.length + 1024 + p] = (byte) (20 + p % 32);
      bytes[labels.length + 2048 + p] = (byte) (30 + p / 32);
    }
    return bytes;
  }

  private static byte[] twice(byte[] record) {
    byte[] bytes = Arrays.copyOf(record, 2 * record.length);
    System.arraycopy(record, 0, bytes, record.length, record.length);
    return bytes;
  }

  private static Map<String, byte[]> cifar10() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int i = 1; i <= 5; i++) {
      files.put("data_batch_" + i + ".bin", twice(record(i)));
    }
    files.put("test_batch.bin", record(9));
    files.put("batches.meta.txt", NAMES.getBytes(StandardCharsets.UTF_8));
    files.put("readme.html", new byte[] {1});
    return files;
  }

  private Path write(Map<String, byte[]> files, String name) throws IOException {
    Path to = Files.createDirectories(folder.resolve(name));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(to.resolve(file.getKey()), file.getValue());
    }
    return to;
  }

  /** As the ustar format's description has it. */
  private static byte[] tar(Map<String, byte[]> files) {
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    tar.writeBytes(header("cifar/", 0, '5'));
    files.forEach(
        (name, bytes) -> {
          tar.writeBytes(header("cifar/" + name, bytes.length, '0'));
          tar.writeBytes(Arrays.copyOf(bytes, (bytes.length + 511) / 512 * 512));
        });
    tar.writeBytes(new byte[10240]);
    return tar.toByteArray();
  }

  private static byte[] header(String name, int size, char type) {
    byte[] header = new byte[512];
    put(header, 0, name);
    put(header, 100, "0000644\0");
    put(header, 124, String.format(Locale.ROOT, "%011o ", size));
    put(header, 148, "        ");
    header[156] = (byte) type;
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, String.format(Locale.ROOT, "%06o\0 ", sum));
    return header;
  }

  private static void put(byte[] to, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, to, at, bytes.length);
  }

  @Test
  void foldersAndArchivesAreTheSame() throws IOException {
    Path inner = write(cifar10(), "outer/cifar-10-batches-bin");
    Path packed = Files.write(folder.resolve("c.tar.gz"), gzip(tar(cifar10())));
    Path bare = Files.write(folder.resolve("c.tar"), tar(cifar10()));
    long[] first = Cifar.read(inner, PixelScale.NONE).train().fingerprints();
    for (Path path : List.of(inner, inner.getParent(), packed, bare)) {
      assertEquals(DataFormat.Claim.YES, new CifarFormat().claim(path));
      FileRows parts = Cifar.read(path, PixelScale.NONE);
      assertEquals(new Shape(32, 32, 3), parts.train().examples().input());
      assertEquals(10, parts.train().examples().size());
      assertEquals("nine", ((Task.Classes) parts.train().task()).names().get(9));
      assertEquals(9, target(parts.test().orElseThrow().examples(), 0));
      assertEquals(2, target(parts.train().examples(), 3));
      float[] pixels = input(parts.train().examples(), 0);
      int at = 3 * (32 * 5 + 7);
      assertArrayEquals(
          new float[] {10 / 255f, 27 / 255f, 35 / 255f},
          Arrays.copyOfRange(pixels, at, at + 3),
          1e-6f);
      assertArrayEquals(first, parts.train().fingerprints());
    }
    assertEquals(DataFormat.Claim.NO, new CifarFormat().claim(folder));
  }

  @Test
  void cifar100HasFineLabels() throws IOException {
    Path path =
        write(Map.of("train.bin", twice(record(3, 99)), "test.bin", record(250, 42)), "hundred");
    FileRows parts = Cifar.read(path, PixelScale.NONE);
    assertEquals(99, target(parts.train().examples(), 1));
    assertEquals(42, target(parts.test().orElseThrow().examples(), 0));
    assertEquals(100, ((Task.Classes) parts.train().task()).names().size());
  }

  @Test
  void withoutNamesOrTestTheKnownOnesServe() throws IOException {
    Map<String, byte[]> files = cifar10();
    files.remove("batches.meta.txt");
    files.remove("test_batch.bin");
    FileRows parts = Cifar.read(write(files, "bare"), PixelScale.NONE);
    assertEquals("frog", ((Task.Classes) parts.train().task()).names().get(6));
    assertTrue(parts.test().isEmpty());
  }

  private void refusedWith(String file, byte[] bytes, Object... parts) throws IOException {
    Map<String, byte[]> files = cifar10();
    if (bytes == null) {
      files.remove(file);
    } else {
      files.put(file, bytes);
    }
    Path path = Files.write(folder.resolve("bad.tar.gz"), gzip(tar(files)));
    refused(() -> Cifar.read(path, PixelScale.NONE), path);
    refused(() -> Cifar.read(path, PixelScale.NONE), parts);
  }

  @Test
  void badSetsAreRefusedInOneLine() throws IOException {
    refusedWith("data_batch_3.bin", null, "Missing: data_batch_3.bin");
    Map<String, byte[]> files = cifar10();
    files.put("data_batch_3.bin", record(10));
    Path beyond = write(files, "beyond");
    misfit(
        () -> Cifar.read(beyond, PixelScale.NONE).train(),
        beyond,
        "data_batch_3.bin: label of record 0",
        "[0, 9]",
        "10");
    refusedWith("data_batch_3.bin", new byte[3000], "records of 3073 bytes", "3000");
    refusedWith("train.bin", record(0, 0), "not both");
    refusedWith("batches.meta.txt", "a\nb\n".getBytes(), "must name 10 classes", "2");
    refusedWith("batches.meta.txt", "a\na\n".getBytes(), "distinct");
    Path none = Files.createDirectories(folder.resolve("none"));
    refused(() -> Cifar.read(none, PixelScale.NONE), none, "Missing: data_batch_1.bin");
    refused(() -> Cifar.read(folder.resolve("gone.tar"), PixelScale.NONE), "does not exist");
    byte[] tar = tar(cifar10());
    Path text = Files.write(folder.resolve("text.tar"), new byte[1024 - 1]);
    Files.write(text, "hello".repeat(300).getBytes());
    refused(() -> Cifar.read(text, PixelScale.NONE), text, "must be a tar file");
    for (int length : new int[] {0, 511, 512, 1024, 2000, 40_000, tar.length - 10240}) {
      Path cut = Files.write(folder.resolve("cut.tar"), Arrays.copyOf(tar, length));
      refused(() -> Cifar.read(cut, PixelScale.NONE), cut, length < 512 ? "tar" : "truncated");
    }
    byte[] damaged = tar.clone();
    damaged[512] ^= 1;
    Path wrong = Files.write(folder.resolve("wrong.tar"), damaged);
    refused(() -> Cifar.read(wrong, PixelScale.NONE), wrong, "damaged");
    byte[] packed = gzip(tar);
    Path garbage =
        Files.write(folder.resolve("g.tar.gz"), Arrays.copyOf(packed, packed.length + 9));
    refused(() -> Cifar.read(garbage, PixelScale.NONE), garbage, "after the end");
  }
}
