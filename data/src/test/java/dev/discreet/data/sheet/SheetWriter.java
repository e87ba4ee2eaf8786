package dev.discreet.data.sheet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes workbooks by ECMA-376, as small as the standard allows, and with faults if wanted. */
final class SheetWriter {
  static final String SHEET = "xl/worksheets/sheet1.xml";
  static final String TEXTS = "xl/sharedStrings.xml";
  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  private static final String MAIN =
      " xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
  private static final String LINKS =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

  private final Map<String, String> parts = new LinkedHashMap<>();

  /**
   * @param rows the {@code row} elements of the only sheet
   */
  SheetWriter(String rows) {
    link("_rels/.rels", "officeDocument", "xl/workbook.xml");
    part(
        "xl/workbook.xml",
        "<workbook"
            + MAIN
            + " xmlns:r=\""
            + LINKS
            + "\"><workbookPr/><sheets><sheet name=\"People\" sheetId=\"1\" r:id=\"rId0\"/></sheets></workbook>");
    part(
        "xl/_rels/workbook.xml.rels",
        links(
            Map.of(
                "rId0", "worksheet:worksheets/sheet1.xml",
                "rId1", "sharedStrings:/xl/sharedStrings.xml",
                "rId2", "styles:styles.xml")));
    part(SHEET, "<worksheet" + MAIN + "><sheetData>" + rows + "</sheetData></worksheet>");
    part(TEXTS, "<sst" + MAIN + "><si><t>shared</t></si></sst>");
    part(
        "xl/styles.xml",
        "<styleSheet"
            + MAIN
            + "><numFmts><numFmt numFmtId=\"164\" formatCode=\"dd\\.mm\\.yyyy\"/></numFmts>"
            + "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
            + "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/><xf numFmtId=\"22\"/><xf"
            + " numFmtId=\"20\"/></cellXfs></styleSheet>");
  }

  private void link(String part, String type, String target) {
    part(part, links(Map.of("rId0", type + ":" + target)));
  }

  private static String links(Map<String, String> targets) {
    StringBuilder text =
        new StringBuilder(
            "<Relationships"
                + " xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">");
    targets.forEach(
        (id, target) ->
            text.append(
                "<Relationship Id=\"%s\" Type=\"%s/%s\" Target=\"%s\"/>"
                    .formatted(
                        id,
                        LINKS,
                        target.substring(0, target.indexOf(':')),
                        target.substring(target.indexOf(':') + 1))));
    return text + "</Relationships>";
  }

  SheetWriter part(String name, String xml) {
    parts.put(name, HEAD + xml);
    return this;
  }

  SheetWriter without(String name) {
    parts.remove(name);
    return this;
  }

  /** With one text of one part replaced. */
  SheetWriter with(String part, String from, String to) {
    parts.put(part, parts.get(part).replace(from, to));
    return this;
  }

  Path write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> part : parts.entrySet()) {
        zip.putNextEntry(new ZipEntry(part.getKey()));
        zip.write(part.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return file;
  }

  /** A row of numbers, of texts in quotes and of nothing for the empty text. */
  static String row(int number, String... cells) {
    StringBuilder row = new StringBuilder("<row r=\"" + number + "\">");
    for (int i = 0; i < cells.length; i++) {
      String place = (char) ('A' + i) + "" + number;
      String cell = cells[i];
      if (cell.startsWith("<")) {
        row.append(cell);
      } else if (cell.startsWith("'")) {
        row.append(
            "<c r=\"%s\" t=\"inlineStr\"><is><t>%s</t></is></c>"
                .formatted(place, cell.substring(1)));
      } else if (!cell.isEmpty()) {
        row.append("<c r=\"%s\"><v>%s</v></c>".formatted(place, cell));
      }
    }
    return row + "</row>";
  }
}
