package dev.discreet.data.format;

import static dev.discreet.data.format.Refusals.input;
import static dev.discreet.data.format.Refusals.misfit;
import static dev.discreet.data.format.Refusals.refused;
import static dev.discreet.data.format.Refusals.target;
import static dev.discreet.data.format.Refusals.zip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.FileRows;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.Split;
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

  private static ImageKind kind(int channels, String... classes) {
    return new ImageKind(new Shape(3, 4, channels), new Task.Classes(List.of(classes)));
  }

  private static FileRows read(Path path) throws IOException {
    return ImageFolder.read(path, kind(3, "cat", "dog"), PixelScale.NONE, false);
  }

  private static Rows read(Path path, int channels, String... classes) throws IOException {
    return ImageFolder.read(path, kind(channels, classes), PixelScale.NONE, false).train();
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
      FileRows parts = read(path);
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
  void partsAreDeclared() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("train/a/1.png", grey(0));
    files.put("train/b/1.png", grey(255));
    files.put("train/c/1.png", grey(10));
    files.put("test/b/1.png", grey(51));
    Path set = unpack("set", files);
    PixelScale scale = new PixelScale(List.of(0.2), List.of(0.1));
    FileRows parts = ImageFolder.read(set, kind(1, "a", "b", "c"), scale, true);
    assertEquals(3, parts.train().examples().size());
    Rows test = parts.test().orElseThrow();
    assertEquals(new Shape(3, 4, 1), test.examples().input());
    assertEquals(parts.train().task(), test.task());
    assertEquals(1, target(test.examples(), 0));
    assertEquals(0, input(test.examples(), 0)[5], 1e-6);
    // Not declared, none of them fits.
    FileRows one = ImageFolder.read(set, kind(1, "a", "b", "c"), scale, false);
    assertTrue(one.test().isEmpty());
    assertEquals(4, one.train().misfits().count());
    String first = one.train().misfits().first().get(0);
    assertTrue(first.contains("train/a/1.png: must lie in CLASS/, not below train/"), first);
    assertTrue(first.contains("--test-folder"), first);
    for (String other : List.of("a/1.png", "valid/a/1.png", "Test/a/1.png")) {
      Map<String, byte[]> more = new LinkedHashMap<>(files);
      more.put(other, grey(1));
      FileRows with = parted(unpack("with" + other.length(), more), "a", "b", "c");
      misfit(with::train, other, "must lie below train/ or test/");
      assertEquals(1, with.test().orElseThrow().examples().size());
    }
    Path flat = unpack("flat", small());
    refused(() -> parted(flat, "cat", "dog"), flat, "images below train/ and test/");
  }

  private static FileRows parted(Path path, String... classes) throws IOException {
    return ImageFolder.read(path, kind(1, classes), PixelScale.NONE, true);
  }

  /** A class may have the name of a part. */
  @Test
  void aClassMayBeCalledTrain() throws IOException {
    Map<String, byte[]> vehicles = Map.of("train/1.png", grey(1), "bus/1.png", grey(2));
    assertEquals(
        2, Split.whole(read(unpack("v", vehicles), 1, "bus", "train"), false).examples().size());
  }

  /**
   * Of two files with the same bytes in one folder, only one is called an image. Which of them is
   * held out must not hang on the other.
   */
  @Test
  void copiesAreToldApartByWhetherTheyFit() throws IOException {
    Map<String, byte[]> files = small();
    files.put("dog/a.gif", files.get("dog/a.png"));
    files.put("dog/c.png", files.get("dog/a.png"));
    Rows rows = read(unpack("copies", files)).train();
    long[] prints = rows.fingerprints(); // cat/a.PNG, dog/a.png, dog/b.png, dog/c.png, dog/a.gif
    assertTrue(rows.misfits().isMisfit(4));
    assertNotEquals(prints[1], prints[4]);
    assertEquals(prints[1], prints[3]);
  }

  /** The model's outputs are in the order that was declared, and a class may have no image. */
  @Test
  void classesKeepTheDeclaredOrder() throws IOException {
    Rows rows = read(unpack("pets", small()), 3, "eel", "dog", "cat");
    assertEquals(new Task.Classes(List.of("eel", "dog", "cat")), rows.task());
    assertEquals(2, target(rows.examples(), 0));
    assertEquals(1, target(rows.examples(), 1));
    assertEquals(0, rows.misfits().count());
  }

  /** A public folder says what others are to be like. */
  @Test
  void aPublicFolderDeclares() throws IOException {
    Path path = unpack("public", small());
    assertEquals(kind(3, "cat", "dog"), ImageFolder.kind(path));
    Map<String, byte[]> greys = Map.of("train/b/1.png", grey(1), "test/a/1.png", grey(2));
    assertEquals(kind(1, "a", "b"), ImageFolder.kind(zip(folder.resolve("greys.zip"), greys)));
    Path one = unpack("one", Map.of("cat/1.png", grey(1)));
    refused(() -> ImageFolder.kind(one), one, "at least two classes", "cat");
    Path none = Files.createDirectories(folder.resolve("none"));
    refused(() -> ImageFolder.kind(none), none, "at least two classes", "none");
    byte[] huge = huge(rgb(1, 2, 3));
    Path large = unpack("huge", Map.of("a/1.png", huge, "b/1.png", huge));
    refused(() -> ImageFolder.kind(large), large, "a/1.png", "65500x65500");
    BufferedImage colours = new BufferedImage(2000, 2000, BufferedImage.TYPE_4BYTE_ABGR);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    ImageIO.write(colours, "png", packed);
    Path blank =
        zip(
            folder.resolve("blank.zip"),
            Map.of("a/1.png", packed.toByteArray(), "b/1.png", new byte[1]));
    refused(() -> ImageFolder.kind(blank), blank, "unpacks to more than 200 times its size");
    refused(() -> new ImageKind(new Shape(3, 4, 2), new Task.Classes(List.of("a", "b"))), "x2");
  }

  @Test
  void greyValuesAreNotBent() throws IOException {
    for (int value : new int[] {0, 1, 64, 128, 200, 255}) {
      Map<String, byte[]> files = new LinkedHashMap<>();
      files.put("a/1.png", grey(value));
      files.put("b/1.png", image("png", BufferedImage.TYPE_USHORT_GRAY, 4, 3, value << 8 | 77));
      files.put("b/2.jpg", image("jpg", GREY, 4, 3, value));
      Rows rows = read(zip(folder.resolve("g" + value + ".zip"), files), 1, "a", "b");
      assertEquals(new Shape(3, 4, 1), rows.examples().input());
      for (int i = 0; i < 3; i++) {
        assertEquals(value, 255 * input(rows.examples(), i)[7], i == 2 ? 1.01 : 1e-4);
      }
    }
  }

  @Test
  void channelsAreDeclared() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    files.put("a/1.png", grey(100));
    files.put("b/1.png", rgb(255, 0, 0));
    Path path = zip(folder.resolve("mixed.zip"), files);
    misfit(() -> read(path, 1, "a", "b"), path, "b/1.png: must be grey, as 3x4x1 declares");
    Rows colours = read(path, 3, "a", "b");
    assertEquals(100 / 255f, input(colours.examples(), 0)[2], 1e-6);
    assertEquals(0, input(colours.examples(), 1)[2], 1e-6);
    refused(
        () ->
            ImageFolder.read(
                path, kind(1, "a", "b"), new PixelScale(List.of(0., 0.), List.of(1., 1.)), false),
        "one for each of 1 channels");
    Rows greys = read(path, 1, "a", "b");
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
    Rows rows = read(zip(folder.resolve("ok.zip"), files), 3, "a", "b");
    assertArrayEquals(new float[] {1, 0, 0}, Arrays.copyOf(input(rows.examples(), 0), 3), 1e-6f);
    assertEquals(7 / 255f, input(rows.examples(), 1)[2], 1e-6);
    files.put("b/2.png", image("png", BufferedImage.TYPE_INT_ARGB, 4, 3, 9, 8, 7, 254));
    Path bad = zip(folder.resolve("bad.zip"), files);
    misfit(() -> read(bad, 3, "a", "b"), "b/2.png", "transparent");
  }

  private void misfitWith(String name, byte[] bytes, Object... parts) throws IOException {
    Map<String, byte[]> files = small();
    files.put(name, bytes);
    Path packed = zip(folder.resolve("bad.zip"), files);
    misfit(() -> read(packed).train(), packed);
    misfit(() -> read(packed).train(), parts);
    Path root = unpack("bad" + name.hashCode() + Arrays.hashCode(bytes), files);
    misfit(() -> read(root).train(), root);
    misfit(() -> read(root).train(), parts);
    // Its place and its side of a split are its own: no other image moves.
    assertArrayEquals(read(packed).train().fingerprints(), read(root).train().fingerprints());
  }

  @Test
  void imagesThatDoNotFitCountAsZero() throws IOException {
    misfitWith("dog/c.png", image("png", RGB, 5, 3, 1, 2, 3), "dog/c.png: must be 4x3", "5x3");
    misfitWith("dog/c.png", new byte[0], "dog/c.png: must be a readable PNG or JPEG");
    misfitWith("dog/c.png", "GIF89a".getBytes(), "dog/c.png", "no PNG or JPEG");
    byte[] png = rgb(1, 2, 3);
    misfitWith("dog/c.png", Arrays.copyOf(png, png.length / 2), "dog/c.png", "readable");
    byte[] jpeg = image("jpg", RGB, 4, 3, 1, 2, 3);
    misfitWith("dog/c.jpg", Arrays.copyOf(jpeg, 30), "dog/c.jpg", "readable");
    misfitWith("dog/c.jpg", Arrays.copyOf(jpeg, jpeg.length - 8), "dog/c.jpg", "readable");
    misfitWith("dog/c.gif", new byte[] {1}, "dog/c.gif", ".png, .jpg or .jpeg");
    misfitWith("dog/deep/c.png", png, "dog/deep", "must be in the folder of a declared class");
    byte[] flipped = png.clone();
    flipped[45] ^= 1;
    misfitWith("dog/c.png", flipped, "dog/c.png", "checksum");
    byte[] huge = huge(png);
    misfitWith("dog/c.png", huge, "dog/c.png: must be 4x3", "Provided: 65500x65500");
    misfitWith("emu/1.png", png, "emu/1.png: must be in the folder of a declared class");
    misfitWith("1.png", png, "1.png: must be in the folder of a declared class");
    misfitWith("val/dog/c.png", png, "val/dog/c.png: must lie in CLASS/, not below val/");
    misfitWith("dog/c.png", new byte[2_000_000], "dog/c.png", "at most");
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

  /** What is said of a whole folder or zip does not hang on one image. */
  @Test
  void badLayoutsAreRefusedInOneLine() throws IOException {
    Path empty = unpack("empty", small());
    Files.createDirectories(empty.resolve("emu"));
    assertEquals(3, read(empty).train().examples().size());
    Path none = Files.createDirectories(folder.resolve("none"));
    refused(() -> read(none), none, "must hold images as CLASS/FILE.png");
    Map<String, byte[]> loose = new TreeMap<>();
    small().forEach((name, bytes) -> loose.put("set/" + name, bytes));
    loose.put("set/test/1.png", grey(1)); // without a class, as in competitions
    Path competition = unpack("y", loose);
    misfit(() -> read(competition).train(), "set/test/1.png", "a declared class");
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
      String said = refused(() -> read(path), path, "must hold names inside itself only");
      assertEquals(
          path + " must hold names inside itself only (outside the guarantee, for your eyes).",
          said);
    }
  }

  /** Zeros with a picture's name, and many copies of somewhat less. */
  @Test
  void bombsAreRefusedEarly() throws IOException {
    Map<String, byte[]> files = small();
    files.put("dog/z.png", new byte[3_000_000]);
    Path path = zip(folder.resolve("bomb.zip"), files);
    assertTrue(Files.size(path) < 10_000);
    misfit(() -> read(path).train(), path, "dog/z.png: must unpack to at most 1048672 bytes");
    byte[] padded = Arrays.copyOf(rgb(1, 2, 3), 1_000_000);
    Map<String, byte[]> many = new LinkedHashMap<>(small());
    for (int i = 0; i < 100; i++) {
      many.put("dog/p" + i + ".png", padded);
    }
    Path total = zip(folder.resolve("many.zip"), many);
    refused(() -> read(total), total, "at most 200 times its size");
  }

  @Test
  void damagedEntriesCountAsZero() throws IOException {
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
    misfit(() -> read(path).train(), path, "dog/b.png", "checksum");
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
    Path zipped = zip(some, files);
    FileRows parts = ImageFolder.read(zipped, ImageFolder.kind(zipped), PixelScale.NONE, true);
    assertEquals(0, parts.train().misfits().count());
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
