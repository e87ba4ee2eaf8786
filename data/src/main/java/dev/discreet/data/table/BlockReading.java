package dev.discreet.data.table;

import dev.discreet.data.Rows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads one block of a table as text. Records of plain ASCII without quotes whose cells all fit are
 * read off their bytes; every other one is read as {@link CsvLines} and {@link RowReading} do, so
 * that there is one definition of what fits and one wording of what does not.
 */
final class BlockReading {
  // Longer records are read the other way, which knows the longest.
  private static final int LONGEST = 1 << 20;

  private final CsvBlocks blocks;
  private final RowReading row;
  private final CellReading[] cells;

  // Where each cell of the record begins, and behind the last where the next would.
  private final int[] starts;

  private final byte[] bytes;
  private final int length;
  private int lines;

  private final RowBatch read;

  private BlockReading(CsvBlocks blocks, RowReading row, CsvBlocks.Block block) {
    this.blocks = blocks;
    this.row = row;
    read = new RowBatch(row);
    bytes = block.bytes();
    length = block.length();
    starts = new int[row.fields() + 1];
    cells = CellReading.of(row.declared());
  }

  /** Reads all blocks on all processors, and gathers their rows in the order of the table. */
  static Rows read(CsvBlocks blocks, TableColumns declared, Optional<String> unit, long heapBytes)
      throws IOException {
    RowReading row = new RowReading(blocks.head(), declared, unit);
    GatheredRows all = new GatheredRows(row, heapBytes);
    int lines = 0;
    try (OrderedWork<BlockReading> work = new OrderedWork<>()) {
      CsvBlocks.Block block = blocks.next();
      while (block != null || !work.isEmpty()) {
        if (block == null || work.isFull()) {
          BlockReading done = work.take();
          int first = blocks.firstLine() + lines;
          done.read.gather(all, blocks.name(), line -> CsvLines.place(first + line));
          lines += done.lines;
        } else {
          work.give(new BlockReading(blocks, new RowReading(row), block)::records);
          block = blocks.next();
        }
      }
    }
    CsvLines rest = blocks.rest(lines);
    if (rest != null) {
      TableReading.read(rest, row, all);
    }
    return all.finish(blocks.name());
  }

  private BlockReading records() throws IOException {
    for (int at = 0; at < length; ) {
      int behind = CsvBlocks.lineEnd(bytes, at, length, true);
      if (behind == at) {
        behind = plain(at);
        if (behind < 0) {
          behind = blocks.recordEnd(bytes, at, length, true);
          any(at, behind);
        } else {
          row.wrong = "";
          read.add(lines++);
        }
      } else {
        lines++;
      }
      at = behind;
    }
    return this;
  }

  /** A record of any kind. */
  private void any(int from, int to) throws IOException {
    CsvLines record = blocks.record(bytes, from, to);
    row.read(record.next());
    read.add(lines);
    lines += record.line() - 1;
  }

  /**
   * Reads a plain record that fits.
   *
   * @return where the next line begins; below 0 where the record is another one
   */
  private int plain(int from) {
    int count = 0;
    int at = from;
    byte delimiter = blocks.delimiter();
    row.rows.clear();
    while (true) {
      if (count == row.fields() || at < length && blocks.isQuote(bytes[at])) {
        return -1;
      }
      int start = at;
      byte all = 0;
      byte each = 0;
      while (at < length) {
        each = bytes[at];
        if (each == delimiter || each == '\n' || each == '\r') {
          break;
        }
        all |= each;
        at++;
      }
      if (all < 0) {
        return -1;
      }
      starts[count++] = start;
      if (row.unit < 0) {
        row.rows.add(bytes, start, at);
      }
      if (at == length || each != delimiter) {
        break;
      }
      at++;
    }
    if (count < row.fields() || at - from > LONGEST) {
      return -1;
    }
    starts[count] = at + 1;
    if (row.unit < 0) {
      row.person = "";
      row.fingerprint = row.rows.value();
    } else {
      int start = starts[row.unit];
      String cell =
          new String(bytes, start, starts[row.unit + 1] - 1 - start, StandardCharsets.ISO_8859_1);
      row.person = UnitCells.person(cell);
      if (row.person.isEmpty()) {
        return -1;
      }
      row.fingerprint = row.units.of(row.person);
    }
    if (!row.declared().hasLabel()) {
      row.example[row.width()] = 0;
    }
    for (int i = 0; i < cells.length; i++) {
      int place = row.places[i];
      if (!cells[i].read(bytes, starts[place], starts[place + 1] - 1, row.example)) {
        return -1;
      }
    }
    return at == length ? at : CsvBlocks.lineEnd(bytes, at, length, true);
  }
}
