package dev.discreet.data.format;

import static dev.discreet.data.format.Refusals.gzip;
import static dev.discreet.data.format.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.DataOptions;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.table.Csv;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What files that were made to do harm must not do; found by the tests of hostile input. */
class ForgedDataTest {
  private static final Column LABEL = Column.parse("y={0..9}");

  @TempDir Path folder;

  private Path file(String name, byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return Files.write(folder.resolve(name), all.toByteArray());
  }

  private Path npy(String name, String header) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.US_ASCII);
    byte[] start = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0};
    byte[] size = ByteBuffer.allocate(4).putInt(Integer.reverseBytes(text.length)).array();
    return file(name, start, size, text, new byte[8]);
  }

  private Path idx(String name, int... dimensions) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * dimensions.length);
    bytes.putInt(0x800 + dimensions.length);
    for (int dimension : dimensions) {
      bytes.putInt(dimension);
    }
    return file(name, bytes.array());
  }

  private static void takesLittle(Executable reading, Object... parts) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(id);
    refused(reading, parts);
    long taken = threads.getThreadAllocatedBytes(id) - before;
    assertTrue(taken < 16 << 20, taken + " bytes");
  }

  private static Object read(Path inputs, Path labels) throws IOException {
    return Npy.read(
        inputs, Optional.of(labels), LABEL, Optional.of(Column.bounds("0..1")), PixelScale.NONE);
  }

  @Test
  void aShapeThatNeverEndsIsReadOnce() throws IOException {
    // A pattern that tries every way to cut the digits would not come back.
    Path labels = npy("y.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}");
    for (String shape : List.of("1".repeat(100_000), "1 ".repeat(50_000), "1,".repeat(50_000))) {
      Path inputs =
          npy("x.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "x");
      refused(() -> read(inputs, labels), inputs, "must have a shape");
      Path closed =
          npy("x.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + ")}");
      refused(() -> read(closed, labels), closed, "must have a shape");
    }
  }

  @Test
  void aHeaderReservesNoMemory() throws IOException {
    Path labels = npy("y.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}");
    Path inputs = npy("x.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 60000000)}");
    takesLittle(() -> read(inputs, labels), inputs, "is truncated");
    Path images = idx("x.idx", 1, 8000, 8000);
    Path one = file("y.idx", Files.readAllBytes(idx("empty.idx", 1)), new byte[1]);
    takesLittle(() -> IdxSet.read(images, one, LABEL, PixelScale.NONE), images, "only 0");
    Path none = idx("none.idx", Integer.MAX_VALUE, 1, 1, 1, 0);
    takesLittle(() -> new IdxFormat().readInputs(none, DataOptions.none()), none, "file of images");
  }

  @Test
  void whatUnpacksToFarTooMuchIsRefused() throws IOException {
    Path bomb = file("bomb.csv.gz", gzip(new byte[100_000_000]));
    refused(
        () -> Csv.read(bomb, LABEL, List.of(Column.parse("a=0..1")), Optional.empty()),
        bomb,
        "at most 200 times its size");
    // In many members, too.
    byte[] member = gzip(new byte[20_000_000]);
    Path members = file("members.csv.gz", member, member, member, member, member);
    refused(
        () -> Csv.read(members, LABEL, List.of(Column.parse("a=0..1")), Optional.empty()),
        members,
        "at most 200 times its size");
  }

  @Test
  void aHeaderOfVeryManyColumnsIsReadOnce() throws IOException {
    String header =
        IntStream.range(0, 300_000).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
    Path table = file("wide.csv", (header + "\n1\n").getBytes(StandardCharsets.UTF_8));
    refused(
        () -> Csv.read(table, LABEL, List.of(Column.parse("c1=0..1")), Optional.empty()),
        table,
        "must have the label column y");
  }

  /** An open quote in one row would else swallow the rows of others, without a word. */
  @Test
  void aQuoteThatRunsOverLinesIsRefusedWhateverEndsALine() throws IOException {
    for (String end : List.of("\n", "\r", "\r\n")) {
      String text = String.join(end, "y,a", "1,\"0.5", "2,0.5", "3,\"0.5", "4,0.5", "");
      Path table = file("quote.csv", text.getBytes(StandardCharsets.UTF_8));
      refused(
          () -> Csv.read(table, LABEL, List.of(Column.parse("a=0..1")), Optional.empty()),
          table,
          "must end with its quote");
      String quoted = String.join(end, "y,a", "1,\"0.5\"", "2,\"0.5" + end + "\"", "3,\"0.5", "");
      Path open = file("open.csv", quoted.getBytes(StandardCharsets.UTF_8));
      refused(
          () -> Csv.read(open, LABEL, List.of(Column.parse("a=0..1")), Optional.empty()),
          open + " line 5");
    }
  }

  // ---- images

  private static byte[] png() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(4, 4, BufferedImage.TYPE_BYTE_GRAY), "png", bytes);
    return bytes.toByteArray();
  }

  private Rows images(int side) throws IOException {
    ImageKind kind = new ImageKind(new Shape(side, side, 1), new Task.Classes(List.of("a", "b")));
    return ImageFolder.read(folder, kind, PixelScale.NONE, false).train();
  }

  private void one(String name, byte[] bytes) throws IOException {
    Files.createDirectories(folder.resolve("a"));
    Files.write(folder.resolve("a").resolve(name), bytes);
  }

  @Test
  void anImageOfMorePixelsThanItsFileCanHoldIsNoExample() throws IOException {
    byte[] png = png();
    ByteBuffer header = ByteBuffer.wrap(png).putInt(16, 4000).putInt(20, 4000);
    CRC32 crc = new CRC32();
    crc.update(png, 12, 17);
    header.putInt(29, (int) crc.getValue());
    one("large.png", png);
    Rows rows = images(4000);
    assertEquals(1, rows.misfits().count());
    assertTrue(rows.misfits().first().get(0).contains("ends too early"), rows.misfits()::toString);
  }

  @Test
  void anImageOfVeryManyScansIsNoExample() throws IOException {
    byte[] jpeg = new byte[1000];
    jpeg[0] = (byte) 0xff;
    jpeg[1] = (byte) 0xd8;
    for (int i = 2; i < 998; i += 2) {
      jpeg[i] = (byte) 0xff;
      jpeg[i + 1] = (byte) 0xda;
    }
    jpeg[998] = (byte) 0xff;
    jpeg[999] = (byte) 0xd9;
    one("scans.jpg", jpeg);
    Rows rows = images(4);
    assertTrue(rows.misfits().first().get(0).contains("scans"), rows.misfits()::toString);
  }

  @Test
  void foldersThatLinksLeadToAgainAreRefused() throws IOException {
    one("1.png", png());
    Files.createSymbolicLink(folder.resolve("a").resolve("again"), folder);
    refused(() -> images(4), folder, "each folder once");
  }

  @Test
  void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
    one("1.png", png());
    Path pipe = folder.resolve("a").resolve("2.png");
    try {
      Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
      Assumptions.assumeTrue(made.waitFor() == 0, "no pipes here");
    } catch (IOException e) {
      Assumptions.abort("no pipes here");
    }
    Rows rows = images(4);
    assertEquals(2, rows.examples().size());
    assertTrue(rows.misfits().first().get(0).contains("regular file"), rows.misfits()::toString);
  }
}
