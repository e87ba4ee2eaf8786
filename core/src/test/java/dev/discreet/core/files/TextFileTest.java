package dev.discreet.core.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {
  @TempDir private Path folder;

  private static void refused(Path path, String why) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> TextFile.read(path)).getMessage();
    assertTrue(said.contains(why), said);
  }

  @Test
  void aFileIsReadAndAFolderIsRefused() throws IOException {
    assertEquals("ä", TextFile.read(Files.writeString(folder.resolve("a"), "ä")));
    refused(folder, "must be a file");
    assertThrows(NoSuchFileException.class, () -> TextFile.read(folder.resolve("gone")));
  }

  @Test
  void whatHasNoEndIsRefused() throws IOException {
    Path zero = Path.of("/dev/zero");
    assumeTrue(Files.exists(zero));
    refused(Files.createSymbolicLink(folder.resolve("model.json"), zero), "must be a file");
  }

  @Test
  void aVeryLargeFileIsRefused() throws IOException {
    Path large = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength((1L << 28) + 1);
    }
    refused(large, "at most 268435456 bytes");
  }
}
