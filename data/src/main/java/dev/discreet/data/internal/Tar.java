package dev.discreet.data.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Goes through the plain files of a tar archive. Nothing is unpacked to disk, and callers know
 * files by the last part of their names, so long names and links need no handling.
 */
public final class Tar {
  private static final int BLOCK = 512;

  /** Takes one file; what it leaves unread is skipped. */
  public interface Visitor {
    void file(String name, InputStream contents, long size) throws IOException;
  }

  private Tar() {}

  public static void read(Path path, InputStream in, Visitor visitor) throws IOException {
    boolean any = false;
    while (true) {
      byte[] header = in.readNBytes(BLOCK);
      if (header.length == BLOCK && zeros(header)) {
        // The end. What pads it is read too: a packed stream checks its own end there.
        in.transferTo(OutputStream.nullOutputStream());
        return;
      }
      if (header.length < BLOCK && any) {
        throw FileErrors.file(path, "is truncated: a tar file must end with a block of zeros.");
      }
      if (header.length < BLOCK || octal(header, 148, 8) != sum(header)) {
        throw FileErrors.file(path, "must be a tar file" + (any ? "; it is damaged." : "."));
      }
      any = true;
      long size = octal(header, 124, 12);
      if (size < 0) {
        throw FileErrors.file(path, "must hold files below 8 GiB, with sizes as tar writes them.");
      }
      Bounded contents = new Bounded(path, in, size);
      if (header[156] == '0' || header[156] == 0) {
        String name = text(header, 0, 100);
        visitor.file(name.substring(name.lastIndexOf('/') + 1), contents, size);
      }
      contents.transferTo(OutputStream.nullOutputStream());
      new Bounded(path, in, (BLOCK - size % BLOCK) % BLOCK)
          .transferTo(OutputStream.nullOutputStream());
    }
  }

  private static boolean zeros(byte[] block) {
    for (byte b : block) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  /** The sum of a header's bytes, its own field taken for blanks. */
  private static long sum(byte[] header) {
    long sum = 8 * ' ';
    for (int i = 0; i < BLOCK; i++) {
      sum += i >= 148 && i < 156 ? 0 : header[i] & 0xff;
    }
    return sum;
  }

  private static String text(byte[] header, int at, int length) {
    int end = at;
    while (end < at + length && header[end] != 0) {
      end++;
    }
    return new String(header, at, end - at, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] header, int at, int length) {
    String digits = text(header, at, length).strip();
    return digits.matches("[0-7]{1,12}") ? Long.parseLong(digits, 8) : -1;
  }

  /** One file's bytes. */
  private static final class Bounded extends InputStream {
    private final Path path;
    private final InputStream in;
    private long left;

    Bounded(Path path, InputStream in, long left) {
      this.path = path;
      this.in = in;
      this.left = left;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int at, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = in.read(to, at, (int) Math.min(left, length));
      if (count < 0) {
        throw FileErrors.file(path, "is truncated: a file in it ends too early.");
      }
      left -= count;
      return count;
    }
  }
}
