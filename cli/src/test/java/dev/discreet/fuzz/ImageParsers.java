package dev.discreet.fuzz;

import dev.discreet.core.nn.Shape;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.format.ImageFolder;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** Readers of images by class, in folders and zip files. */
final class ImageParsers {
  private static final DataOptions OPTIONS =
      DataOptions.builder()
          .input(new Shape(4, 4, 3))
          .classes(List.of("a", "b"))
          .testShare(0)
          .build();
  private static final List<byte[]> PNG =
      List.of(
          image("png", BufferedImage.TYPE_BYTE_GRAY),
          image("png", BufferedImage.TYPE_3BYTE_BGR),
          image("png", BufferedImage.TYPE_4BYTE_ABGR),
          image("png", BufferedImage.TYPE_BYTE_INDEXED),
          image("png", BufferedImage.TYPE_BYTE_BINARY));
  private static final List<byte[]> JPEG =
      List.of(
          image("jpg", BufferedImage.TYPE_BYTE_GRAY), image("jpg", BufferedImage.TYPE_3BYTE_BGR));

  private ImageParsers() {}

  static List<HostileParser> all() {
    return List.of(
        HostileParser.ofFiles("image-folder", ImageParsers::folder, ImageParsers::read),
        HostileParser.ofFiles("image-zip", ImageParsers::zip, ImageParsers::readZip),
        HostileParser.ofFiles("image-kind", ImageParsers::zip, ImageParsers::readKind));
  }

  private static byte[] image(String format, int type) {
    BufferedImage image = new BufferedImage(4, 4, type);
    for (int i = 0; i < 16; i++) {
      image.setRGB(i % 4, i / 4, 0xff000000 | i * 0x0f0f0f);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, format, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static Map<String, byte[]> images(SplittableRandom random) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      boolean png = !Mutations.chance(random, 3);
      byte[] image = Mutations.pick(random, png ? PNG : JPEG);
      if (Mutations.chance(random, 2)) {
        boolean right = png && Mutations.chance(random, 2);
        image = right ? HostileArchives.png(random, image) : Mutations.bytes(random, image);
      }
      files.put((i % 2 == 0 ? "a/" : "b/") + i + (png ? ".png" : ".jpg"), image);
    }
    return files;
  }

  private static HostileFiles folder(SplittableRandom random) {
    return new HostileFiles(images(random));
  }

  private static void read(Path folder, HostileFiles files) throws IOException {
    TableParsers.touch(DataSets.open(folder.toString(), OPTIONS));
  }

  private static HostileFiles zip(SplittableRandom random) {
    byte[] zip = HostileArchives.zip(random, images(random));
    return HostileFiles.of(
        "i.zip", Mutations.chance(random, 3) ? Mutations.bytes(random, zip) : zip);
  }

  private static void readZip(Path folder, HostileFiles files) throws IOException {
    TableParsers.touch(DataSets.open(folder.resolve("i.zip").toString(), OPTIONS));
  }

  private static void readKind(Path folder, HostileFiles files) throws IOException {
    ImageFolder.kind(folder.resolve("i.zip"));
  }
}
