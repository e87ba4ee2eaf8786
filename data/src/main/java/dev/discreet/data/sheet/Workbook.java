package dev.discreet.data.sheet;

import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Zip;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where the parts of a workbook lie: its sheets by their names, the shared texts, the styles. */
record Workbook(
    Map<String, String> sheets, Optional<String> texts, Optional<String> styles, boolean from1904) {
  private static final int SHOWN = 50;

  /** What one part says of another. */
  private record Link(String type, String part) {}

  static Workbook read(Path path, Zip zip) throws IOException {
    String main =
        links(path, zip, "").values().stream()
            .filter(each -> each.type.endsWith("/officeDocument"))
            .map(Link::part)
            .findFirst()
            .orElseThrow(() -> FileErrors.file(path, "must be an .xlsx workbook."));
    Map<String, Link> links = links(path, zip, main);
    Map<String, String> sheets = new LinkedHashMap<>();
    boolean from1904 = false;
    try (XmlPart xml = part(path, zip, main)) {
      while (xml.next()) {
        if (xml.begins("workbookPr")) {
          from1904 = xml.attribute("date1904").matches("1|true");
        } else if (xml.begins("sheet")) {
          Link link = links.get(xml.attribute("id"));
          if (link != null && link.type.endsWith("/worksheet")) {
            sheets.putIfAbsent(xml.attribute("name"), link.part);
          }
        }
      }
    }
    return new Workbook(
        sheets, linked(zip, links, "/sharedStrings"), linked(zip, links, "/styles"), from1904);
  }

  private static Optional<String> linked(Zip zip, Map<String, Link> links, String type) {
    return links.values().stream()
        .filter(each -> each.type.endsWith(type) && zip.has(each.part))
        .map(Link::part)
        .findFirst();
  }

  private static XmlPart part(Path path, Zip zip, String part) throws IOException {
    if (!zip.has(part)) {
      throw FileErrors.file(path, "must have the part " + FileErrors.shown(part) + ".");
    }
    return new XmlPart(path, zip, part);
  }

  private static Map<String, Link> links(Path path, Zip zip, String of) throws IOException {
    int slash = of.lastIndexOf('/') + 1;
    String folder = of.substring(0, slash);
    Map<String, Link> links = new LinkedHashMap<>();
    try (XmlPart xml = part(path, zip, folder + "_rels/" + of.substring(slash) + ".rels")) {
      while (xml.next()) {
        if (xml.begins("Relationship") && !xml.attribute("TargetMode").equals("External")) {
          links.put(
              xml.attribute("Id"),
              new Link(xml.attribute("Type"), resolved(folder, xml.attribute("Target"))));
        }
      }
    }
    return links;
  }

  private static String resolved(String folder, String target) {
    Deque<String> names = new ArrayDeque<>();
    for (String name : (target.startsWith("/") ? target : folder + target).split("/")) {
      if (name.equals("..")) {
        names.pollLast();
      } else if (!name.isEmpty() && !name.equals(".")) {
        names.addLast(name);
      }
    }
    return String.join("/", names);
  }

  /**
   * The part of a sheet.
   *
   * @param named empty for the only one
   */
  String sheet(Path path, Optional<String> named) throws IOException {
    if (sheets.isEmpty()) {
      throw FileErrors.file(path, "must have a sheet of cells.");
    }
    String names =
        sheets.keySet().stream()
                .limit(SHOWN)
                .map(FileErrors::shown)
                .collect(Collectors.joining(", "))
            + (sheets.size() > SHOWN ? ", … (" + sheets.size() + ")" : "");
    if (named.isPresent() && !sheets.containsKey(named.get())) {
      throw FileErrors.usage(path, "must have the sheet " + named.get() + ". Its sheets: " + names);
    }
    if (named.isEmpty() && sheets.size() > 1) {
      throw FileErrors.usage(
          path, "must have one sheet, or its sheet must be named (--sheet). Its sheets: " + names);
    }
    return sheets.get(named.orElseGet(() -> sheets.keySet().iterator().next()));
  }
}
