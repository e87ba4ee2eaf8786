package dev.discreet.data.internal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A zip file that is not trusted: names that lead out of it are refused, sizes are bounded as bytes
 * arrive and checksums are compared. Nothing is unpacked to disk.
 */
public final class Zip implements Closeable {
  /** Deflate packs zeros 1,032 to 1; data worth training on stay far below this, taken together. */
  static final long MOST_RATIO = 200;

  static final long ALWAYS_ALLOWED = 1 << 26;

  private final Path path;
  private final ZipFile zip;
  private final Map<String, ZipEntry> entries = new HashMap<>();
  private final AtomicLong left;

  public Zip(Path path) throws IOException {
    this.path = path;
    if (Files.isDirectory(path)) {
      throw FileErrors.file(path, "must be a file; it is a folder.");
    }
    try {
      left = new AtomicLong(Files.size(path) * MOST_RATIO + ALWAYS_ALLOWED);
      zip = new ZipFile(path.toFile());
    } catch (ZipException e) {
      throw FileErrors.file(path, "must be a zip file: " + e.getMessage());
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
    try {
      zip.stream().forEach(entry -> entries.merge(entry.getName(), entry, this::twice));
      for (String name : entries.keySet()) {
        if (leadsOut(name)) {
          // The name may be somebody's.
          throw FileErrors.file(path, "must hold names inside itself only" + FileErrors.LABEL);
        }
      }
    } catch (IllegalArgumentException | IOException e) {
      zip.close();
      throw e instanceof IOException io ? io : FileErrors.file(path, e.getMessage());
    }
  }

  private ZipEntry twice(ZipEntry one, ZipEntry other) {
    throw new IllegalArgumentException("must hold each name once" + FileErrors.LABEL);
  }

  private static boolean leadsOut(String name) {
    return name.startsWith("/")
        || name.indexOf('\\') >= 0
        || name.matches("(?s)[A-Za-z]:.*")
        || List.of(name.split("/")).contains("..");
  }

  /** All names; a folder's ends with a slash. */
  public List<String> names() {
    return entries.keySet().stream().sorted().toList();
  }

  /** Whether there is an entry of this name. */
  public boolean has(String name) {
    return entries.containsKey(name);
  }

  /** The whole of an entry that is not larger than it may be. */
  public byte[] bytes(String name, int most) throws IOException {
    try (InputStream in = open(name)) {
      byte[] bytes = in.readNBytes(most);
      if (in.read() >= 0) {
        throw FileErrors.file(
            path, FileErrors.shown(name) + ": must unpack to at most " + most + " bytes.");
      }
      return bytes;
    }
  }

  /** Refuses a file of which too much was unpacked: that is no fault of one entry. */
  public void check() throws IOException {
    if (left.get() < 0) {
      throw bomb(path);
    }
  }

  static IOException bomb(Path path) {
    return FileErrors.file(
        path,
        "must unpack to at most "
            + MOST_RATIO
            + " times its size (a zip bomb?). Where it is not one, unpack it yourself.");
  }

  /** An entry's bytes. */
  public InputStream open(String name) throws IOException {
    ZipEntry entry = entries.get(name);
    try {
      return new Guarded(entry, zip.getInputStream(entry));
    } catch (ZipException e) {
      throw damaged(entry, e);
    }
  }

  private IOException damaged(ZipEntry entry, IOException e) {
    return FileErrors.file(
        path, FileErrors.shown(entry.getName()) + ": is damaged: " + e.getMessage());
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }

  private final class Guarded extends InputStream {
    private final ZipEntry entry;
    private final InputStream in;
    private final CRC32 crc = new CRC32();

    Guarded(ZipEntry entry, InputStream in) {
      this.entry = entry;
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int at, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      int count;
      try {
        count = in.read(to, at, length);
      } catch (IOException e) {
        throw damaged(entry, e);
      }
      if (count < 0 && entry.getCrc() >= 0 && entry.getCrc() != crc.getValue()) {
        throw FileErrors.file(
            path,
            FileErrors.shown(entry.getName())
                + ": is damaged: its checksum does not fit its contents.");
      }
      if (count > 0) {
        crc.update(to, at, count);
        left.addAndGet(-count);
        check();
      }
      return count;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
