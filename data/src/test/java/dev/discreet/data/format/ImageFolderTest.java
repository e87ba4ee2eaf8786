package dev.discreet.data.format;

import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.refused;
import static dev.discreet.data.format.Refusals.target;
import static dev.discreet.data.format.Refusals.zip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Shape;
import dev.discreet.data.Rows;
import dev.discreet.data.Task;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageFolderTest {
  private static final int RGB = BufferedImage.TYPE_INT_RGB;
  private static final int GREY = BufferedImage.TYPE_BYTE_GRAY;

  @TempDir Path folder;

  private static byte[] image(String format, int type, int width, int height, int... pixel)
      throws IOException {
    BufferedImage image = new BufferedImage(width, height, type);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        image.getRaster().setPixel(x, y, pixel);
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, format, bytes));
    return bytes.toByteArray();
  }

  private static byte[] rgb(int red, int green, int blue) throws IOException {
    return image("png", RGB, 4, 3, red, green, blue);
  }

  private static byte[] grey(int value) throws IOException {
    return image("png", GREY, 4, 3, value);
  }

  /** Two classes, three images. */
  private static Map<String, byte[]> small() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("dog/b.png", rgb(1, 2, 3));
    files.put("cat/a.PNG", rgb(255, 0, 51));
    files.put("dog/a.png", rgb(10, 20, 30));
    return files;
  }

  private Path unpack(String name, Map<String, byte[]> files) throws IOException {
    Path root = folder.resolve(name);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = root.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    return root;
  }

  private static Parts read(Path path) throws IOException {
    return ImageFolder.read(path, PixelScale.NONE);
  }

  @Test
  void foldersAndZipsAreTheSame() throws IOException {
    Map<String, byte[]> noise = small();
    noise.put("README.txt", new byte[] {1});
    noise.put(".DS_Store", new byte[] {1});
    noise.put("dog/.thumb", new byte[] {1});
    noise.put("__MACOSX/dog/._a.png", new byte[] {1});
    Map<String, byte[]> inside = new LinkedHashMap<>();
    small().forEach((name, bytes) -> inside.put("pets/" + name, bytes));
    long[] first = read(unpack("pets", small())).train().fingerprints();
    for (Path path :
        List.of(
            unpack("noisy", noise),
            zip(folder.resolve("a.zip"), small()),
            zip(folder.resolve("b.zip"), noise),
            zip(folder.resolve("c.zip"), inside))) {
      Parts parts = read(path);
      Rows rows = parts.train();
      assertTrue(parts.test().isEmpty());
      assertEquals(new Task.Classes(List.of("cat", "dog")), rows.task());
      assertEquals(new Shape(3, 4, 3), rows.examples().input());
      assertEquals(3, rows.examples().size());
      assertEquals(0, target(rows.examples(), 0));
      assertEquals(1, target(rows.examples(), 1));
      assertArrayEquals(
          new float[] {1, 0, 0.2f}, Arrays.copyOf(input(rows.examples(), 0), 3), 1e-6f);
      assertArrayEquals(
          new float[] {10 / 255f, 20 / 255f, 30 / 255f},
          Arrays.copyOfRange(input(rows.examples(), 1), 33, 36),
          1e-6f);
      assertArrayEquals(first, rows.fingerprints());
    }
  }

  @Test
  void partsAreKnownByTheirFolders() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("train/a/1.png", grey(0));
    files.put("train/b/1.png", grey(255));
    files.put("train/c/1.png", grey(10));
    files.put("test/b/1.png", grey(51));
    Parts parts =
        ImageFolder.read(unpack("set", files), new PixelScale(List.of(0.2), List.of(0.1)));
    assertEquals(3, parts.train().examples().size());
    Rows test = parts.test().orElseThrow();
    assertEquals(new Shape(3, 4, 1), test.examples().input());
    assertEquals(parts.train().task(), test.task());
    assertEquals(1, target(test.examples(), 0));
    assertEquals(0, input(test.examples(), 0)[5], 1e-6);
    // A class may be called train.
    Map<String, byte[]> vehicles = Map.of("train/1.png", grey(1), "bus/1.png", grey(2));
    assertEquals(
        new Task.Classes(List.of("bus", "train")), read(unpack("v", vehicles)).train().task());
    files.put("test/d/1.png", grey(1));
    refused(() -> read(unpack("bad", files)), "test/d: must be a class of train/: a, b, c");
    files.remove("test/d/1.png");
    files.put("extra/a/1.png", grey(1));
    refused(() -> read(unpack("bad2", files)), "extra/", "must be in train/ or test/");
  }

  @Test
  void greyValuesAreNotBent() throws IOException {
    for (int value : new int[] {0, 1, 64, 128, 200, 255}) {
      Map<String, byte[]> files = new LinkedHashMap<>();
      files.put("a/1.png", grey(value));
      files.put("b/1.png", image("png", BufferedImage.TYPE_USHORT_GRAY, 4, 3, value << 8 | 77));
      files.put("b/2.jpg", image("jpg", GREY, 4, 3, value));
      Rows rows = read(zip(folder.resolve("g" + value + ".zip"), files)).train();
      assertEquals(new Shape(3, 4, 1), rows.examples().input());
      for (int i = 0; i < 3; i++) {
        assertEquals(value, 255 * input(rows.examples(), i)[7], i == 2 ? 1.01 : 1e-4);
      }
    }
  }

  @Test
  void channelsAreThoseOfTheFirstUnlessDeclared() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    files.put("a/1.png", grey(100));
    files.put("b/1.png", rgb(255, 0, 0));
    Path path = zip(folder.resolve("mixed.zip"), files);
    refused(() -> read(path), path, "b/1.png: must be grey", "a/1.png", "three channels");
    Rows colours =
        ImageFolder.read(path, new PixelScale(List.of(0., 0., 0.), List.of(1., 1., 1.))).train();
    assertEquals(100 / 255f, input(colours.examples(), 0)[2], 1e-6);
    assertEquals(0, input(colours.examples(), 1)[2], 1e-6);
    Rows greys = ImageFolder.read(path, new PixelScale(List.of(0.), List.of(1.))).train();
    assertEquals(76 / 255f, input(greys.examples(), 1)[0], 1e-6);
    refused(
        () -> ImageFolder.read(path, new PixelScale(List.of(0., 0.), List.of(1., 1.))),
        "one (grey) or three");
    assertNotEquals(greys.fingerprints()[0], greys.fingerprints()[1]);
    assertArrayEquals(greys.fingerprints(), colours.fingerprints());
  }

  @Test
  void paletteAndOpaqueAlphaAreReadAndTransparencyIsRefused() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    BufferedImage palette = new BufferedImage(4, 3, BufferedImage.TYPE_BYTE_INDEXED);
    palette.setRGB(0, 0, 0xffff0000);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(palette, "png", bytes);
    files.put("a/1.png", bytes.toByteArray());
    files.put("b/1.png", image("png", BufferedImage.TYPE_INT_ARGB, 4, 3, 9, 8, 7, 255));
    Rows rows = read(zip(folder.resolve("ok.zip"), files)).train();
    assertArrayEquals(new float[] {1, 0, 0}, Arrays.copyOf(input(rows.examples(), 0), 3), 1e-6f);
    assertEquals(7 / 255f, input(rows.examples(), 1)[2], 1e-6);
    files.put("b/2.png", image("png", BufferedImage.TYPE_INT_ARGB, 4, 3, 9, 8, 7, 254));
    refused(() -> read(zip(folder.resolve("bad.zip"), files)), "b/2.png", "transparent");
  }

  private void refusedWith(String name, byte[] bytes, Object... parts) throws IOException {
    Map<String, byte[]> files = small();
    files.put(name, bytes);
    Path packed = zip(folder.resolve("bad.zip"), files);
    refused(() -> read(packed), packed);
    refused(() -> read(packed), parts);
    if (!name.contains("..") && !name.startsWith("/")) {
      Path root = unpack("bad" + name.hashCode() + Arrays.hashCode(bytes), files);
      refused(() -> read(root), root);
      refused(() -> read(root), parts);
    }
  }

  @Test
  void badImagesAreRefusedInOneLine() throws IOException {
    refusedWith("dog/c.png", image("png", RGB, 5, 3, 1, 2, 3), "dog/c.png: must be 4x3", "5x3");
    refusedWith("dog/c.png", new byte[0], "dog/c.png: must be a readable PNG or JPEG");
    refusedWith("dog/c.png", "GIF89a".getBytes(), "dog/c.png", "no PNG or JPEG");
    byte[] png = rgb(1, 2, 3);
    refusedWith("dog/c.png", Arrays.copyOf(png, png.length / 2), "dog/c.png", "readable");
    byte[] jpeg = image("jpg", RGB, 4, 3, 1, 2, 3);
    refusedWith("dog/c.jpg", Arrays.copyOf(jpeg, 30), "dog/c.jpg", "readable");
    refusedWith("dog/c.jpg", Arrays.copyOf(jpeg, jpeg.length - 8), "dog/c.jpg", "readable");
    refusedWith("dog/c.gif", new byte[] {1}, "dog/c.gif", ".png, .jpg and .jpeg");
    refusedWith("dog/deep/c.png", png, "dog/deep", ".png, .jpg and .jpeg");
    byte[] flipped = png.clone();
    flipped[45] ^= 1;
    refusedWith("dog/c.png", flipped, "dog/c.png", "checksum");
    byte[] huge = huge(png);
    refusedWith("dog/c.png", huge, "dog/c.png: must be 4x3", "Provided: 65500x65500");
    refusedWith("cat/A.png", huge, "cat/A.png: must have at most 2^24 pixels", "65500x65500");
    refusedWith("dog/c.png", new byte[2_000_000], "dog/c.png", "at most");
  }

  /** The same file with another size in its header. */
  private static byte[] huge(byte[] png) {
    byte[] bytes = png.clone();
    ByteBuffer.wrap(bytes).putInt(16, 65_500).putInt(20, 65_500);
    CRC32 crc = new CRC32();
    crc.update(bytes, 12, 17);
    ByteBuffer.wrap(bytes).putInt(29, (int) crc.getValue());
    return bytes;
  }

  @Test
  void cutImagesAreRefusedWhereverTheyAreCut() throws IOException {
    try (ImageDecoder decoder = new ImageDecoder()) {
      for (byte[] whole : List.of(image("jpg", RGB, 40, 30, 1, 200, 3), rgb(1, 2, 3))) {
        decoder.decode(whole, 0, 0);
        for (int length = 0; length < whole.length; length++) {
          byte[] cut = Arrays.copyOf(whole, length);
          assertThrows(IOException.class, () -> decoder.decode(cut, 0, 0), "at " + length);
        }
        decoder.decode(whole, 0, 0);
      }
    }
  }

  @Test
  void badLayoutsAreRefusedInOneLine() throws IOException {
    Path empty = unpack("empty", small());
    Files.createDirectories(empty.resolve("emu"));
    refused(() -> read(empty), empty, "emu: a class must have at least one image");
    Map<String, byte[]> files = small();
    files.put("emu/", new byte[0]);
    refused(() -> read(zip(folder.resolve("emu.zip"), files)), "emu", "at least one image");
    Path one = unpack("one", Map.of("cat/1.png", grey(1)));
    refused(() -> read(one), one, "at least two classes", "cat");
    Path none = Files.createDirectories(folder.resolve("none"));
    refused(() -> read(none), none, "at least two classes", "none");
    refused(() -> read(unpack("x", Map.of("1.png", grey(1)))), "1.png", "in a class's folder");
    Map<String, byte[]> loose = new TreeMap<>();
    small().forEach((name, bytes) -> loose.put("set/train/" + name, bytes));
    loose.put("set/test/1.png", grey(1)); // without a class, as in competitions
    refused(() -> read(unpack("y", loose)), "set/test/1.png", "in a class's folder");
    refused(() -> read(folder.resolve("gone.zip")), "gone.zip does not exist.");
    Path text = Files.writeString(folder.resolve("text.zip"), "hello");
    refused(() -> read(text), text, "must be a zip file");
    byte[] whole = Files.readAllBytes(zip(folder.resolve("whole.zip"), small()));
    Path cut = Files.write(folder.resolve("cut.zip"), Arrays.copyOf(whole, whole.length - 30));
    refused(() -> read(cut), cut, "must be a zip file");
  }

  @Test
  void zipsThatLeadOutAreRefused() throws IOException {
    byte[] png = rgb(1, 2, 3);
    for (String name :
        List.of(
            "../dog/x.png",
            "dog/../../x.png",
            "/dog/x.png",
            "C:/dog/x.png",
            "dog\\x.png",
            "dog/..",
            "../x.txt")) {
      Map<String, byte[]> files = small();
      files.put(name, png);
      Path path = zip(folder.resolve("out.zip"), files);
      refused(() -> read(path), path, "must hold names inside itself only", name);
    }
  }

  /** Zeros with a picture's name, and many copies of somewhat less. */
  @Test
  void bombsAreRefusedEarly() throws IOException {
    Map<String, byte[]> files = small();
    files.put("dog/z.png", new byte[3_000_000]);
    Path path = zip(folder.resolve("bomb.zip"), files);
    assertTrue(Files.size(path) < 10_000);
    refused(() -> read(path), path, "dog/z.png: must unpack to at most 1048672 bytes");
    byte[] padded = Arrays.copyOf(rgb(1, 2, 3), 1_000_000);
    Map<String, byte[]> many = new LinkedHashMap<>(small());
    for (int i = 0; i < 100; i++) {
      many.put("dog/p" + i + ".png", padded);
    }
    Path total = zip(folder.resolve("many.zip"), many);
    refused(() -> read(total), total, "at most 200 times its size");
  }

  @Test
  void damagedEntriesAreRefused() throws IOException {
    Path path = zip(folder.resolve("d.zip"), small());
    byte[] bytes = Files.readAllBytes(path);
    int central = 0;
    for (int i = 0; i < bytes.length - 4; i++) {
      if (bytes[i] == 'P' && bytes[i + 1] == 'K' && bytes[i + 2] == 1 && bytes[i + 3] == 2) {
        central = i;
        break;
      }
    }
    bytes[central + 16] ^= 1; // the checksum that the directory has
    Files.write(path, bytes);
    refused(() -> read(path), path, "dog/b.png", "checksum");
  }

  @Test
  void cifarCopiesAreRead() throws IOException {
    Path real = Refusals.real("cifar10/cifar10-images.zip");
    Path some = folder.resolve("some.zip");
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(real.toFile())) {
      for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
        ZipEntry entry = e.nextElement();
        if (entry.getName().matches("(train|test)/[a-z]+/000.\\.jpg")) {
          files.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
        }
      }
    }
    Parts parts = read(zip(some, files));
    assertEquals(100, parts.train().examples().size());
    assertEquals(100, parts.test().orElseThrow().examples().size());
    assertEquals(new Shape(32, 32, 3), parts.train().examples().input());
    assertEquals("airplane", ((Task.Classes) parts.train().task()).names().get(0));
    double sum = 0;
    for (int i = 0; i < 100; i++) {
      for (float value : input(parts.train().examples(), i)) {
        sum += value;
      }
    }
    assertEquals(0.473, sum / 100 / 3072, 0.05);
  }
}
