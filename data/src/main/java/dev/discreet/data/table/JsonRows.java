package dev.discreet.data.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.discreet.core.model.InputColumn;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Gzip;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Objects of JSON as rows: one on each line, or all in one array. The columns are the names that
 * were declared, for each object has names of its own, and which those are may be one person's
 * secret. A name that an object does not have is a missing cell; an object or a list inside it is
 * garbled, and so is what has a name twice. A line that is no object touches no other line.
 */
final class JsonRows implements TableRows {
  private static final int LONGEST = 1 << 24;
  private static final JsonFactory JSON = new JsonFactory();

  private final Path path;
  private final Reader in;
  private final List<String> header;
  private final Map<String, Integer> places = new HashMap<>();
  private final JsonParser array; // null where each object has a line
  private long row;

  static JsonRows open(Path path, List<String> names) throws IOException {
    Reader in =
        new BufferedReader(new InputStreamReader(Gzip.open(path), StandardCharsets.UTF_8), 1 << 16);
    try {
      return new JsonRows(path, in, names);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private JsonRows(Path path, Reader in, List<String> names) throws IOException {
    this.path = path;
    this.in = in;
    header = List.copyOf(names);
    header.forEach(name -> places.put(name, places.size()));
    int first;
    do {
      in.mark(1);
      first = in.read();
    } while (first == '\uFEFF' || first >= 0 && Character.isWhitespace(first));
    in.reset();
    array = first == '[' ? JSON.createParser(in) : null;
    if (array != null) {
      array.nextToken();
    }
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
  public List<?> next() throws IOException {
    if (array != null) {
      return nextOfArray();
    }
    String line = line();
    while (line != null && line.isBlank()) {
      line = line();
    }
    if (line == null) {
      return null;
    }
    try (JsonParser parser = JSON.createParser(line)) {
      List<?> cells = cells(parser, parser.nextToken());
      return parser.nextToken() == null ? cells : List.of();
    } catch (JsonProcessingException e) {
      return List.of();
    }
  }

  private List<?> nextOfArray() throws IOException {
    if (array.isClosed()) {
      return null;
    }
    row++;
    try {
      JsonToken token = array.nextToken();
      if (token != JsonToken.END_ARRAY) {
        return cells(array, token);
      }
      if (array.nextToken() == null) {
        return null;
      }
    } catch (JsonProcessingException e) {
      // Told below, without what the parser says: it may quote a cell.
    }
    throw FileErrors.file(
        path, "must be one whole array of objects, or objects on a line each" + FileErrors.LABEL);
  }

  /** The next line; of one that is too long no more than shows it. Null at the end. */
  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    if (c < 0) {
      return null;
    }
    row++;
    while (c >= 0 && c != '\n') {
      if (line.length() <= LONGEST) {
        line.append((char) c);
      }
      c = in.read();
    }
    return line.length() > LONGEST ? "too long" : line.toString();
  }

  /** The declared cells of the value that begins here; none where it is no object. */
  private List<?> cells(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return List.of();
    }
    Object[] cells = new Object[header.size()];
    boolean[] seen = new boolean[cells.length];
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      Integer place = places.get(parser.currentName());
      JsonToken value = parser.nextToken();
      Object cell =
          value == JsonToken.VALUE_NULL
              ? null
              : value.isScalarValue() && place != null ? parser.getText() : garbled();
      parser.skipChildren();
      if (place != null) {
        cells[place] = seen[place] ? garbled() : cell;
        seen[place] = true;
      }
    }
    return Arrays.asList(cells);
  }

  private static String garbled() {
    return String.valueOf(InputColumn.GARBLED);
  }

  @Override
  public String place() {
    return (array == null ? "line " : "object ") + row;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
