package dev.discreet.core.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.UUID;

/** A file that is either the old one or the new one, whenever the power fails. */
public final class AtomicFile {
  private AtomicFile() {}

  interface Body {
    void writeTo(FileChannel channel) throws IOException;
  }

  static void write(Path path, Body body, FileAttribute<?>... attributes) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    // Not by createTempFile, whose files none but their owner can read: this one is released.
    Path draft = folder.resolve("." + path.getFileName() + "." + UUID.randomUUID() + ".draft");
    try {
      try (FileChannel channel =
          FileChannel.open(
              draft, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), attributes)) {
        body.writeTo(channel);
        channel.force(true);
      }
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /**
   * Text as UTF-8.
   *
   * @param attributes of the new file, such as who may read it
   */
  public static void write(Path path, String text, FileAttribute<?>... attributes)
      throws IOException {
    write(path, text.getBytes(StandardCharsets.UTF_8), attributes);
  }

  /** Bytes as they are. */
  public static void write(Path path, byte[] bytes, FileAttribute<?>... attributes)
      throws IOException {
    write(
        path,
        channel -> {
          ByteBuffer buffer = ByteBuffer.wrap(bytes);
          while (buffer.hasRemaining()) {
            channel.write(buffer);
          }
        },
        attributes);
  }
}
