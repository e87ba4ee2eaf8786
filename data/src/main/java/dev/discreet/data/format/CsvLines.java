package dev.discreet.data.format;

import dev.discreet.data.ColumnText;
import dev.discreet.data.internal.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits delimited text (RFC 4180) into records, one at a time. Cells may be quoted, and then hold
 * delimiters, line ends and doubled quotes; empty lines are skipped. A quote that is left open, or
 * closed out of place on a later line, is refused, for where the next record starts is then
 * unknown; what is wrong inside one line touches no other. Written here because errors must name
 * the line, memory must stay bounded and the format is one page.
 */
final class CsvLines {
  private static final int LONGEST = 1 << 24;

  private final Path path;
  private final Reader in;
  private final char[] buffer = new char[1 << 16];
  private int at;
  private int end;
  private char delimiter;
  private int line = 1;
  private int startLine;
  private long length;

  /** Where the delimiter is 0, what stands outside quotes in the first record decides. */
  CsvLines(Path path, InputStream in, char delimiter) throws IOException {
    this.path = path;
    this.in =
        new InputStreamReader(
            in,
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE));
    this.delimiter = delimiter;
    if (peek() == '\uFEFF') {
      at++;
    }
    if (delimiter == 0) {
      this.delimiter = headerHas('\t') ? '\t' : headerHas(';') && !headerHas(',') ? ';' : ',';
    }
  }

  /** Looks ahead in the first buffer only: no header is longer. */
  private boolean headerHas(char sign) {
    boolean quoted = false;
    for (int i = at; i < end && (quoted || buffer[i] != '\n' && buffer[i] != '\r'); i++) {
      quoted ^= buffer[i] == '"';
      if (!quoted && buffer[i] == sign) {
        return true;
      }
    }
    return false;
  }

  /** The cells of the next record, or null at the end; none where it is too long to be kept. */
  List<String> next() throws IOException {
    while (peek() == '\n' || peek() == '\r') {
      endOfLine();
    }
    if (peek() < 0) {
      return null;
    }
    startLine = line;
    length = 0;
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    while (true) {
      cells.add(peek() == '"' ? quoted(cell) : bare(cell));
      if (peek() == delimiter) {
        at++;
        length++;
      } else {
        endOfLine();
        return length > LONGEST ? List.of() : cells;
      }
      if (length > LONGEST) {
        cells.clear();
      }
    }
  }

  /** The line on which the last record started, from 1. */
  int line() {
    return startLine;
  }

  /** By stretches of the buffer: most of a file is bare cells. */
  private String bare(StringBuilder cell) throws IOException {
    cell.setLength(0);
    while (peek() >= 0) {
      int from = at;
      while (at < end && buffer[at] != delimiter && buffer[at] != '\n' && buffer[at] != '\r') {
        at++;
      }
      append(cell, from);
      if (at < end) {
        break;
      }
    }
    return cell.isEmpty() ? "" : cell.toString(); // a line may be nothing but delimiters
  }

  private String quoted(StringBuilder cell) throws IOException {
    int opened = line;
    boolean returned = false; // lines may end with \r alone, with \n or with both
    cell.setLength(0);
    at++;
    while (true) {
      int c = peek();
      if (c < 0) {
        throw FileErrors.file(path, "line " + opened + ": a quoted field must end with a quote.");
      }
      if (c == '"') {
        at++;
        if (peek() != '"') {
          break;
        }
      } else if (c == '\n' && !returned || c == '\r') {
        line++;
      }
      returned = c == '\r';
      append(cell, at++);
    }
    int after = peek();
    if (after < 0 || after == delimiter || after == '\n' || after == '\r') {
      return cell.toString();
    }
    if (line > opened) {
      throw FileErrors.file(
          path, "line " + line + ": a field that starts with a quote must end with its quote.");
    }
    return cell.append(ColumnText.GARBLED) + bare(new StringBuilder());
  }

  private void append(StringBuilder cell, int from) {
    length += at - from;
    if (length <= LONGEST) {
      cell.append(buffer, from, at - from);
    }
  }

  private void endOfLine() throws IOException {
    if (peek() == '\r') {
      at++;
    }
    if (peek() == '\n') {
      at++;
    }
    line++;
  }

  private int peek() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(buffer));
    }
    return at == end ? -1 : buffer[at];
  }
}
