package dev.discreet.data.sheet;

import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Zip;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts of cells: those that a workbook keeps once for all its cells, and how they are written. */
final class CellTexts {
  private static final Pattern ESCAPED = Pattern.compile("_x([0-9A-Fa-f]{4})_");
  // A text costs more than its characters.
  private static final int OVERHEAD = 64;

  private CellTexts() {}

  /** The shared texts of a workbook, by their numbers. */
  static List<String> shared(Path path, Zip zip, String part, long mostBytes) throws IOException {
    List<String> texts = new ArrayList<>();
    long bytes = 0;
    try (XmlPart xml = new XmlPart(path, zip, part)) {
      while (xml.next()) {
        if (!xml.begins("si")) {
          continue;
        }
        StringBuilder text = new StringBuilder();
        while (xml.next() && !xml.ends("si")) {
          bytes += collect(xml, text);
          check(path, part, bytes, mostBytes);
        }
        texts.add(unescaped(text.toString()));
        bytes += OVERHEAD;
        check(path, part, bytes, mostBytes);
      }
    }
    return texts;
  }

  private static void check(Path path, String part, long bytes, long most) throws IOException {
    if (bytes > most) {
      throw FileErrors.file(
          path,
          part
              + ": must have less text than a quarter of the memory holds ("
              + most
              + " bytes). Export it as .csv.");
    }
  }

  /**
   * Adds what stands here of a text with or without runs of formats, but for its pronunciation.
   *
   * @return how many bytes were added
   */
  static int collect(XmlPart xml, StringBuilder to) throws IOException {
    if (xml.begins("rPh")) {
      while (xml.next() && !xml.ends("rPh")) {
        continue;
      }
      return 0;
    }
    int before = to.length();
    if (xml.begins("t")) {
      while (xml.next() && !xml.ends("t")) {
        if (xml.isText()) {
          to.append(xml.text());
        }
      }
    }
    return 2 * (to.length() - before);
  }

  /** Characters that XML does not have are written by their numbers, {@code _x000D_}. */
  static String unescaped(String text) {
    if (text.indexOf("_x") < 0) {
      return text;
    }
    Matcher escaped = ESCAPED.matcher(text);
    return escaped.replaceAll(
        found ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))));
  }
}
