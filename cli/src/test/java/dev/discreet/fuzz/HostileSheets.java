package dev.discreet.fuzz;

import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Workbooks one part of which is not what it should be. */
final class HostileSheets {
  private static final String MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  private static final String LINKS =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  private static final String SHEET = "xl/worksheets/sheet1.xml";

  private static final List<String> WORDS =
      List.of(
          "<!DOCTYPE x [<!ENTITY e SYSTEM \"../../outside.png\">]>",
          "<!DOCTYPE a [<!ENTITY b \"b\"><!ENTITY c \"&b;&b;\">]>",
          "&e;",
          "&#0;",
          "&#x10FFFF;",
          "<![CDATA[",
          "]]>",
          "<!--",
          "<f>A1</f>",
          "_x0000_",
          "_xD800_",
          "<c r=\"XFD9\"><v>1</v></c>",
          "<c r=\"ZZZZZZ99\"><v>1</v></c>",
          "<c t=\"s\"><v>99999999999</v></c>",
          "<c s=\"1\"><v>1e308</v></c>",
          "<c s=\"1\"><v>-1</v></c>",
          "<row r=\"-1\">",
          "</row>",
          "<v>");

  private static final DataOptions OPTIONS =
      DataOptions.builder()
          .label("ill=no|yes")
          .columns(List.of("age=0..120", "sex=male|female", "seen=2015-01-01..2024-12-31"))
          .unit("id")
          .testShare(0)
          .build();

  private HostileSheets() {}

  private static Map<String, byte[]> parts(SplittableRandom random) {
    StringBuilder rows = new StringBuilder();
    rows.append("<row r=\"1\">");
    for (String name : List.of("id", "age", "sex", "seen", "ill")) {
      rows.append("<c t=\"inlineStr\"><is><t>").append(name).append("</t></is></c>");
    }
    rows.append("</row>");
    for (int i = 2; i < 7; i++) {
      rows.append(
          ("<row r=\"%1$d\"><c r=\"A%1$d\" t=\"s\"><v>0</v></c><c r=\"B%1$d\"><v>%2$d</v></c>"
                  + "<c r=\"C%1$d\" t=\"s\"><v>%3$d</v></c><c r=\"D%1$d\" s=\"1\"><v>4%2$d19</v></c>"
                  + "<c r=\"E%1$d\" t=\"str\"><v>%4$s</v></c></row>")
              .formatted(i, 20 + i, 1 + i % 2, i % 2 == 0 ? "no" : "yes"));
    }
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("_rels/.rels", links("officeDocument", "xl/workbook.xml"));
    parts.put(
        "xl/workbook.xml",
        ("<workbook xmlns=\"%s\" xmlns:r=\"%s\"><workbookPr date1904=\"0\"/><sheets>"
                + "<sheet name=\"s\" sheetId=\"1\" r:id=\"r0\"/></sheets></workbook>")
            .formatted(MAIN, LINKS));
    parts.put(
        "xl/_rels/workbook.xml.rels",
        links(
            "worksheet",
            "worksheets/sheet1.xml",
            "sharedStrings",
            "sharedStrings.xml",
            "styles",
            "styles.xml"));
    parts.put(
        SHEET, "<worksheet xmlns=\"" + MAIN + "\"><sheetData>" + rows + "</sheetData></worksheet>");
    parts.put(
        "xl/sharedStrings.xml",
        "<sst><si><t>"
            + TableParsers.MARK
            + "</t></si><si><t>male</t></si><si><r><t>fe</t></r><r><t>male</t></r></si></sst>");
    parts.put(
        "xl/styles.xml",
        "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\"/></numFmts>"
            + "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>");
    Map<String, byte[]> all = new LinkedHashMap<>();
    String wrong = Mutations.pick(random, List.copyOf(parts.keySet()));
    String hit = Mutations.chance(random, 2) ? SHEET : wrong;
    parts.forEach(
        (name, text) -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          all.put(name, name.equals(hit) ? changed(random, text) : bytes);
        });
    if (Mutations.chance(random, 12)) {
      all.remove(wrong);
    }
    return all;
  }

  private static String links(String... typesAndTargets) {
    StringBuilder text = new StringBuilder("<Relationships>");
    for (int i = 0; i < typesAndTargets.length; i += 2) {
      text.append(
          "<Relationship Id=\"r%d\" Type=\"%s/%s\" Target=\"%s\"/>"
              .formatted(i / 2, LINKS, typesAndTargets[i], typesAndTargets[i + 1]));
    }
    return text + "</Relationships>";
  }

  private static byte[] changed(SplittableRandom random, String text) {
    switch (random.nextInt(4)) {
      case 0:
        int at = random.nextInt(text.length());
        return (text.substring(0, at) + Mutations.pick(random, WORDS) + text.substring(at))
            .getBytes(StandardCharsets.UTF_8);
      case 1:
        int end = text.indexOf('>', random.nextInt(text.length() - 1)) + 1;
        return (text.substring(0, end) + Mutations.pick(random, WORDS) + text.substring(end))
            .getBytes(StandardCharsets.UTF_8);
      case 2:
        return Mutations.bytes(random, text.getBytes(StandardCharsets.UTF_8));
      default:
        return Mutations.text(random, text).getBytes(StandardCharsets.UTF_8);
    }
  }

  static HostileFiles next(SplittableRandom random) {
    byte[] zip = HostileArchives.zip(random, parts(random));
    return HostileFiles.of(
        "t.xlsx", Mutations.chance(random, 4) ? Mutations.bytes(random, zip) : zip);
  }

  static void read(Path folder, HostileFiles files) throws IOException {
    String file = folder.resolve("t.xlsx").toString();
    TableParsers.touch(DataSets.open(file, OPTIONS));
    DataSets.openInputs(file, OPTIONS);
  }
}
