package dev.discreet.data.format;

import dev.discreet.data.internal.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One array of NumPy's format, versions 1 to 3, read item by item along its first dimension.
 *
 * @param where the file's name, and the array's where the file has several
 * @param kind b, i, u or f
 * @param bytes of one value
 */
record NpyArray(
    String where, InputStream in, char kind, int bytes, ByteOrder order, int[] dimensions) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int MOST_HEADER = 1 << 20;
  private static final int MOST_VALUES = 1 << 26;
  private static final int MOST_DIMENSIONS = 32; // NumPy's own limit
  private static final Pattern TYPE =
      Pattern.compile("'descr'\\s*:\\s*'([<>|=])(b1|[iu][1248]|f[48])'");
  // Digits, blanks and commas in any order: a nested repetition would try every way to cut them.
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*+:\\s*+\\(([\\s\\d,L]*+)\\)");

  static NpyArray open(String where, InputStream in) throws IOException {
    String header = header(where, in);
    Matcher type = TYPE.matcher(header);
    Matcher shape = SHAPE.matcher(header);
    if (!type.find()) {
      throw FileErrors.file(
          where,
          "must hold bool, integers, float32 or float64. Its header: " + FileErrors.shown(header));
    }
    if (!shape.find()) {
      throw FileErrors.file(where, "must have a shape in its header: " + FileErrors.shown(header));
    }
    List<String> texts =
        Arrays.stream(shape.group(1).split("[,L\\s]+")).filter(side -> !side.isEmpty()).toList();
    if (texts.size() > MOST_DIMENSIONS || texts.stream().anyMatch(side -> side.length() > 18)) {
      throw FileErrors.file(where, "must have a shape in its header: " + FileErrors.shown(header));
    }
    long[] sides = texts.stream().mapToLong(Long::parseLong).toArray();
    int[] dimensions =
        Arrays.stream(sides).mapToInt(s -> (int) Math.min(s, Integer.MAX_VALUE)).toArray();
    boolean large = Arrays.stream(sides).anyMatch(side -> side >= Integer.MAX_VALUE);
    if (sides.length < 1 || sides.length > 4 || large || Idx.count(dimensions, 1) > MOST_VALUES) {
      throw FileErrors.file(
          where,
          "must have one to four dimensions, the first being the examples. Provided: "
              + Arrays.toString(sides));
    }
    if (sides.length > 1 && !header.matches("(?s).*'fortran_order'\\s*+:\\s*+False.*")) {
      throw FileErrors.file(
          where, "must be in C order (save it after numpy.ascontiguousarray); it is in Fortran's.");
    }
    ByteOrder order = type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return new NpyArray(
        where, in, type.group(2).charAt(0), type.group(2).charAt(1) - '0', order, dimensions);
  }

  private static String header(String where, InputStream in) throws IOException {
    byte[] start = in.readNBytes(8);
    if (start.length < 8
        || !Arrays.equals(start, 0, 6, MAGIC, 0, 6)
        || start[6] < 1
        || start[6] > 3) {
      throw FileErrors.file(where, "must be a NumPy array (.npy, version 1 to 3).");
    }
    ByteBuffer size = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    size.put(in.readNBytes(start[6] == 1 ? 2 : 4));
    int length = size.getInt(0);
    if (length < 0 || length > MOST_HEADER) {
      throw FileErrors.file(where, "must have a header of at most " + MOST_HEADER + " bytes.");
    }
    byte[] text = in.readNBytes(length);
    if (text.length < length) {
      throw FileErrors.file(where, "is truncated in its header.");
    }
    return new String(text, start[6] == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
  }

  /** How many values one item has. */
  int itemSize() {
    return (int) Idx.count(dimensions, 1);
  }

  /**
   * The first item, in an array of its own: memory is taken as bytes arrive, whatever the header
   * says.
   */
  byte[] first() throws IOException {
    byte[] item = in.readNBytes(itemSize() * bytes);
    if (item.length < itemSize() * bytes) {
      throw truncated(0);
    }
    return item;
  }

  /** Fills a buffer with the next item. */
  void next(int index, byte[] item) throws IOException {
    if (in.readNBytes(item, 0, item.length) < item.length) {
      throw truncated(index);
    }
  }

  private IOException truncated(int index) {
    return FileErrors.file(
        where,
        "is truncated: it must hold " + dimensions[0] + " items and ends in number " + index + ".");
  }

  void checkEnd() throws IOException {
    if (in.read() >= 0) {
      throw FileErrors.file(where, "must end after its " + dimensions[0] + " items; it has more.");
    }
  }

  /** A value of an item that {@link #next} filled. */
  double value(ByteBuffer item, int i) {
    int at = i * bytes;
    return switch (bytes) {
      case 1 -> kind == 'i' ? item.get(at) : item.get(at) & 0xff;
      case 2 -> kind == 'i' ? item.getShort(at) : item.getShort(at) & 0xffff;
      case 4 ->
          kind == 'f'
              ? item.getFloat(at)
              : kind == 'i' ? item.getInt(at) : item.getInt(at) & 0xffffffffL;
      default -> kind == 'f' ? item.getDouble(at) : unsigned(item.getLong(at));
    };
  }

  private double unsigned(long value) {
    return value < 0 && kind == 'u' ? value + 0x1p64 : value;
  }
}
