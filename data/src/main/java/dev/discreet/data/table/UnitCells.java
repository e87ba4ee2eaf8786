package dev.discreet.data.table;

import dev.discreet.core.model.InputColumn;
import dev.discreet.data.TableHeader;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Gzip;
import dev.discreet.data.text.TextDialect;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a table as text, one at a time, from a stream: for files that lie elsewhere than on
 * this machine. What is a row, a cell and a misfit is as in {@link Csv}.
 */
public final class UnitCells implements AutoCloseable {
  private final Path path;
  private final InputStream in;
  private final CsvLines lines;
  private final int fields;
  private final int unit;
  private final int[] places;

  /**
   * Reads the header.
   *
   * @param name of the file, by which its delimiter is told, and which messages begin with
   * @param dialect how it is written
   * @param unit the column that says whose a row is
   * @param columns the names of the others
   */
  public UnitCells(
      String name, InputStream in, TextDialect dialect, String unit, List<String> columns)
      throws IOException {
    this.path = Path.of(name);
    this.in = Gzip.open(path, in);
    lines = new CsvLines(path, this.in, dialect);
    fields = lines.header().size();
    this.unit = TableHeader.find(lines, unit, "unit column");
    places = columns.stream().mapToInt(each -> TableHeader.find(lines, each, "column")).toArray();
  }

  /**
   * The next row; null at the end.
   *
   * @return whose it is, and then the cells of the columns: none, where the row has more or fewer
   *     fields than the header. Whose it is is empty where the row does not say
   */
  public String[] next() throws IOException {
    try {
      List<String> cells = lines.next();
      if (cells == null) {
        return null;
      }
      String[] row = {person(cells, unit)};
      if (cells.size() != fields) {
        return row;
      }
      row = Arrays.copyOf(row, 1 + places.length);
      for (int i = 0; i < places.length; i++) {
        row[1 + i] = cells.get(places[i]);
      }
      return row;
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  /**
   * The person that a row names. Empty where it names none, or where the name is garbled: garbled
   * names of two people may look the same.
   */
  static String person(List<?> cells, int column) {
    return ofCell(column < cells.size() ? cells.get(column) : null);
  }

  /** The same of one cell. */
  public static String ofCell(Object cell) {
    return person(CellText.ofKey(cell));
  }

  /** The same of a text. */
  public static String person(String cell) {
    String name = cell.strip();
    return name.indexOf(InputColumn.GARBLED) < 0 ? name : "";
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
