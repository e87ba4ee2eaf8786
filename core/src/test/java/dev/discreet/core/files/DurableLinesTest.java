package dev.discreet.core.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class DurableLinesTest {
  private static final String FIRST = "{\"first\":1}";
  private static final String SECOND = "{\"second\":\"zwei\"}";

  @TempDir private Path folder;

  private Path withOneLine() throws IOException {
    Path path = Files.createTempFile(folder, "lines", "");
    try (DurableLines file = DurableLines.open(path)) {
      file.append(FIRST);
    }
    return path;
  }

  @Test
  void aLastLineThatWasCutAnywhereIsDroppedAndWrittenOver() throws IOException {
    Path path = withOneLine();
    int whole = (int) Files.size(path);
    try (DurableLines file = DurableLines.open(path)) {
      file.append(SECOND);
    }
    byte[] bytes = Files.readAllBytes(path);
    for (int length = whole; length < bytes.length; length++) {
      Files.write(path, Arrays.copyOf(bytes, length));
      assertEquals(List.of(FIRST), DurableLines.read(path));
      try (DurableLines file = DurableLines.open(path)) {
        assertEquals(List.of(FIRST), file.existing());
        file.append("third");
      }
      assertEquals(List.of(FIRST, "third"), DurableLines.read(path));
    }
  }

  /** What is behind the largest array would look like a line that a crash tore, and be cut off. */
  @Test
  void aFileThatIsTooLongIsRefusedAndStaysAsItIs() throws IOException {
    Path path = withOneLine();
    long length = (1L << 30) + 1;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length); // Most of it is a hole, which takes no room on the disk.
    }
    for (Executable reader :
        List.<Executable>of(() -> DurableLines.read(path), () -> DurableLines.open(path).close())) {
      String message = assertThrows(IllegalArgumentException.class, reader).getMessage();
      assertTrue(message.endsWith("at most 2^30 bytes long. Provided value: " + length), message);
      assertEquals(length, Files.size(path));
    }
  }

  /** Whether another process can take a file. */
  private static boolean isFree(Path path) throws Exception {
    return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Taker.class.getName(),
                path.toString())
            .start()
            .waitFor()
        == 0;
  }

  static final class Taker {
    public static void main(String[] args) {
      DurableLines.open(Path.of(args[0])).close();
    }
  }

  /** The system takes locks away where any channel of the file is closed in the same process. */
  @Test
  void nobodyElseCanWriteWhileThisProcessReads() throws Exception {
    Path path = withOneLine();
    try (DurableLines file = DurableLines.open(path)) {
      assertEquals(List.of(FIRST), DurableLines.read(path));
      assertThrows(IllegalArgumentException.class, () -> DurableLines.open(path));
      Path link = Files.createLink(folder.resolve("link"), path);
      assertEquals(List.of(FIRST), DurableLines.read(link));
      assertThrows(IllegalArgumentException.class, () -> DurableLines.open(link));
      assertFalse(isFree(path));
      file.append(SECOND);
      assertEquals(List.of(FIRST, SECOND), DurableLines.read(path));
    }
    assertTrue(isFree(path));
  }

  @Test
  void aChangedByteIsFound() throws IOException {
    Path path = withOneLine();
    byte[] bytes = Files.readAllBytes(path);
    for (int i = 0; i < bytes.length - 1; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = bytes.clone();
        changed[i] ^= (byte) (1 << bit);
        Files.write(path, changed);
        assertThrows(IllegalArgumentException.class, () -> DurableLines.read(path));
        assertThrows(IllegalArgumentException.class, () -> DurableLines.open(path));
      }
    }
  }

  /** Wherever the room ends, the line before is whole, and the next one follows it. */
  @Test
  void aDiskThatIsFullTakesALineWholeOrNotAtAll() throws IOException {
    for (int room = 0; room < SECOND.length() + 10; room++) {
      Path path = withOneLine();
      try (DurableLines file = DurableLines.on(new Failing(path, room, false, false), path)) {
        assertThrows(UncheckedIOException.class, () -> file.append(SECOND));
        // The same session must not write behind a line of which it does not know what is there.
        assertThrows(UncheckedIOException.class, () -> file.append("third"));
      }
      assertEquals(List.of(FIRST), DurableLines.read(path));
      try (DurableLines file = DurableLines.open(path)) {
        file.append("third");
      }
      assertEquals(List.of(FIRST, "third"), DurableLines.read(path));
    }
  }

  /** After a failed fsync the system may show a line that the disk does not have. */
  @Test
  void aLineThatMayNotBeOnTheDiskIsNotThere() throws IOException {
    Path path = withOneLine();
    try (DurableLines file = DurableLines.on(new Failing(path, 1000, true, false), path)) {
      assertThrows(UncheckedIOException.class, () -> file.append(SECOND));
      assertThrows(UncheckedIOException.class, () -> file.append("third"));
    }
    assertEquals(List.of(FIRST), DurableLines.read(path));
  }

  @Test
  void aDiskThatTakesNothingBackIsSaidSo() throws IOException {
    Path path = withOneLine();
    try (DurableLines file = DurableLines.on(new Failing(path, 1000, true, true), path)) {
      UncheckedIOException failed =
          assertThrows(UncheckedIOException.class, () -> file.append(SECOND));
      assertEquals(1, failed.getCause().getSuppressed().length);
      assertThrows(UncheckedIOException.class, () -> file.append("third"));
    }
    List<String> left = DurableLines.read(path);
    assertTrue(left.equals(List.of(FIRST)) || left.equals(List.of(FIRST, SECOND)), left::toString);
  }

  /** A file on a disk that has little room, or that fails to keep what it was given. */
  private static final class Failing extends FileChannel {
    private final FileChannel file;
    private final boolean forceFails;
    private final boolean truncateFails;
    private int room;
    private boolean wrote;

    Failing(Path path, int room, boolean forceFails, boolean truncateFails) throws IOException {
      this.file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      this.room = room;
      this.forceFails = forceFails;
      this.truncateFails = truncateFails;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      wrote = true;
      if (room == 0) {
        throw new IOException("No space left on device");
      }
      ByteBuffer part = from.slice(from.position(), Math.min(room, from.remaining()));
      int written = file.write(part);
      from.position(from.position() + written);
      room -= written;
      return written;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      if (wrote && forceFails) {
        wrote = false;
        throw new IOException("Input/output error");
      }
      file.force(metaData);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      if (truncateFails) {
        throw new IOException("Read-only file system");
      }
      file.truncate(size);
      return this;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
      return file.read(to);
    }

    @Override
    public long position() throws IOException {
      return file.position();
    }

    @Override
    public FileChannel position(long at) throws IOException {
      file.position(at);
      return this;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer to, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
