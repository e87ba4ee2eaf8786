package dev.discreet.data.format;

import static dev.discreet.data.format.Refusals.gzip;
import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.misfit;
import static dev.discreet.data.format.Refusals.refused;
import static dev.discreet.data.format.Refusals.target;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.internal.Gzip;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxSetTest {
  private static final Column LABEL = Column.parse("digit={0..9}");
  private static final byte[] IMAGES =
      IdxTest.file(8, new int[] {3, 1, 2}, 0, 255, 51, 102, 153, 204);
  private static final byte[] LABELS = IdxTest.file(8, new int[] {3}, 7, 0, 9);

  @TempDir Path folder;

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private static Rows read(Path images, Path labels) throws IOException {
    return IdxSet.read(images, labels, LABEL, PixelScale.NONE);
  }

  @Test
  void foldersHaveParts() throws IOException {
    assertFalse(IdxSet.isFolder(folder));
    write("train-images-idx3-ubyte.gz", gzip(IMAGES));
    assertTrue(IdxSet.isFolder(folder));
    refused(
        () -> IdxSet.readFolder(folder, LABEL, PixelScale.NONE), folder, "train-labels-idx1-ubyte");
    write("train-labels-idx1-ubyte", LABELS);
    FileRows one = IdxSet.readFolder(folder, LABEL, PixelScale.NONE);
    assertTrue(one.test().isEmpty());
    assertEquals(new Shape(1, 2, 1), one.train().examples().input());
    assertArrayEquals(new float[] {0.2f, 0.4f}, input(one.train().examples(), 1), 1e-6f);
    assertEquals(9, target(one.train().examples(), 2));
    assertEquals(10, ((Task.Classes) one.train().task()).names().size());
    write("t10k-images-idx3-ubyte", IdxTest.file(8, new int[] {1, 1, 2}, 51, 102));
    refused(() -> IdxSet.readFolder(folder, LABEL, PixelScale.NONE), "t10k-labels-idx1-ubyte");
    write("t10k-labels-idx1-ubyte", IdxTest.file(8, new int[] {1}, 0));
    Rows test =
        IdxSet.readFolder(folder, LABEL, new PixelScale(List.of(0.2), List.of(0.1)))
            .test()
            .orElseThrow();
    assertArrayEquals(new float[] {0, 2}, input(test.examples(), 0), 1e-6f);
    assertEquals(one.train().fingerprints()[1], test.fingerprints()[0]);
    write("t10k-images-idx3-ubyte", IdxTest.file(8, new int[] {1, 2, 1}, 51, 102));
    refused(() -> IdxSet.readFolder(folder, LABEL, PixelScale.NONE), "1x2x1", "2x1x1");
  }

  @Test
  void badFilesAreRefusedInOneLine() throws IOException {
    Path images = write("images", IMAGES);
    Path labels = write("labels", LABELS);
    refused(() -> read(labels, images), images, "one dimension");
    refused(() -> read(labels, labels), labels, "must be a file of images");
    Path text = write("text", "not,idx\n1,2\n".getBytes());
    refused(() -> read(text, labels), text, "must be an IDX file");
    refused(() -> read(images, text), text, "must be an IDX file");
    Path cut = write("cut", Arrays.copyOf(IMAGES, IMAGES.length - 1));
    refused(() -> read(cut, labels), cut, "must hold 6 values", "only 5");
    Path more = write("more", Arrays.copyOf(IMAGES, IMAGES.length + 1));
    refused(() -> read(more, labels), more, "must hold 6 values", "more");
    Path two = write("two", IdxTest.file(8, new int[] {2}, 1, 2));
    refused(() -> read(images, two), images, "each of the 2 labels", "Provided: 3");
    Path none = write("none", IdxTest.file(8, new int[] {0, 1, 2}));
    Path noLabels = write("noLabels", IdxTest.file(8, new int[] {0}));
    refused(() -> read(none, noLabels), none, "at least one image");
    Path high = write("high", IdxTest.file(8, new int[] {3}, 1, 10, 2));
    misfit(() -> read(images, high), high, "at index 1", "digit must be one of 0, 1", "10");
    Path forged = write("forged", IdxTest.file(8, new int[] {3, 1 << 30, 1 << 30}));
    refused(() -> read(forged, labels), forged, "must be a file of images");
    Path wide = write("wide", IdxTest.file(8, new int[] {3, 1, 1, 1 << 24}));
    refused(() -> read(wide, labels), wide, "must hold 50331648 values", "only 0");
    refused(() -> read(folder.resolve("gone"), labels), "gone does not exist.");
    refused(
        () -> IdxSet.read(images, labels, LABEL, new PixelScale(List.of(0., 0.), List.of(1., 1.))),
        "one for each of 1 channels");
  }

  @Test
  void badGzipIsRefusedInOneLine() throws IOException {
    Path labels = write("labels", LABELS);
    byte[] packed = gzip(IMAGES);
    assertEquals(3, read(write("ok.gz", packed), labels).examples().size());
    for (int garbage : new int[] {1, 5, 18, 19, 100, 70_000}) {
      byte[] longer = Arrays.copyOf(packed, packed.length + garbage);
      Arrays.fill(longer, packed.length, longer.length, (byte) 'x');
      Path path = write("garbage.gz", longer);
      refused(() -> read(path, labels), path, "bytes after the end of its gzip data");
      Arrays.fill(longer, packed.length, longer.length, (byte) 0);
      write("garbage.gz", longer);
      refused(() -> read(path, labels), path, "bytes after the end of its gzip data");
    }
    for (int length = 0; length < packed.length; length++) {
      Path path = write("cut.gz", Arrays.copyOf(packed, length));
      refused(() -> read(path, labels), path, "gzip");
    }
    byte[] wrong = packed.clone();
    wrong[packed.length - 6] ^= 1;
    Path damaged = write("damaged.gz", wrong);
    refused(() -> read(damaged, labels), damaged, "checksum");
    Path plain = write("plain.gz", IMAGES);
    refused(() -> read(plain, labels), plain, "must be a gzip file, as its name says");
    assertEquals(3, read(write("named-plain", packed), labels).examples().size());
  }

  /** Members one after another, and names and comments in the header, are proper gzip. */
  @Test
  void gzipMembersAreJoined() throws IOException {
    byte[] bytes = new byte[300_000];
    new Random(2).nextBytes(bytes);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int from = 0; from < bytes.length; from += 100_000) {
      byte[] member = gzip(Arrays.copyOfRange(bytes, from, from + 100_000));
      all.write(member, 0, 3);
      all.write(4 | 8 | 16 | 2); // extra field, name, comment, checksum
      all.write(member, 4, 6);
      all.write(new byte[] {2, 0, 'e', 'x', 'n', 'a', 0, 'c', 0, 1, 2});
      all.write(member, 10, member.length - 10);
    }
    try (InputStream in = Gzip.open(write("all.gz", all.toByteArray()))) {
      assertArrayEquals(bytes, in.readAllBytes());
    }
  }

  @Test
  void mnistIsRead() throws IOException {
    Path real = Refusals.real("mnist");
    FileRows parts =
        IdxSet.readFolder(real, LABEL, new PixelScale(List.of(0.1307), List.of(0.3081)));
    assertEquals(60_000, parts.train().examples().size());
    Rows test = parts.test().orElseThrow();
    assertEquals(10_000, test.examples().size());
    double sum = 0;
    for (int i = 0; i < 60_000; i++) {
      for (float value : input(parts.train().examples(), i)) {
        sum += value;
      }
    }
    // The public figures are those of this very set.
    assertEquals(0, sum / 60_000 / 784, 1e-3);
    assertEquals(7, target(test.examples(), 0));
    assertEquals(60_000, Arrays.stream(parts.train().fingerprints()).distinct().count(), 10);
    assertEquals(Optional.empty(), Optional.ofNullable(test.unitOf()));
  }

  @Test
  void fashionIsRead() throws IOException {
    FileRows parts = IdxSet.readFolder(Refusals.real("fashion-mnist"), LABEL, PixelScale.NONE);
    assertEquals(60_000, parts.train().examples().size());
    assertEquals(9, target(parts.train().examples(), 0));
  }
}
