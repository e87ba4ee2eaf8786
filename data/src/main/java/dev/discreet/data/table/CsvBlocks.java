package dev.discreet.data.table;

import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Gzip;
import dev.discreet.data.text.TextDialect;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Cuts a table as text into blocks of whole records, so that several threads can read them. What is
 * a record is what {@link CsvLines} says. Where that cannot be told from bytes alone (other
 * encodings, lines that end with \r only, records as long as many blocks, quotes that it refuses),
 * the rest is left to it.
 */
final class CsvBlocks implements Closeable {
  private static final int BLOCK = 1 << 20;
  // What the header may take: then nothing behind these bytes was read to find its end.
  private static final int HEAD = 1 << 20;
  private static final int LONGEST_HEADER = 1 << 16;
  // In blocks.
  private static final int LONGEST_RECORD = 8;

  private static final int INCOMPLETE = -1;
  private static final int IRREGULAR = -2;

  private final Path path;
  private final InputStream in;
  private final CsvLines head;
  private final int blockBytes;
  private final byte delimiter;
  private final byte quote;
  private final boolean quotes;
  private boolean isDone;
  private InputStream body;
  private byte[] carried = {};

  /** Some records: the first bytes of an array. */
  record Block(byte[] bytes, int length) {}

  static CsvBlocks open(Path path, TextDialect dialect) throws IOException {
    return open(path, dialect, BLOCK);
  }

  static CsvBlocks open(Path path, TextDialect dialect, int blockBytes) throws IOException {
    try {
      InputStream in = Gzip.open(path);
      try {
        return new CsvBlocks(path, in, dialect, blockBytes);
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  private CsvBlocks(Path path, InputStream in, TextDialect dialect, int blockBytes)
      throws IOException {
    this.path = path;
    this.in = in;
    this.blockBytes = blockBytes;
    byte[] first = in.readNBytes(HEAD);
    head =
        new CsvLines(path, new SequenceInputStream(new ByteArrayInputStream(first), in), dialect);
    delimiter = (byte) head.delimiter();
    quote = (byte) head.quote();
    quotes = head.quote() >= 0;
    boolean ascii = head.delimiter() < 0x80 && head.quote() < 0x80;
    isDone = !ascii || !Charset.forName(dialect.charset()).equals(StandardCharsets.UTF_8);
    int from = isDone ? 0 : bodyOf(first, !dialect.header().isEmpty());
    isDone |= from < 0 || from > LONGEST_HEADER;
    if (!isDone) {
      body =
          new SequenceInputStream(new ByteArrayInputStream(first, from, first.length - from), in);
    }
  }

  /** Where the rows begin. */
  private int bodyOf(byte[] first, boolean named) {
    boolean marked =
        first.length > 2
            && first[0] == (byte) 0xEF
            && first[1] == (byte) 0xBB
            && first[2] == (byte) 0xBF;
    int at = marked ? 3 : 0;
    if (named) {
      return at;
    }
    while (at < first.length && isEnd(first[at])) {
      at++;
    }
    return recordEnd(first, at, first.length, first.length < HEAD);
  }

  /** The header, and what messages call the table; its rows are not to be read. */
  CsvLines head() {
    return head;
  }

  /** The next records in the order of the file; null where {@link #rest} is to be asked. */
  Block next() throws IOException {
    while (!isDone) {
      byte[] bytes = Arrays.copyOf(carried, carried.length + blockBytes);
      int length = carried.length + body.readNBytes(bytes, carried.length, blockBytes);
      boolean last = length < bytes.length;
      int cut = cut(bytes, length, last);
      carried = Arrays.copyOfRange(bytes, cut, length);
      isDone |= last || carried.length > LONGEST_RECORD * blockBytes;
      if (cut > 0) {
        return new Block(bytes, cut);
      }
    }
    return null;
  }

  /** Where the last whole record of some bytes ends; 0 where none does. */
  private int cut(byte[] bytes, int length, boolean last) {
    int at = 0;
    if (!quotes || !has(bytes, length, quote)) {
      at = length;
      while (!last && at > 0 && bytes[at - 1] != '\n') {
        at--;
      }
      return at;
    }
    while (at < length) {
      int end = lineEnd(bytes, at, length, last);
      if (end == at) {
        end = recordEnd(bytes, at, length, last);
      }
      if (end < 0) {
        isDone |= end == IRREGULAR;
        break;
      }
      at = end;
    }
    return at;
  }

  private static boolean has(byte[] bytes, int stop, byte sign) {
    for (int i = 0; i < stop; i++) {
      if (bytes[i] == sign) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEnd(byte each) {
    return each == '\n' || each == '\r';
  }

  /**
   * Where a record ends, behind the end of its line.
   *
   * @param from its first byte
   * @param last whether nothing follows these bytes
   */
  int recordEnd(byte[] bytes, int from, int to, boolean last) {
    int at = from;
    while (true) {
      if (quotes && at < to && bytes[at] == quote) {
        boolean severalLines = false;
        for (at++; at < to; at++) {
          if (bytes[at] == quote) {
            if (at + 1 == to || bytes[at + 1] != quote) {
              break;
            }
            at++;
          } else {
            severalLines |= isEnd(bytes[at]);
          }
        }
        if (at >= to) {
          return last ? IRREGULAR : INCOMPLETE;
        }
        at++;
        boolean closed = at == to || bytes[at] == delimiter || isEnd(bytes[at]);
        if (!closed && severalLines) {
          return IRREGULAR;
        }
      }
      while (at < to && bytes[at] != delimiter && !isEnd(bytes[at])) {
        at++;
      }
      if (at < to && bytes[at] == delimiter) {
        at++;
        continue;
      }
      return at < to ? lineEnd(bytes, at, to, last) : last ? to : INCOMPLETE;
    }
  }

  /** Behind the end of a line that is here: \r, \n or both; here where none is. */
  static int lineEnd(byte[] bytes, int at, int to, boolean last) {
    if (bytes[at] != '\r') {
      return bytes[at] == '\n' ? at + 1 : at;
    }
    if (at + 1 == to) {
      return last ? to : INCOMPLETE;
    }
    return bytes[at + 1] == '\n' ? at + 2 : at + 1;
  }

  byte delimiter() {
    return delimiter;
  }

  /** Whether a cell that begins with this byte is quoted. */
  boolean isQuote(byte each) {
    return quotes && each == quote;
  }

  /** The cells of one record. */
  CsvLines record(byte[] bytes, int from, int to) {
    return head.record(new String(bytes, from, to - from, StandardCharsets.UTF_8));
  }

  /**
   * The rows that no block has; null for none.
   *
   * @param lines how many the blocks had
   */
  CsvLines rest(int lines) {
    if (body == null) {
      return head;
    }
    return carried.length == 0
        ? null
        : head.rest(
            new SequenceInputStream(new ByteArrayInputStream(carried), body), firstLine() + lines);
  }

  /** The line on which the rows begin, from 1. */
  int firstLine() {
    return head.line();
  }

  String name() {
    return path.toString();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
