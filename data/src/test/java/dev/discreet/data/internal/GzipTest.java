package dev.discreet.data.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GzipTest {
  private static byte[] member(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  private static String read(byte[] file) throws IOException {
    try (Gzip gzip = new Gzip(Path.of("x.gz"), new ByteArrayInputStream(file))) {
      return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Members end anywhere in what is read at once, also within a head or a checksum. */
  @Test
  void manyMembersAreOneText() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      file.write(member(i % 7 == 0 ? "row " + i : ""));
      text.append(i % 7 == 0 ? "row " + i : "");
    }
    assertEquals(text.toString(), read(file.toByteArray()));
    byte[] cut = Arrays.copyOf(file.toByteArray(), file.size() - 1);
    assertThrows(IOException.class, () -> read(cut));
    byte[] more = Arrays.copyOf(file.toByteArray(), file.size() + 1);
    assertThrows(IOException.class, () -> read(more));
  }
}
