package dev.discreet.data.format;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Decodes PNG and JPEG, known by their first bytes. For one thread at a time. */
final class ImageDecoder implements AutoCloseable {
  static final int MOST_PIXELS = 1 << 24;

  /** Deflate packs zeros 1,032 to 1, and a byte of them may be eight pixels. */
  private static final int MOST_PIXELS_A_BYTE = 10_000;

  /** What an image of any size may unpack to, and how much more for each of its bytes. */
  private static final long ALWAYS_ALLOWED = 1 << 23;

  private static final long MOST_RATIO = 200;

  /** Of a JPEG image; each is as much work as the whole image, and ten are usual. */
  private static final int MOST_SCANS = 100;

  private static final int END_OF_PNG = 'I' << 24 | 'E' << 16 | 'N' << 8 | 'D';

  private final ImageReader png = ImageIO.getImageReadersByFormatName("png").next();
  private final ImageReader jpeg = ImageIO.getImageReadersByFormatName("jpeg").next();
  private final List<String> warnings = new ArrayList<>();

  ImageDecoder() {
    jpeg.addIIOReadWarningListener((reader, warning) -> warnings.add(warning));
  }

  /** The largest file that an image of so many pixels may come in. */
  static int mostBytes(int pixels) {
    return (1 << 20) + 8 * Math.min(pixels, MOST_PIXELS);
  }

