package dev.discreet.data.sheet;

import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.InputColumn;
import dev.discreet.data.TableRows;
import dev.discreet.data.internal.CellText;
import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Zip;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of a sheet of an Excel workbook (ECMA-376, .xlsx), one at a time. The first row with a
 * cell has the names of the columns; rows without one are skipped. A cell is what the sheet holds,
 * not what it shows: numbers stay numbers, days and times are texts as ISO 8601 writes them, truth
 * values TRUE and FALSE. A cell with a formula is garbled, for it may hang on other rows, also
 * where the formula stands in another cell and fills this one. So is a cell that is an error or
 * damaged: it touches no other row.
 */
final class XlsxRows implements TableRows {
  private static final int LONGEST = 1 << 24;
  private static final int MOST_COLUMNS = 1 << 14;

  private final Path path;
  private final Zip zip;
  private final XmlPart xml;
  private final List<String> texts;
  private final CellDates dates;
  private final List<String> header;
  // Down to which row of each column a formula fills cells that do not have it.
  private final int[] filled = new int[MOST_COLUMNS];
  private int row;

  /** Opens a file, and reads its first row. */
  static XlsxRows open(Path path, Optional<String> sheet) throws IOException {
    Zip zip = new Zip(path);
    try {
      return new XlsxRows(path, zip, sheet);
    } catch (IOException | RuntimeException e) {
      zip.close();
      throw e;
    }
  }

  private XlsxRows(Path path, Zip zip, Optional<String> sheet) throws IOException {
    this.path = path;
    this.zip = zip;
    Workbook book = Workbook.read(path, zip);
    String part = book.sheet(path, sheet);
    if (!zip.has(part)) {
      throw FileErrors.file(path, "must have the part " + FileErrors.shown(part) + ".");
    }
    long most = Runtime.getRuntime().maxMemory() / 4;
    texts =
        book.texts().isEmpty() ? List.of() : CellTexts.shared(path, zip, book.texts().get(), most);
    dates =
        book.styles().isEmpty()
            ? CellDates.none(book.from1904())
            : CellDates.read(path, zip, book.styles().get(), book.from1904());
    xml = new XmlPart(path, zip, part);
    header = readHeader();
  }

  private List<String> readHeader() throws IOException {
    List<Object> first = cells(0);
    if (first == null) {
      throw FileErrors.file(path, "must start with a row of column names; its sheet is empty.");
    }
    List<String> names = first.stream().map(each -> CellText.of(each).strip()).toList();
    Set<String> distinct = new HashSet<>();
    for (String name : names) {
      if (name.indexOf(InputColumn.GARBLED) >= 0) {
        throw FileErrors.file(
            path, "must have column names that are plain cells; one is " + FileErrors.shown(name));
      }
      if (!distinct.add(name)) {
        throw FileErrors.file(
            path,
            place() + ": column names must be distinct. Provided twice: " + FileErrors.shown(name));
      }
    }
    return names;
  }

  /** What stands in a cell that cannot be used; the word is for the operator. */
  static String garbled(String why) {
    return InputColumn.GARBLED + why;
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
    return cells(header.size());
  }

  @Override
  public String place() {
    return "row " + row;
  }

  @Override
  public void close() throws IOException {
    xml.close();
    zip.close();
  }

  /** The next row that has a cell, null at the end; none of a row that cannot be kept. */
  private List<Object> cells(int least) throws IOException {
    while (xml.next()) {
      if (xml.begins("row")) {
        int told = CellDates.number(xml.attribute("r"));
        row = told > 0 ? told : row + 1;
        List<Object> cells = row(least);
        if (cells == null || cells.stream().anyMatch(Objects::nonNull)) {
          return cells == null ? List.of() : cells;
        }
      }
    }
    return null;
  }

