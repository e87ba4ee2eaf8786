package dev.discreet.core.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.files.Safetensors.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsTest {
  @TempDir Path folder;

  @Test
  void comesBackAsItWent() throws IOException {
    float[] large = new float[70_001];
    for (int i = 0; i < large.length; i++) {
      large[i] = Float.intBitsToFloat(i * 48271 & 0x7f7fffff);
    }
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("0.weight", new Tensor(List.of(7, 10_000, 1), new float[70_000]));
    tensors.put("large", new Tensor(List.of(large.length), large));
    tensors.put("odd", new Tensor(List.of(2), new float[] {Float.NaN, -0f}));
    tensors.put("scalar", new Tensor(List.of(), new float[] {Float.MIN_VALUE}));
    tensors.put("none", new Tensor(List.of(0, 3), new float[0]));
    Path path = folder.resolve("model.safetensors");
    new Safetensors(tensors, Map.of("format", "pt")).write(path);
    Safetensors back = Safetensors.read(path);
    assertEquals(List.copyOf(tensors.keySet()), List.copyOf(back.tensors().keySet()));
    assertEquals(Map.of("format", "pt"), back.metadata());
    tensors.forEach(
        (name, tensor) -> {
          assertEquals(tensor.shape(), back.tensor(name).shape());
          assertArrayEquals(tensor.values(), back.tensor(name).values());
        });
    try (var files = Files.list(folder)) {
      assertEquals(1, files.count(), "no draft stays behind");
    }
  }

  @Test
  void readsAFileWrittenByHandWithArraysInAnyOrder() throws IOException {
    Path path =
        file(
            "{\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]},"
                + "\"a\":{\"shape\":[],\"data_offsets\":[0,4],\"dtype\":\"F32\"}}   ",
            12);
    try (var channel =
        java.nio.channels.FileChannel.open(path, java.nio.file.StandardOpenOption.WRITE)) {
      ByteBuffer data =
          ByteBuffer.wrap(
              new byte[] {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0, (byte) 0xc0});
      channel.write(data, channel.size() - 12);
    }
    Safetensors back = Safetensors.read(path);
    assertArrayEquals(new float[] {1}, back.tensor("a").values());
    assertArrayEquals(new float[] {2, -2}, back.tensor("b").values());
  }

  @Test
  void startsItsNumbersAtAMultipleOfEight() throws IOException {
    Path path = folder.resolve("x");
    new Safetensors(Map.of("a", new Tensor(List.of(1), new float[] {1})), Map.of()).write(path);
    byte[] bytes = Files.readAllBytes(path);
    long header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertEquals(0, header % 8);
    assertEquals(8 + header + 4, bytes.length);
    assertEquals((byte) 0x3f, bytes[bytes.length - 1]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1]                                                                        | 0  | begins"
            + " with {",
        "{\"a\":                                                                    | 0  | must be"
            + " JSON",
        "{\"a\":3}                                                                  | 0  | tensor a"
            + " must be a JSON object",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}                                  | 4  |"
            + " described by",
        "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}           | 8  | dtype of"
            + " tensor a must be F32",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}          | 4  | shape of"
            + " tensor a",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}}         | 4  | shape of"
            + " tensor a",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[65536,65536],\"data_offsets\":[0,4]}} | 4  | shape of"
            + " tensor a",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}           | 4  | 4 bytes"
            + " for each of 2",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}           | 4  | a begin"
            + " and an end",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}         | 4  | a begin"
            + " and an end",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}           | 8  | without"
            + " gap or overlap",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
            + " | 4 | without gap or overlap",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
            + " | 4 | must be JSON",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}           | 5  | as long"
            + " as the header says",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[500000000],\"data_offsets\":[0,2000000000]}} | 4 | as"
            + " long as the header says",
        "{\"__metadata__\":{\"a\":1}}                                               | 0  |"
            + " __metadata__ a must be a string"
      })
  void refusesWhatIsNotOne(String header, int data, String reason) throws IOException {
    Path path = file(header.strip(), data);
    String message =
        assertThrows(IllegalArgumentException.class, () -> Safetensors.read(path)).getMessage();
    assertTrue(message.contains(reason), message);
    assertTrue(message.contains(path.toString()), message);
  }

  @Test
  void refusesAForgedHeaderLengthWithoutReservingIt() throws IOException {
    for (long length : new long[] {-1, 0, 1, 17, 1L << 40, Long.MAX_VALUE}) {
      Path path = folder.resolve("forged");
      Files.write(path, bytes(length, "{}", 14));
      assertThrows(IllegalArgumentException.class, () -> Safetensors.read(path));
    }
    Path tiny = folder.resolve("tiny");
    Files.write(tiny, new byte[7]);
    assertThrows(IllegalArgumentException.class, () -> Safetensors.read(tiny));
  }

  private Path file(String header, int data) throws IOException {
    Path path = folder.resolve("file");
    Files.write(path, bytes(header.length(), header, data));
    return path;
  }

  private static byte[] bytes(long length, String header, int data) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + text.length + data)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(length)
        .put(text)
        .array();
  }
}
