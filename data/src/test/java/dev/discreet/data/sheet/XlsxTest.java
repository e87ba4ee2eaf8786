package dev.discreet.data.sheet;

import static dev.discreet.data.sheet.SheetWriter.row;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.TableRows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XlsxTest {
  private static final String HEADER = row(1, "'age", "'sex", "'sick");

  @TempDir private Path folder;

  private Path book(SheetWriter writer) throws IOException {
    return writer.write(folder.resolve("t.xlsx"));
  }

  private Path resource(String name) throws IOException {
    Path to = folder.resolve(name);
    try (InputStream in = XlsxTest.class.getResourceAsStream(name)) {
      Files.copy(in, to);
    }
    return to;
  }

  private static List<List<?>> rows(Path file) throws IOException {
    List<List<?>> all = new ArrayList<>();
    try (TableRows rows = DataSets.openTable(file.toString(), DataOptions.none())) {
      all.add(rows.header());
      for (List<?> row = rows.next(); row != null; row = rows.next()) {
        all.add(row);
      }
    }
    return all;
  }

  private static List<String> values(DataSet.Part part) {
    List<String> all = new ArrayList<>();
    Examples examples = part.examples();
    float[] row = new float[examples.input().size() + 1];
    for (int i = 0; i < examples.size(); i++) {
      examples.input(i, row, 0);
      examples.target(i, row, row.length - 1);
      StringBuilder bits = new StringBuilder();
      for (float value : row) {
        bits.append(Integer.toHexString(Float.floatToRawIntBits(value))).append(' ');
      }
      all.add(bits.toString());
    }
    return all;
  }

  /** What other programs wrote is the CSV of the same rows, and is split as that is. */
  @ParameterizedTest
  @ValueSource(strings = {"openpyxl.xlsx", "libreoffice.xlsx"})
  void aWorkbookIsTheCsvOfItsRows(String name) throws IOException {
    for (boolean units : new boolean[] {true, false}) {
      DataOptions.Builder options =
          DataOptions.builder()
              .label("sick=no|yes")
              .columns(
                  List.of(
                      "age=0..120,missing=indicator(40)",
                      "sex=f|m",
                      "visit=2020-01-01..2022-12-31+month+weekday",
                      "seen=2021-05-01..2021-05-31",
                      "member=TRUE|FALSE",
                      "income=0..90000",
                      "note=plain|a, b|ü ä ß,other=else,missing=own"))
              .testShare(0.4);
      if (units) {
        options.unit("id");
      }
      DataSet text = DataSets.open(resource("people.csv").toString(), options.build());
      Files.delete(folder.resolve("people.csv"));
      DataSet sheet = DataSets.open(resource(name).toString(), options.sheet("People").build());
      Files.delete(folder.resolve(name));
      assertEquals(0, text.misfits().count(), text.misfits().toString());
      assertEquals(0, sheet.misfits().count(), sheet.misfits().toString());
      assertEquals(
          12, text.train().examples().size() + text.test().orElseThrow().examples().size());
      assertEquals(values(text.train()), values(sheet.train()));
      assertEquals(values(text.test().orElseThrow()), values(sheet.test().orElseThrow()));
    }
  }

  @Test
  void cellsAreWhatTheSheetHolds() throws IOException {
    Path file =
        book(
            new SheetWriter(
                "<row r=\"3\"/>"
                    + row(4, "'a", "'b", "'c", "'d", "'e", "'f", "'g")
                    + row(
                        6,
                        "7.0",
                        "1e-3",
                        "<c r=\"C6\" t=\"s\"><v>0</v></c>",
                        "<c r=\"D6\" s=\"1\"><v>44197</v></c>",
                        "<c r=\"E6\" s=\"2\"><v>44197.4166666667</v></c>",
                        "<c r=\"F6\" s=\"3\"><v>0.5</v></c>",
                        "<c r=\"G6\" t=\"b\"><v>1</v></c>")
                    + row(7, "", "", "<c r=\"C7\"/>")
                    + row(
                        8,
                        "",
                        "<c r=\"B8\" t=\"inlineStr\"><is><r><t>two</t></r><rPh><t>x</t></rPh><r><t"
                            + " xml:space=\"preserve\"> runs_x000A_</t></r></is></c>",
                        "<c r=\"C8\" t=\"str\"><v>&lt;&amp;</v></c>",
                        "<c r=\"D8\" t=\"d\"><v>2021-02-03</v></c>",
                        "<c r=\"E8\" t=\"b\"><f>FALSE()</f><v>0</v></c>")));
    List<List<?>> rows = rows(file);
    assertEquals(List.of("a", "b", "c", "d", "e", "f", "g"), rows.get(0));
    assertEquals(
        List.of(7.0, 1e-3, "shared", "2021-01-01", "2021-01-01T10:00:00", 0.5, "TRUE"),
        rows.get(1));
    assertEquals("[null, two runs\n, <&, 2021-02-03, FALSE, null, null]", rows.get(2).toString());
    assertEquals(3, rows.size());
  }

  @Test
  void aCellThatCannotBeUsedTouchesItsRowAlone() throws IOException {
    String good = row(2, "39", "'f", "'no");
    String[] bad = {
      row(3, "<c r=\"A3\"><f>AVERAGE(A2:A9)</f><v>40</v></c>", "'f", "'no"),
      row(3, "<c r=\"A3\" t=\"e\"><v>#DIV/0!</v></c>", "'f", "'no"),
      row(3, "<c r=\"A3\" t=\"s\"><v>7</v></c>", "'f", "'no"),
      row(3, "<c r=\"A3\"><v>4O</v></c>", "'f", "'no"),
      row(3, "<c r=\"A3\" t=\"odd\"><v>1</v></c>", "'f", "'no"),
      row(3, "<c r=\"A3\" s=\"1\"><v>39</v></c>", "'f", "'no"),
      row(3, "39", "'f", "'no", "'beyond"),
      row(3, "39", "<c r=\"A3\"><v>1</v></c>", "'no"),
      row(3, "39", "<c r=\"ZZZZ9\"><v>1</v></c>", "'no"),
      row(3, "39", "'f"),
      row(3, "39", "'f\u00ff", "'no"),
      row(3, "39", "<c r=\"B3\" t=\"str\"><f>IF(A3,\"f\")</f><v>f</v></c>", "'no"),
    };
    for (String each : bad) {
      Path file = book(new SheetWriter(HEADER + good + each + row(4, "77", "'m", "'yes")));
      DataSet set =
          DataSets.open(
              file.toString(),
              DataOptions.builder()
                  .label("sick=no|yes")
                  .columns(List.of("age=0..120", "sex=f|m"))
                  .testShare(0)
                  .build());
      assertEquals(1, set.misfits().count(), each);
      assertTrue(set.misfits().toString().contains("row 3"), set.misfits().toString());
      float[] row = new float[3];
      set.train().examples().input(1, row, 0);
      assertArrayEquals(new float[] {77f / 120, 0, 1}, row);
      assertEquals(2, set.train().examples().size());
      assertEquals(3, set.train().units().count());
    }
  }

  /** A list that is sorted by a formula stands in cells of which all but the first have none. */
  @ParameterizedTest
  @CsvSource({"array, B2:C3", "dataTable, B2:C3", "array, B2:XFD3"})
  void whatAFormulaFillsDoesNotFit(String type, String area) throws IOException {
    String first =
        "<c r=\"B2\"><f t=\"%s\" ref=\"%s\">SORT(A2:A9)</f><v>1</v></c>".formatted(type, area);
    Path file =
        book(
            new SheetWriter(
                row(1, "'a", "'b", "'c")
                    + row(2, "7", first, "2")
                    + row(3, "8", "3", "4")
                    + row(4, "9", "5", "6")));
    String none = "\uFFFDa formula";
    assertEquals(
        List.of(List.of(7.0, none, none), List.of(8.0, none, none), List.of(9.0, 5.0, 6.0)),
        rows(file).subList(1, 4));
  }

  /** Java 24 and later count them otherwise. */
  @Test
  void textsMayHaveManyAmpersands() throws IOException {
    StringBuilder rows = new StringBuilder(row(1, "'note"));
    for (int i = 2; i <= 300; i++) {
      rows.append(row(i, "'" + "&amp;".repeat(1000)));
    }
    assertEquals(List.of("&".repeat(1000)), rows(book(new SheetWriter(rows.toString()))).get(299));
  }

  @Test
  void aRefusalQuotesNoCell() throws IOException {
    for (String cell : List.of("Zoe <Smith>", "Zoe &Smith;", "Zoe &Smith", "Zoe\u0001Smith")) {
      Path file = book(new SheetWriter(HEADER + row(2, "39", "'" + cell, "'no")));
      String told = assertThrows(IOException.class, () -> rows(file)).getMessage();
      assertFalse(told.contains("Smith"), told);
      assertTrue(told.contains("sheet1.xml: must "), told);
      assertTrue(told.endsWith("(outside the guarantee, for your eyes)."), told);
    }
  }

  @Test
  void daysAreCountedAsTheWorkbookSays() throws IOException {
    String cells = "";
    int at = 2;
    for (String number :
        List.of("1", "59", "60", "61", "2958465", "2958466", "0", "-1", "45000.9999999999")) {
      cells += "<row r=\"%d\"><c r=\"A%d\" s=\"1\"><v>%s</v></c></row>".formatted(at, at++, number);
    }
    SheetWriter writer = new SheetWriter(row(1, "'day") + cells);
    List<String> first =
        rows(book(writer)).stream().skip(1).map(row -> String.valueOf(row.get(0))).toList();
    assertEquals(
        List.of(
            "1900-01-01",
            "1900-02-28",
            "\uFFFDno day",
            "1900-03-01",
            "9999-12-31",
            "\uFFFDno day",
            "\uFFFDno day",
            "\uFFFDno day",
            "2023-03-16"),
        first);
    writer.with("xl/workbook.xml", "<workbookPr/>", "<workbookPr date1904=\"1\"/>");
    assertEquals("1904-01-02", rows(book(writer)).get(1).get(0));
    assertEquals("1904-01-01", rows(book(writer)).get(7).get(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dd.mm.yyyy|true",
        "mmm|true",
        "[$-407]d. mmmm yyyy;@|true",
        "h:mm:ss|false",
        "[h]:mm|false",
        "General|false",
        "0.00 \"days\"|false",
        "#,##0 [Red]|false",
        "0\\d|false",
        "0_d*y|false"
      })
  void aFormatShowsADay(String format, boolean day) {
    assertEquals(day, CellDates.showsDay(format));
  }

  private void refused(SheetWriter writer, String part) throws IOException {
    Path file = book(writer);
    Exception e = assertThrows(Exception.class, () -> rows(file));
    assertTrue(
        e instanceof IOException || e instanceof IllegalArgumentException, e.getClass().getName());
    assertTrue(e.getMessage().startsWith(file + " "), e.getMessage());
    assertTrue(e.getMessage().contains(part), e.getMessage());
    assertFalse(e.getMessage().contains("\n"), e.getMessage());
  }

  private static SheetWriter plain() {
    return new SheetWriter(HEADER + row(2, "39", "'f", "'no"));
  }

  @Test
  void whatIsNoWorkbookIsRefused() throws IOException {
    refused(plain().without("_rels/.rels"), "must have the part _rels/.rels");
    refused(plain().without("xl/workbook.xml"), "must have the part xl/workbook.xml");
    refused(plain().without(SheetWriter.SHEET), "must have the part xl/worksheets/sheet1.xml");
    refused(plain().part("_rels/.rels", "<Relationships/>"), "must be an .xlsx workbook");
    refused(plain().with("xl/workbook.xml", "r:id=\"rId0\"", ""), "must have a sheet of cells");
    refused(new SheetWriter(""), "must start with a row of column names");
    refused(new SheetWriter(row(1, "'a", "'a")), "row 1: column names must be distinct");
    refused(new SheetWriter("<row r=\"1\"><c r=\"A1\"><f>B1</f><v>1</v></c></row>"), "plain cells");
    refused(plain().with(SheetWriter.SHEET, "</sheetData>", "</sheet"), "must be XML");
    Files.writeString(folder.resolve("t.xlsx"), "PK?");
    assertThrows(IOException.class, () -> rows(folder.resolve("t.xlsx")));
    // Without texts and styles of its own there are neither shared texts nor dates.
    assertEquals(2, rows(book(plain().without(SheetWriter.TEXTS).without("xl/styles.xml"))).size());
  }

  @Test
  void xmlThatAsksForMoreIsRefused() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret.txt"), "s3cret");
    String type = "<!DOCTYPE x [<!ENTITY e SYSTEM \"" + secret.toUri() + "\"><!ENTITY l \"lol\">]>";
    for (String part : List.of(SheetWriter.SHEET, SheetWriter.TEXTS, "xl/workbook.xml")) {
      for (String use : List.of("&e;", "&l;", "")) {
        SheetWriter writer = plain();
        writer.with(part, "?>\n", "?>\n" + type).with(part, "</", use + "</");
        refused(writer, part + ": must ");
      }
    }
  }

  @Test
  void whatUnpacksToTooMuchIsRefused() throws IOException {
    String zeros = "<row><c><v>" + "0".repeat(1 << 27) + "</v></c></row>";
    refused(new SheetWriter(HEADER + zeros), "a zip bomb?");
    String comment = "<!--" + " ".repeat((1 << 25) + (1 << 20)) + "-->";
    refused(plain().with(SheetWriter.SHEET, "<sheetData>", comment + "<sheetData>"), "at most");
    // A long text alone is no row that can be kept.
    String text = "<c r=\"A2\" t=\"inlineStr\"><is><t>" + "a".repeat(1 << 25) + "</t></is></c>";
    Path file =
        book(new SheetWriter(HEADER + row(2, text, "'f", "'no") + row(3, "1", "'f", "'no")));
    assertEquals(List.of(), rows(file).get(1));
    assertEquals(3, rows(file).size());
  }

  @Test
  void aSheetIsChosenByItsName() throws IOException {
    Path file = resource("openpyxl.xlsx");
    String both = assertThrows(IllegalArgumentException.class, () -> rows(file)).getMessage();
    assertTrue(both.endsWith("named (--sheet). Its sheets: People, Notes"), both);
    DataOptions.Builder options = DataOptions.builder();
    try (TableRows rows = DataSets.openTable(file.toString(), options.sheet("Notes").build())) {
      assertEquals(List.of("written by hand"), rows.header());
    }
    String gone =
        assertThrows(
                IllegalArgumentException.class,
                () -> DataSets.openTable(file.toString(), options.sheet("Gone").build()))
            .getMessage();
    assertTrue(gone.contains("must have the sheet Gone. Its sheets: People, Notes"), gone);
    Path text = resource("people.csv");
    assertThrows(
        IllegalArgumentException.class,
        () ->
            DataSets.open(
                text.toString(),
                options.label("sick=no|yes").columns(List.of("age=0..120")).build()));
  }
}
