package dev.discreet.core.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.JsonNumbers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Named arrays of floats in a safetensors file: eight bytes with the header's length, a JSON header
 * with the type, shape and place of each array, then the numbers, all little-endian. The format
 * runs no code when it is read, and a file is checked whole before anything is taken from it: no
 * allocation is larger than the file.
 *
 * @param metadata free text by name; the format's {@code __metadata__}
 */
public record Safetensors(Map<String, Tensor> tensors, Map<String, String> metadata) {
  private static final String METADATA = "__metadata__";
  private static final long LONGEST_HEADER = 100_000_000;
  private static final int PIECE = 1 << 16;

  /** An array, the last index the fastest. */
  public record Tensor(List<Integer> shape, float[] values) {
    public Tensor {
      shape = List.copyOf(shape);
      shape.forEach(size -> Check.that(size >= 0, "shape", "of sizes at least 0", size));
      long size = shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
      Check.that(values.length == size, "values", "as many as " + shape + " holds", values.length);
    }
  }

  public Safetensors {
    tensors = new LinkedHashMap<>(tensors);
    // In order, or one run would write other bytes in another process.
    metadata = new TreeMap<>(metadata);
    Check.that(!tensors.containsKey(METADATA), "tensor name", "other than " + METADATA, METADATA);
  }

  public Tensor tensor(String name) {
    Tensor tensor = tensors.get(name);
    Check.that(tensor != null, "tensor", "one of " + tensors.keySet(), name);
    return tensor;
  }

