package dev.discreet.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a reader is given: one file, or the few that it reads together.
 *
 * @param contents by path in the folder
 */
record HostileFiles(Map<String, byte[]> contents) {

  static HostileFiles of(String name, byte[] bytes) {
    return new HostileFiles(Map.of(name, bytes));
  }

  static HostileFiles of(String name, String text) {
    return of(name, text.getBytes(StandardCharsets.UTF_8));
  }

  HostileFiles with(String name, byte[] bytes) {
    Map<String, byte[]> all = new LinkedHashMap<>(contents);
    all.put(name, bytes);
    return new HostileFiles(all);
  }

  byte[] get(String name) {
    return contents.get(name);
  }

  /** Of a single file: its text. */
  String text() {
    return new String(contents.values().iterator().next(), StandardCharsets.UTF_8);
  }

  long size() {
    return contents.values().stream().mapToLong(bytes -> bytes.length).sum();
  }

  /**
   * Puts the files into a folder.
   *
   * @param before what was put there before, which is removed
   */
  void writeTo(Path folder, Set<String> before) throws IOException {
    for (String old : before) {
      if (!contents.containsKey(old)) {
        Files.deleteIfExists(folder.resolve(old));
      }
    }
    for (Map.Entry<String, byte[]> each : contents.entrySet()) {
      Path file = folder.resolve(each.getKey());
      if (!Files.isDirectory(file.getParent())) {
        Files.createDirectories(file.getParent());
      }
      // A new file: some file systems write a file that is emptied and filled again through to the
      // disk.
      Files.deleteIfExists(file);
      Files.write(file, each.getValue());
    }
  }

  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  /** One word, which {@link #parse} reads. */
  String encoded() {
    return contents.entrySet().stream()
        .map(e -> e.getKey() + ":" + Base64.getEncoder().encodeToString(e.getValue()))
        .collect(Collectors.joining(","));
  }

  static HostileFiles parse(String word) {
    Map<String, byte[]> all = new LinkedHashMap<>();
    for (String part : word.split(",")) {
      int colon = part.indexOf(':');
      all.put(part.substring(0, colon), Base64.getDecoder().decode(part.substring(colon + 1)));
    }
    return new HostileFiles(all);
  }

  /** What a writer of ours puts into a file or folder. */
  interface Writing {
    void to(Path folder) throws IOException;
  }

  /** The files that some of our own writers write into a folder. */
  static HostileFiles written(Writing writing) {
    try {
      Path folder = Files.createTempDirectory("hostile-seed");
      writing.to(folder);
      Map<String, byte[]> all = new LinkedHashMap<>();
      for (String name : names(folder)) {
        all.put(name, Files.readAllBytes(folder.resolve(name)));
      }
      delete(folder);
      return new HostileFiles(all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(each);
      }
    }
  }

  static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
