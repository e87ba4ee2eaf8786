package dev.discreet.data.internal;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Unpacks gzip (RFC 1952) and refuses what follows its last member. The platform's stream ignores
 * bytes after the end, so a file that was cut and patched would read as whole. What unpacks to far
 * more than a file of data does is refused too, as in a {@link Zip}.
 */
public final class Gzip extends InputStream {
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] packed = new byte[BUFFER];
  // Of the packed bytes: where to read on, and how many there are.
  private int used;
  private int given;
  private long left = Zip.ALWAYS_ALLOWED;
  private boolean ended;

  public Gzip(Path path, InputStream in) throws IOException {
    this.path = path;
    this.in = in;
    int first = next();
    if (first < 0) {
      throw FileErrors.file(path, "must be a gzip file; it is empty.");
    }
    header(first, "must be a gzip file, as its name says.");
  }

  /** A stream of what the file holds, unpacked where it is gzip by name or by its first bytes. */
  public static InputStream open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw FileErrors.file(path, "must be a file; it is a folder.");
    }
    try {
      return open(path, Files.newInputStream(path));
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  /** The same of a stream that is open. */
  public static InputStream open(Path path, InputStream in) throws IOException {
    InputStream file = new BufferedInputStream(in, BUFFER);
    try {
      file.mark(2);
      boolean packed = file.read() == 0x1f && file.read() == 0x8b;
      file.reset();
      String name = path.toString();
      return packed || name.endsWith(".gz") || name.endsWith(".tgz") ? new Gzip(path, file) : file;
    } catch (IOException e) {
      file.close();
      throw FileErrors.named(path, e);
    }
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
    while (!ended) {
      int count = inflate(to, at, length);
      if (count > 0) {
        crc.update(to, at, count);
        left -= count;
        if (left < 0) {
          throw Zip.bomb(path);
        }
        return count;
      }
      if (inflater.finished()) {
        endOfMember();
      } else if (inflater.needsInput()) {
        if (!fill()) {
          throw truncated();
        }
        left += Zip.MOST_RATIO * (given - used);
        inflater.setInput(packed, used, given - used);
        used = given;
      } else {
        throw FileErrors.file(path, "is damaged: its gzip data need a dictionary.");
      }
    }
    return -1;
  }

  /** Whether there are packed bytes to read on. */
  private boolean fill() throws IOException {
    if (used == given) {
      used = 0;
      given = Math.max(0, in.read(packed));
    }
    return used < given;
  }

  private int next() throws IOException {
    return fill() ? packed[used++] & 0xff : -1;
  }

  private int inflate(byte[] to, int at, int length) throws IOException {
    try {
      return inflater.inflate(to, at, length);
    } catch (DataFormatException e) {
      throw FileErrors.file(path, "is damaged: its gzip data cannot be unpacked.");
    }
  }

  private void endOfMember() throws IOException {
    long size = inflater.getBytesWritten() & 0xffffffffL;
    int unused = inflater.getRemaining();
    used = given - unused;
    left -= Zip.MOST_RATIO * unused;
    if (number(4) != crc.getValue() || number(4) != size) {
      throw FileErrors.file(path, "is damaged: its gzip checksum does not fit its contents.");
    }
    int first = next();
    if (first < 0) {
      ended = true;
    } else {
      header(first, "has bytes after the end of its gzip data.");
      inflater.reset();
      crc.reset();
    }
  }

  private void header(int first, String otherwise) throws IOException {
    if (first != 0x1f || next() != 0x8b || next() != 8) {
      throw FileErrors.file(path, otherwise);
    }
    int flags = (int) number(1);
    number(6); // time, extra flags, system
    if ((flags & 4) != 0) {
      for (long extra = number(2); extra > 0; extra--) {
        number(1);
      }
    }
    for (int text : new int[] {8, 16}) { // the file's name, a comment
      while ((flags & text) != 0 && number(1) != 0) {}
    }
    number((flags & 2) == 0 ? 0 : 2); // checksum of the header
  }

  private long number(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      int next = next();
      if (next < 0) {
        throw truncated();
      }
      value |= (long) next << 8 * i;
    }
    return value;
  }

  private IOException truncated() {
    return FileErrors.file(path, "is truncated: its gzip data end too early.");
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
