package dev.discreet.core.files;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A text file that only grows. Each line has a checksum and is on the disk before {@link #append}
 * returns.
 *
 * <p>A crash in {@code append} may leave a last line without its end. Nobody was told that this
 * line is there, so it is dropped. Any other damage is refused.
 */
public final class DurableLines implements AutoCloseable {
  private final FileChannel channel;
  private final List<String> existing;

  private DurableLines(FileChannel channel, List<String> existing) {
    this.channel = channel;
    this.existing = existing;
  }

  /** What a file holds, and where more of it goes: for tests, on a disk that fails. */
  static DurableLines on(FileChannel channel, Path path) throws IOException {
    return new DurableLines(channel, read(channel, path));
  }

  /** Opens or creates the file, for this process alone. */
  public static DurableLines open(Path path) {
    return open(path, Duration.ZERO);
  }

  /**
   * The same, after waiting for others to close it.
   *
   * @param patience how long to wait before it is refused
   */
  public static DurableLines open(Path path, Duration patience) {
    return open(path, patience, StandardOpenOption.CREATE);
  }

  /** Creates the file, for this process alone; refuses one that is there. */
  public static DurableLines create(Path path) {
    return open(path, Duration.ZERO, StandardOpenOption.CREATE_NEW);
  }

  private static DurableLines open(Path path, Duration patience, StandardOpenOption how) {
    try {
      FileChannel channel = opened(path, patience, how);
      try {
        // Whoever held the lock until now may have deleted the file. No entry in it would last.
        Check.that(Files.exists(path), "journal", "a file that is still there", path);
        DurableLines lines = on(channel, path);
        force(path.toAbsolutePath().getParent());
        return lines;
      } catch (IOException | RuntimeException e) {
        LockedFiles.close(channel);
        throw e;
      }
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException("journal must be a new file. Provided value: " + path, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What tells a file from its copies: the number that the file system gave it, or else its place.
   */
  public static String identity(Path path) {
    try {
      return "file " + Files.getAttribute(path, "unix:ino");
    } catch (UnsupportedOperationException e) {
      return "file " + path.toAbsolutePath().normalize();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines that were there at opening. */
  public List<String> existing() {
    return existing;
  }

  /**
   * When this throws, the file is closed, and its next reader finds out whether the line is there.
   */
  public void append(String line) {
    byte[] bytes = (checksum(line) + " " + line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      long start = channel.position();
      try {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(false);
      } catch (IOException e) {
        takeBack(start, e);
        throw e;
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Removes a line that the disk refused. The system may still show it from memory, and forget that
   * it never reached the disk: lines that were appended after it would be lost with it.
   */
  private void takeBack(long start, IOException refusal) {
    try {
      channel.truncate(start);
      channel.force(true);
    } catch (IOException e) {
      refusal.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    try {
      LockedFiles.close(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileChannel opened(Path path, Duration patience, StandardOpenOption how)
      throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    FileChannel channel = LockedFiles.tryOpen(path, how);
    while (channel == null && System.nanoTime() < deadline) {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      channel = LockedFiles.tryOpen(path, how);
    }
    Check.that(channel != null, "journal", "used by one session at a time", path);
    return channel;
  }

  private static List<String> read(FileChannel channel, Path path) throws IOException {
    checkSize(path, channel.size());
    ByteBuffer buffer = ByteBuffer.allocate((int) channel.size());
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
    List<String> lines = new ArrayList<>();
    int end = read(buffer.array(), path, lines);
    if (end < buffer.capacity()) {
      channel.truncate(end);
    }
    // The last line may be one whose writer was killed before it was on the disk.
    channel.force(true);
    channel.position(end);
    return lines;
  }

  /** Whether a file's first line is one of these, and begins with some text. */
  public static boolean begins(Path path, String text) {
    try {
      byte[] first = LockedFiles.read(path, 9 + text.length());
      return new String(first, StandardCharsets.ISO_8859_1)
          .matches("[0-9a-f]{8} " + Pattern.quote(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a file, which is not changed. */
  public static List<String> read(Path path) {
    try {
      checkSize(path, Files.size(path));
      List<String> lines = new ArrayList<>();
      read(LockedFiles.read(path), path, lines);
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is cut off at the largest array would look like a line that a crash tore. */
  private static void checkSize(Path path, long size) {
    Check.that(size <= 1 << 30, "journal " + path, "at most 2^30 bytes long", size);
  }

  /** Where the last whole line ends. */
  private static int read(byte[] bytes, Path path, List<String> lines) {
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        String line = new String(bytes, start, i - start, StandardCharsets.UTF_8);
        String text = line.length() > 9 ? line.substring(9) : "";
        if (text.isEmpty() || !line.startsWith(checksum(text) + " ")) {
          Check.that(
              false,
              "line " + (lines.size() + 1) + " of the journal " + path,
              "what was written (its checksum says it is not)",
              line);
        }
        lines.add(text);
        start = i + 1;
      }
    }
    return start;
  }

  /** The name of a new file is durable only when its folder is. */
  private static void force(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows cannot open folders, and keeps names durable by itself.
    }
  }

  private static String checksum(String line) {
    CRC32 crc = new CRC32();
    crc.update(line.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
