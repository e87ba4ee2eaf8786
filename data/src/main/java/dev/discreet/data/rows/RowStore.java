package dev.discreet.data.rows;

import dev.discreet.data.internal.FileErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of equal length, each held once: in the heap up to a limit, beyond it in a temporary file
 * that is mapped. Only its owner can read the file, and its name is gone as soon as it is open (at
 * the latest when the program ends), so that private rows do not stay behind.
 */
public final class RowStore {
  private static final int CHUNK = 1 << 22;
  private static final int SEGMENT = 1 << 30;

  private final Path folder;
  private final int rowBytes;
  private final int rowsPerChunk;
  private final int chunksInHeap;
  private final List<ByteBuffer> chunks = new ArrayList<>();
  private ByteBuffer filling;
  private FileChannel file;

  /** Keeps up to a quarter of the memory that Java may use in the heap. */
  public RowStore(int rowBytes) {
    this(rowBytes, Runtime.getRuntime().maxMemory() / 4);
  }

  public RowStore(int rowBytes, long heapBytes) {
    this(rowBytes, heapBytes, Path.of(System.getProperty("java.io.tmpdir")));
  }

  RowStore(int rowBytes, long heapBytes, Path folder) {
    this.folder = folder;
    this.rowBytes = rowBytes;
    this.rowsPerChunk = Math.max(1, CHUNK / rowBytes);
    this.chunksInHeap =
        (int) Math.min(Integer.MAX_VALUE, heapBytes / ((long) rowsPerChunk * rowBytes));
  }

  /** Rows that are in memory already; the array is not copied. */
  RowStore(int rowBytes, byte[] rows) {
    this.folder = null;
    this.rowBytes = rowBytes;
    this.rowsPerChunk = Math.max(1, rows.length / rowBytes);
    this.chunksInHeap = 1;
    chunks.add(ByteBuffer.wrap(rows).order(ByteOrder.nativeOrder()));
  }

  void append(byte[] row) throws IOException {
    next().put(row, 0, rowBytes);
  }

  void append(float[] values, int at) throws IOException {
    ByteBuffer to = next();
    for (int i = at; i < at + rowBytes / Float.BYTES; i++) {
      to.putFloat(values[i]);
    }
  }

  void appendZeros() throws IOException {
    next().put(new byte[rowBytes]);
  }

  private ByteBuffer next() throws IOException {
    if (filling != null && filling.remaining() < rowBytes) {
      put();
    }
    if (filling == null) {
      filling = ByteBuffer.allocate(rowsPerChunk * rowBytes).order(ByteOrder.nativeOrder());
    }
    return filling;
  }

  /**
   * Writes to the file rather than into a map of it: a full disk is then an error, not a signal
   * that ends Java.
   */
  private void put() throws IOException {
    if (chunks.size() < chunksInHeap) {
      chunks.add(filling.clear()); // views start at the position
      filling = null;
      return;
    }
    try {
      if (file == null) {
        file = open();
      }
      filling.flip();
      while (filling.hasRemaining()) {
        file.write(filling);
      }
    } catch (IOException e) {
      if (file != null) {
        file.close();
      }
      throw FileErrors.file(
          folder,
          "must be writable and have room for rows that do not fit into memory: "
              + e.getClass().getSimpleName()
              + ", "
              + e.getMessage());
    }
    filling.clear();
  }

  private FileChannel open() throws IOException {
    Path path = Files.createTempFile(folder, "discreet-", ".rows");
    path.toFile().deleteOnExit();
    return FileChannel.open(
        path,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** No row is appended after it. */
  RowStore finish() throws IOException {
    if (filling != null && filling.position() > 0) {
      if (chunks.size() < chunksInHeap) {
        byte[] exact = Arrays.copyOf(filling.array(), filling.position());
        chunks.add(ByteBuffer.wrap(exact).order(ByteOrder.nativeOrder()));
      } else {
        put();
      }
    }
    filling = null;
    if (file != null) {
      try (FileChannel closing = file) {
        map(closing);
      }
    }
    return this;
  }

  /** Maps the file in large segments: an operating system bounds the number of maps. */
  private void map(FileChannel from) throws IOException {
    int chunkBytes = rowsPerChunk * rowBytes;
    long segment = (long) Math.max(1, SEGMENT / chunkBytes) * chunkBytes;
    for (long at = 0; at < from.size(); at += segment) {
      ByteBuffer mapped = from.map(MapMode.READ_ONLY, at, Math.min(segment, from.size() - at));
      for (int i = 0; i < mapped.capacity(); i += chunkBytes) {
        chunks.add(
            mapped
                .slice(i, Math.min(chunkBytes, mapped.capacity() - i))
                .order(ByteOrder.nativeOrder()));
      }
    }
  }

  /** The buffer that holds a row. Only its absolute methods may be used: threads share it. */
  ByteBuffer chunk(int row) {
    return chunks.get(row / rowsPerChunk);
  }

  /** Where in its buffer a row starts. */
  int offset(int row) {
    return row % rowsPerChunk * rowBytes;
  }
}
