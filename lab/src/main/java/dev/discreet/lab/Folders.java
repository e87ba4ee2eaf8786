package dev.discreet.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of the laboratory's own. */
final class Folders {
  private Folders() {}

  /** Also where it is a link to one, which Java 17's createDirectories takes for a file. */
  static void make(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
    }
  }

  /** Deletes a folder and all that is in it. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> inside;
    try (Stream<Path> walk = Files.walk(folder)) {
      inside = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : inside) {
      Files.delete(each);
    }
  }
}