  /**
   * Decodes an image.
   *
   * @param width what it must be, or 0 for any; checked before anything of that size is allocated
   * @throws IOException with a message that goes on after the file's name
   */
  BufferedImage decode(byte[] file, int width, int height) throws IOException {
    ImageReader reader = reader(file);
    warnings.clear();
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
      reader.setInput(in, true, true);
      int wide = reader.getWidth(0);
      int high = reader.getHeight(0);
      if (width > 0 && (wide != width || high != height)) {
        throw new WrongSize(wide + "x" + high);
      }
      if ((long) wide * high > MOST_PIXELS) {
        throw new WrongSize(wide + "x" + high);
      }
      if ((long) wide * high > (long) MOST_PIXELS_A_BYTE * file.length) {
        throw new IOException("it ends too early");
      }
      long unpacked = (long) wide * high * bytesAPixel(file, reader == png);
      if (width == 0 && unpacked > ALWAYS_ALLOWED + MOST_RATIO * file.length) {
        throw new IOException("it unpacks to more than " + MOST_RATIO + " times its size");
      }
      BufferedImage image = reader.read(0);
      for (String warning : warnings) {
        // The decoder fills what is missing with grey and goes on.
        if (warning.startsWith("Premature") || warning.startsWith("Corrupt")) {
          throw new IOException(warning);
        }
      }
      return image;
    } catch (RuntimeException e) {
      // Damaged headers make the platform's decoders throw all sorts of exceptions.
      throw new IOException(e.toString(), e);
    } finally {
      reader.setInput(null); // reset() would remove the listener
    }
  }

  /** Says the size that an image has. */
  static final class WrongSize extends IOException {
    private static final long serialVersionUID = 1;

    WrongSize(String size) {
      super(size);
    }
  }

  /** The decoders accept much that is cut or damaged, so the frame of a file is checked first. */
  private ImageReader reader(byte[] file) throws IOException {
    if (file.length > 8 && file[0] == (byte) 0x89 && file[1] == 'P' && file[2] == 'N') {
      checkChunks(ByteBuffer.wrap(file));
      return png;
    }
    if (file.length > 3 && file[0] == (byte) 0xff && file[1] == (byte) 0xd8) {
      checkScans(file);
      for (int i = file.length - 1; i > 2; i--) {
        if (file[i] == (byte) 0xd9 && file[i - 1] == (byte) 0xff) {
          return jpeg;
        }
      }
      throw new IOException("it has no end");
    }
    throw new IOException("no PNG or JPEG file");
  }

  private static int bytesAPixel(byte[] file, boolean png) {
    if (!png || file.length < 26) {
      return 4;
    }
    // The header chunk comes first: width, height, bits of a sample, kind of colours.
    int samples =
        switch (file[25]) {
          case 0, 3 -> 1; // grey, palette
          case 4 -> 2; // grey with alpha
          case 2 -> 3;
          default -> 4;
        };
    return Math.max(1, samples * file[24] / 8);
  }

  private static void checkScans(byte[] file) throws IOException {
    int scans = 0;
    for (int i = 1; i < file.length; i++) {
      if (file[i] == (byte) 0xda && file[i - 1] == (byte) 0xff && ++scans > MOST_SCANS) {
        throw new IOException("it has more than " + MOST_SCANS + " scans");
      }
    }
  }

  /** A PNG file is chunks of length, name, data and checksum, up to the one named IEND. */
  private static void checkChunks(ByteBuffer file) throws IOException {
    int at = 8;
    while (file.capacity() - at >= 12) {
      int length = file.getInt(at);
      if (length < 0 || length > file.capacity() - at - 12) {
        break;
      }
      CRC32 crc = new CRC32();
      crc.update(file.array(), at + 4, 4 + length);
      if ((int) crc.getValue() != file.getInt(at + 8 + length)) {
        throw new IOException("its checksum does not fit its contents");
      }
      if (file.getInt(at + 4) == END_OF_PNG) {
        return;
      }
      at += 12 + length;
    }
    throw new IOException("it has no end");
  }

  /** Whether an image has no colours, by what its file declares. */
  static boolean grey(BufferedImage image) {
    ColorModel model = image.getColorModel();
    if (model instanceof IndexColorModel palette) {
      for (int i = 0; i < palette.getMapSize(); i++) {
        if (palette.getRed(i) != palette.getGreen(i) || palette.getRed(i) != palette.getBlue(i)) {
          return false;
        }
      }
      return true;
    }
    return model.getColorSpace().getType() == ColorSpace.TYPE_GRAY;
  }

  /** Writes an image's values, channels last; one of a single channel must be grey. */
  static byte[] values(BufferedImage image, int channels) throws IOException {
    int width = image.getWidth();
    int height = image.getHeight();
    byte[] values = new byte[width * height * channels];
    ColorModel model = image.getColorModel();
    boolean palette = model instanceof IndexColorModel;
    if (!palette && grey(image)) {
      // As samples: getRGB would take them for linear light and bend them.
      int bits = model.getComponentSize(0);
      int[] samples = image.getRaster().getSamples(0, 0, width, height, 0, (int[]) null);
      for (int i = 0; i < samples.length; i++) {
        byte value = (byte) (bits > 8 ? samples[i] >> bits - 8 : samples[i]);
        Arrays.fill(values, i * channels, (i + 1) * channels, value);
      }
      if (model.hasAlpha()) {
        int opaque = (1 << bits) - 1;
        for (int a : image.getRaster().getSamples(0, 0, width, height, 1, (int[]) null)) {
          refuseIf(a != opaque);
        }
      }
      return values;
    }
    int[] colours = image.getRGB(0, 0, width, height, null, 0, width);
    for (int i = 0; i < colours.length; i++) {
      refuseIf(colours[i] >>> 24 != 255);
      int red = colours[i] >> 16 & 255;
      int green = colours[i] >> 8 & 255;
      int blue = colours[i] & 255;
      if (channels == 1) {
        values[i] = (byte) red;
      } else {
        values[3 * i] = (byte) red;
        values[3 * i + 1] = (byte) green;
        values[3 * i + 2] = (byte) blue;
      }
    }
    return values;
  }

  private static void refuseIf(boolean transparent) throws IOException {
    if (transparent) {
      throw new IOException("it has transparent pixels");
    }
  }

  @Override
  public void close() {
    png.dispose();
    jpeg.dispose();
  }
}
