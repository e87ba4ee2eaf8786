package dev.discreet.core.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  @TempDir Path folder;

  @Test
  void aFileCanBeReadByWhoeverCanReadAnyNewFile() throws IOException {
    Path plain = Files.writeString(folder.resolve("plain"), "x");
    assumeTrue(plain.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path written = folder.resolve("written");
    AtomicFile.write(written, "x");
    assertEquals(Files.getPosixFilePermissions(plain), Files.getPosixFilePermissions(written));
  }

  @Test
  void aFailedWriteLeavesTheOldFileAndNoDraft() throws IOException {
    Path path = folder.resolve("file");
    AtomicFile.write(path, "old");
    assertThrows(
        IOException.class,
        () ->
            AtomicFile.write(
                path,
                channel -> {
                  throw new IOException("full");
                }));
    assertEquals("old", Files.readString(path));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(path), files.toList());
    }
  }
}
