package dev.discreet.core.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

/**
 * The files that this process has locked. Where any channel of a file is closed, the system takes
 * back all locks that the process has on that file. So a locked file is open once, and whoever in
 * this process wants to read it reads through the channel that has the lock.
 */
final class LockedFiles {
  private static final Map<Object, FileChannel> LOCKED = new HashMap<>();

  private LockedFiles() {}

  /**
   * Opens a file for this process alone.
   *
   * @param how {@code CREATE} or {@code CREATE_NEW}
   * @return null where somebody else has it, in this process or another
   */
  static FileChannel tryOpen(Path path, StandardOpenOption how) throws IOException {
    synchronized (LOCKED) {
      if (how == StandardOpenOption.CREATE && locked(path) != null) {
        return null;
      }
      FileChannel channel =
          FileChannel.open(path, how, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        if (tryLock(channel)) {
          LOCKED.put(key(path), channel);
          return channel;
        }
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      channel.close();
      return null;
    }
  }

  static void close(FileChannel channel) throws IOException {
    synchronized (LOCKED) {
      LOCKED.values().remove(channel);
      channel.close();
    }
  }

  /** All bytes of a file, whether it is locked or not. */
  static byte[] read(Path path) throws IOException {
    return read(path, Integer.MAX_VALUE);
  }

  /** At most so many bytes of its beginning. */
  static byte[] read(Path path, int most) throws IOException {
    synchronized (LOCKED) {
      FileChannel channel = locked(path);
      if (channel == null) {
        try (InputStream in = Files.newInputStream(path)) {
          return in.readNBytes(most);
        }
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(most, channel.size()));
      while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) >= 0) {}
      return buffer.array();
    }
  }

  /** The channel that has the lock; null where this process has none. */
  private static FileChannel locked(Path path) throws IOException {
    LOCKED.values().removeIf(channel -> !channel.isOpen()); // an interrupt closes channels
    return LOCKED.isEmpty() || Files.notExists(path) ? null : LOCKED.get(key(path));
  }

  /** The same for all names of a file. */
  private static Object key(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path.toRealPath() : key;
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }
}
