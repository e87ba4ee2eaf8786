package dev.discreet.report;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.report.TrainingReport.Row;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Text, numbers and pictures as a page has them. */
final class Html {
  private Html() {}

  /** A page up to its body. It asks for nothing, and no browser may fetch anything for it. */
  static String begin(String title) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
        + " img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
        + "\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n"
        + "<link rel=\"icon\" href=\"data:,\">" // or the browser asks for one
        + "<title>"
        + escape(title)
        + "</title>\n<style>\n"
        + style()
        + "</style></head>\n<body>\n";
  }

  private static String style() {
    try (InputStream css = Html.class.getResourceAsStream("report.css")) {
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For element content and quoted attributes alike. */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(shown(c) ? c : 0xFFFD);
              }
            });
    return safe.toString();
  }

  /**
   * Half a surrogate pair cannot be written as UTF-8, and a control character is seen by no one.
   */
  private static boolean shown(int c) {
    return c == '\n' || c == '\t' || !(Character.isISOControl(c) || c >= 0xD800 && c <= 0xDFFF);
  }

  static String cell(String text) {
    return "<td>" + escape(text) + "</td>";
  }

  static String number(String text) {
    return "<td class=\"n\">" + escape(text) + "</td>";
  }

  /** The head cell of a row. */
  static String rowHead(String text) {
    return "<th scope=\"row\">" + escape(text) + "</th>";
  }

  static String head(List<String> columns) {
    StringBuilder row = new StringBuilder("<thead><tr>");
    columns.forEach(name -> row.append("<th scope=\"col\">" + escape(name) + "</th>"));
    return row.append("</tr></thead>").toString();
  }

  static String section(String id, String title, String body) {
    return "<section id=\"" + id + "\"><h2>" + title + "</h2>\n" + body + "</section>\n";
  }

  /** What a reader must know before anything else. */
  static String banner(String title, String text) {
    return "<aside class=\"banner\" role=\"note\"><strong>"
        + escape(title)
        + "</strong> "
        + escape(text)
        + "</aside>\n";
  }

  /** A table of names and values. */
  static String facts(Stream<Row> rows) {
    return rows.map(row -> "<tr>" + rowHead(row.name()) + cell(row.value()) + "</tr>")
        .collect(Collectors.joining("", "<table class=\"facts\"><tbody>", "</tbody></table>\n"));
  }

  /** What of a unit is protected. */
  static String protects(Neighbouring relation) {
    return switch (relation) {
      case ADD_REMOVE -> "its presence and all its values (add/remove)";
      case REPLACE_ONE -> "its values (replace-one); how many there are is public";
      case ZERO_OUT -> "its contribution (zero-out); how many there are is public";
    };
  }

  /** One figure of the headline. Name, value and note are HTML. */
  static String tile(String name, String value, String note) {
    return "<div class=\"tile\"><h2>"
        + name
        + "</h2><p class=\"value\">"
        + value
        + "</p><p>"
        + note
        + "</p></div>\n";
  }

  /** 93.4%, to the nearest. */
  static String percent(double share) {
    return percent(share, 1);
  }

  /** 93%, to the nearest. */
  static String whole(double share) {
    return percent(share, 0);
  }

  static String percent(double share, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f%%", 100 * share);
  }

  /** 12,345. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** The picture as a part of the page. */
  static String png(BufferedImage image) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      // Straight into memory: by default ImageIO goes by way of a file.
      try (var out = new MemoryCacheImageOutputStream(bytes)) {
        ImageIO.write(image, "png", out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "data:image/png;base64," + Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