  /** Null where cells stand in no order or are too long together. */
  private List<Object> row(int least) throws IOException {
    List<Object> cells = new ArrayList<>();
    boolean fits = true;
    long length = 0;
    while (xml.next() && !xml.ends("row")) {
      if (!xml.begins("c")) {
        continue;
      }
      String place = xml.attribute("r");
      int column = place.isEmpty() ? cells.size() : column(place);
      Object cell = cell();
      if (column >= 0 && column < MOST_COLUMNS && filled[column] >= row) {
        cell = garbled("a formula");
      }
      length += cell instanceof String text ? text.length() : 0;
      fits &= column >= cells.size() && column < MOST_COLUMNS && length <= LONGEST;
      if (fits && cell != null) {
        while (cells.size() < column) {
          cells.add(null);
        }
        cells.add(cell);
      } else if (fits && place.isEmpty()) {
        cells.add(null);
      }
    }
    while (cells.size() > least && cells.get(cells.size() - 1) == null) {
      cells.remove(cells.size() - 1);
    }
    while (cells.size() < least) {
      cells.add(null);
    }
    return fits ? cells : null;
  }

  /** From 0, by the letters of a place such as AB12; -1 where it is none. */
  static int column(String place) {
    int column = 0;
    int letters = 0;
    while (letters < place.length() && letters < 4) {
      char c = place.charAt(letters);
      if (c < 'A' || c > 'Z') {
        break;
      }
      column = 26 * column + (c - 'A' + 1);
      letters++;
    }
    return place.substring(letters).matches("\\d{1,9}") ? column - 1 : -1;
  }

  private Object cell() throws IOException {
    String type = xml.attribute("t");
    String style = xml.attribute("s");
    boolean formula = false;
    StringBuilder text = new StringBuilder();
    while (xml.next() && !xml.ends("c")) {
      if (xml.begins("f")) {
        if (xml.attribute("t").matches("array|dataTable")) {
          fill(xml.attribute("ref"));
        }
        formula = !isConstant(xml);
      } else if (xml.begins("v")) {
        while (xml.next() && !xml.ends("v")) {
          if (xml.isText()) {
            added(text, xml.text());
          }
        }
      } else if (xml.begins("is")) {
        while (xml.next() && !xml.ends("is")) {
          CellTexts.collect(xml, text);
          added(text, "");
        }
      }
    }
    return formula ? garbled("a formula") : value(type, style, text.toString());
  }

  /** Notes which cells a formula fills: they lie to its right and below, as B2:C40. */
  private void fill(String area) {
    int colon = area.indexOf(':') + 1;
    int to = column(area.substring(colon));
    int last = CellDates.number(area.substring(colon).replaceFirst("[A-Z]+", ""));
    for (int i = column(area.substring(0, Math.max(0, colon - 1)));
        i >= 0 && i <= to && i < MOST_COLUMNS;
        i++) {
      filled[i] = Math.max(filled[i], last);
    }
  }

  /** Truth values that some programs write as formulas. */
  private static boolean isConstant(XmlPart xml) throws IOException {
    StringBuilder formula = new StringBuilder();
    while (xml.next() && !xml.ends("f")) {
      if (xml.isText()) {
        added(formula, xml.text());
      }
    }
    return formula.toString().matches("TRUE\\(\\)|FALSE\\(\\)");
  }

  /** Of a longer text no more is kept than shows that it is too long. */
  private static void added(StringBuilder text, String more) {
    if (text.length() <= LONGEST) {
      text.append(more);
    }
    if (text.length() > LONGEST) {
      text.setLength(LONGEST + 1);
    }
  }

  private Object value(String type, String style, String text) {
    switch (type) {
      case "s":
        int number = CellDates.number(text.strip());
        return number >= 0 && number < texts.size()
            ? orNull(texts.get(number))
            : garbled("no text");
      case "str":
      case "inlineStr":
        return orNull(CellTexts.unescaped(text));
      case "d":
        return orNull(text.strip());
      case "b":
        String truth = text.strip();
        return truth.equals("1") || truth.equals("true")
            ? "TRUE"
            : truth.equals("0") || truth.equals("false") ? "FALSE" : garbled(truth);
      case "":
      case "n":
        return numeric(style, text);
      default:
        return garbled(FileErrors.shown(text));
    }
  }

  private Object numeric(String style, String text) {
    if (text.isBlank()) {
      return null;
    }
    double value = CellNumber.of(text);
    if (Double.isNaN(value)) {
      return garbled(FileErrors.shown(text));
    }
    return dates.isDate(style) ? dates.text(value) : (Object) value;
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
