package dev.discreet.data.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.discreet.core.model.InputColumn;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Gzip;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Splits delimited text (RFC 4180) into records, one at a time. Cells may be quoted, and then hold
 * delimiters, line ends and doubled quotes; empty lines are skipped. A quote that is left open, or
 * closed out of place on a later line, is refused, for where the next record starts is then
 * unknown; what is wrong inside one line touches no other. Written here because errors must name
 * the line, memory must stay bounded and the format is one page.
 */
final class CsvLines implements TableRows {
  private static final int LONGEST = 1 << 24;
  private static final int NONE = -2;
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final Reader in;
  private final List<String> header;
  private final char[] buffer;
  private final int quote; // NONE where there are no quotes
  private int at;
  private int end;
  private char delimiter;
  private int line = 1;
  private int startLine;
  private long length;

  /** Opens a file, and reads its header. */
  static CsvLines open(Path path, TextDialect dialect) throws IOException {
    try {
      InputStream in = Gzip.open(path);
      try {
        return new CsvLines(path, in, dialect);
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  /**
   * Reads the header. Where no delimiter is declared, tabs stand between columns where the file's
   * name says so; elsewhere what stands outside quotes in the header decides, or without one it is
   * a comma.
   *
   * @param path what messages call it
   */
  CsvLines(Path path, InputStream in, TextDialect dialect) throws IOException {
    this.path = path;
    this.in =
        new InputStreamReader(
            in,
            Charset.forName(dialect.charset())
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE));
    buffer = new char[BUFFER];
    if (peek() == '\uFEFF') {
      at++;
    }
    quote = dialect.quote().isEmpty() ? NONE : dialect.quote().charAt(0);
    boolean named = !dialect.header().isEmpty();
    if (!dialect.delimiter().isEmpty()) {
      delimiter = dialect.delimiter().charAt(0);
    } else if (isOfTabs(path) || !named && headerHas('\t')) {
      delimiter = '\t';
    } else {
      delimiter = !named && headerHas(';') && !headerHas(',') ? ';' : ',';
    }
    header = named ? dialect.header() : readHeader(dialect.delimiter().isEmpty());
  }

  /** Further records of the same table. */
  private CsvLines(CsvLines table, Reader in, char[] buffer, int end, int line) {
    path = table.path;
    header = table.header;
    delimiter = table.delimiter;
    quote = table.quote;
    this.in = in;
    this.buffer = buffer;
    this.end = end;
    this.line = line;
  }

  /** One record of the same table, of which the line is counted from 1. */
  CsvLines record(String text) {
    return new CsvLines(this, Reader.nullReader(), text.toCharArray(), text.length(), 1);
  }

  /** The last records of the same table. */
  CsvLines rest(InputStream in, int line) {
    return new CsvLines(this, new InputStreamReader(in, UTF_8), new char[BUFFER], 0, line);
  }

  char delimiter() {
    return delimiter;
  }

  /** What stands around cells; below 0 for nothing. */
  int quote() {
    return quote;
  }

  /** The line that would be read next, from 1. */
  int line() {
    return line;
  }

  private static boolean isOfTabs(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    return name.endsWith(".tsv") || name.endsWith(".tab");
  }

  private List<String> readHeader(boolean guessed) throws IOException {
    List<String> raw = next();
    if (raw == null) {
      throw FileErrors.file(path, "must start with a line of column names; it is empty.");
    }
    List<String> names = raw.stream().map(String::strip).toList();
    if (guessed && names.size() == 1 && names.get(0).matches("(?s)[^;|\t]*+[;|\t].*")) {
      throw FileErrors.usage(
          path,
          "must have its columns between commas, semicolons or tabs (tabs where it is called .tsv"
              + " or .tab), or have its delimiter declared (--delimiter). Its only column: "
              + FileErrors.shown(names.get(0)));
    }
    Set<String> distinct = new HashSet<>();
    for (String name : names) {
      if (!distinct.add(name)) {
        throw FileErrors.file(
            path,
            "line 1: column names must be distinct. Provided twice: " + FileErrors.shown(name));
      }
    }
    return names;
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public List<String> header() {
    return header;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Looks ahead in the first buffer only: no header is longer. */
  private boolean headerHas(char sign) {
    boolean quoted = false;
    for (int i = at; i < end && (quoted || buffer[i] != '\n' && buffer[i] != '\r'); i++) {
      quoted ^= buffer[i] == quote;
      if (!quoted && buffer[i] == sign) {
        return true;
      }
    }
    return false;
  }

  /** The cells of the next record, or null at the end; none where it is too long to be kept. */
  @Override
  public List<String> next() throws IOException {
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
      cells.add(peek() == quote ? quoted(cell) : bare(cell));
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
  @Override
  public String place() {
    return place(startLine);
  }

  static String place(int line) {
    return "line " + line;
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
      if (c == quote) {
        at++;
        if (peek() != quote) {
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
    return cell.append(InputColumn.GARBLED) + bare(new StringBuilder());
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