  /** Writes the file, or leaves the old one as it was. */
  public void write(Path path) throws IOException {
    Map<String, Object> root = new LinkedHashMap<>();
    if (!metadata.isEmpty()) {
      root.put(METADATA, metadata);
    }
    long at = 0;
    for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
      long end = at + 4L * entry.getValue().values().length;
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("dtype", "F32");
      fields.put("shape", entry.getValue().shape());
      fields.put("data_offsets", List.of(at, end));
      root.put(entry.getKey(), fields);
      at = end;
    }
    byte[] json = JsonNumbers.SHORTEST.asBytes(root);
    // Padded with spaces, so that the numbers begin at a multiple of eight bytes.
    byte[] header = Arrays.copyOf(json, (json.length + 7) & ~7);
    Arrays.fill(header, json.length, header.length, (byte) ' ');
    AtomicFile.write(
        path,
        channel -> {
          ByteBuffer buffer = buffer(8 + header.length);
          drain(channel, buffer.putLong(header.length).put(header).flip());
          ByteBuffer piece = buffer(4 * PIECE);
          for (Tensor tensor : tensors.values()) {
            float[] values = tensor.values();
            for (int done = 0; done < values.length; done += PIECE) {
              int now = Math.min(PIECE, values.length - done);
              piece.clear().limit(4 * now);
              piece.asFloatBuffer().put(values, done, now);
              drain(channel, piece);
            }
          }
        });
  }

  /** Reads a file whose arrays are all of type F32. */
  public static Safetensors read(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return read(channel);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
    }
  }

  private static Safetensors read(FileChannel channel) throws IOException {
    long size = channel.size();
    Check.that(size >= 8, "safetensors file", "at least 8 bytes", size);
    long length = fill(channel, buffer(8), 0).getLong();
    Check.that(
        length >= 2 && length <= Math.min(LONGEST_HEADER, size - 8),
        "header length",
        "in [2, " + Math.min(LONGEST_HEADER, size - 8) + "]",
        Long.toUnsignedString(length));
    byte[] bytes = fill(channel, buffer((int) length), 8).array();
    Check.that(bytes[0] == '{', "header", "a JSON object that begins with {", bytes[0]);
    Map<String, Object> root;
    try {
      root = JSON.std.mapFrom(new String(bytes, StandardCharsets.UTF_8));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          Check.line("header must be JSON. Provided value: " + JsonFields.reason(e)), e);
    }
    Map<String, String> metadata = metadata(root.remove(METADATA));
    List<Entry> entries =
        root.entrySet().stream().map(e -> Entry.of(e.getKey(), e.getValue())).toList();
    checkPlaces(entries, size - 8 - length);
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (Entry entry : entries) {
      float[] values = new float[(int) ((entry.end - entry.begin) / 4)];
      ByteBuffer piece = buffer(4 * Math.min(PIECE, values.length));
      for (int done = 0; done < values.length; done += PIECE) {
        int now = Math.min(PIECE, values.length - done);
        piece.clear().limit(4 * now);
        fill(channel, piece, 8 + length + entry.begin + 4L * done)
            .asFloatBuffer()
            .get(values, done, now);
      }
      tensors.put(entry.name, new Tensor(entry.shape, values));
    }
    return new Safetensors(tensors, metadata);
  }

  /** What the header says of one array. */
  private record Entry(String name, List<Integer> shape, long begin, long end) {
    static Entry of(String name, Object value) {
      String owner = "tensor " + name;
      Check.that(value instanceof Map, owner, "a JSON object", value);
      Map<?, ?> fields = (Map<?, ?>) value;
      Set<String> names = Set.of("dtype", "shape", "data_offsets");
      Check.that(fields.keySet().equals(names), owner, "described by " + names, fields.keySet());
      Check.that(
          "F32".equals(fields.get("dtype")), "dtype of " + owner, "F32", fields.get("dtype"));
      List<Long> shape = wholes(fields.get("shape"), "shape of " + owner);
      List<Long> places = wholes(fields.get("data_offsets"), "data_offsets of " + owner);
      Check.that(
          places.size() == 2 && places.get(0) <= places.get(1),
          "data_offsets of " + owner,
          "a begin and an end",
          places);
      long count = 1;
      for (long dimension : shape) {
        Check.that(
            dimension == 0 || count <= Integer.MAX_VALUE / dimension,
            "shape of " + owner,
            "of at most 2^31 - 1 numbers",
            shape);
        count *= dimension;
      }
      Check.that(
          places.get(1) - places.get(0) == 4 * count,
          "data_offsets of " + owner,
          "4 bytes for each of " + count + " numbers",
          places);
      return new Entry(
          name, shape.stream().map(Math::toIntExact).toList(), places.get(0), places.get(1));
    }

    private static List<Long> wholes(Object value, String name) {
      Check.that(value instanceof List, name, "a list", value);
      List<?> list = (List<?>) value;
      for (Object item : list) {
        Check.that(
            (item instanceof Integer || item instanceof Long)
                && ((Number) item).longValue() >= 0
                && (name.startsWith("data") || ((Number) item).longValue() <= Integer.MAX_VALUE),
            name,
            "of whole numbers at least 0",
            value);
      }
      return list.stream().map(item -> ((Number) item).longValue()).toList();
    }
  }

  /** Every byte of the data belongs to exactly one array. */
  private static void checkPlaces(List<Entry> entries, long data) {
    List<Entry> order =
        entries.stream()
            .sorted(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end))
            .toList();
    long at = 0;
    for (Entry entry : order) {
      Check.that(
          entry.begin == at,
          "data_offsets of tensor " + entry.name,
          "without gap or overlap, from " + at,
          entry.begin);
      at = entry.end;
    }
    Check.that(at == data, "data", "as long as the header says, " + at + " bytes", data);
  }

  private static Map<String, String> metadata(Object value) {
    Map<String, String> metadata = new LinkedHashMap<>();
    if (value != null) {
      Check.that(value instanceof Map, METADATA, "a JSON object", value);
      ((Map<?, ?>) value)
          .forEach(
              (name, text) -> {
                Check.that(text instanceof String, METADATA + " " + name, "a string", text);
                metadata.put((String) name, (String) text);
              });
    }
    return metadata;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void drain(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private static ByteBuffer fill(FileChannel channel, ByteBuffer buffer, long from)
      throws IOException {
    for (long at = from; buffer.hasRemaining(); ) {
      int got = channel.read(buffer, at);
      if (got < 0) {
        throw new EOFException("the file became shorter while it was read");
      }
      at += got;
    }
    return buffer.flip();
  }
}
