package dev.discreet.report;

import dev.discreet.accounting.Check;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A page of text, tables and pictures that can be read as HTML and as Markdown. All texts are
 * plain; what HTML or Markdown would take for a sign is written so that it is none.
 *
 * @param lead one paragraph under the title
 */
public record Article(String title, String lead, List<Section> sections) {
  public Article {
    sections = List.copyOf(sections);
  }

  /** What stands under one heading. */
  public record Section(String heading, List<Part> parts) {
    public Section {
      parts = List.copyOf(parts);
    }

    public Section(String heading, Part... parts) {
      this(heading, List.of(parts));
    }
  }

  /** A part of a section. */
  public sealed interface Part {}

  public record Paragraph(String text) implements Part {}

  public record Items(List<String> items) implements Part {
    public Items {
      items = List.copyOf(items);
    }
  }

  /**
   * @param cells by row; one that begins with a digit, a sign or a dash stands to the right
   */
  public record Table(String caption, List<String> columns, List<List<String>> cells)
      implements Part {
    public Table {
      columns = List.copyOf(columns);
      cells = cells.stream().map(List::copyOf).toList();
      for (List<String> row : cells) {
        Check.that(
            row.size() == columns.size(), "cells of a row", "one for each of " + columns, row);
      }
    }
  }

  /**
   * @param file the picture's name, beside a Markdown page; HTML carries it
   * @param caption in words, also for those who do not see it
   */
  public record Figure(String file, String svg, String caption) implements Part {
    public Figure {
      checkName(file);
    }
  }

  public record Code(String text) implements Part {}

  /** A list of other pages. */
  public record Links(List<Link> links) implements Part {
    public Links {
      links = List.copyOf(links);
    }
  }

  /**
   * @param page without its ending: a page leads to one of its own kind
   */
  public record Link(String page, String text, String note) {
    public Link {
      checkName(page);
    }
  }

  /** It goes into addresses and onto disks as it is. */
  private static void checkName(String file) {
    Check.that(
        file.matches("[A-Za-z0-9][A-Za-z0-9._-]*"),
        "name of a file",
        "of letters, digits, dots and dashes",
        file);
  }

  public String html() {
    StringBuilder out = new StringBuilder(Html.begin(title));
    out.append("<main><header><h1>" + Html.escape(title) + "</h1>\n");
    out.append("<p class=\"lead\">" + Html.escape(lead) + "</p></header>\n");
    for (Section section : sections) {
      out.append("<section><h2>" + Html.escape(section.heading()) + "</h2>\n");
      section.parts().forEach(part -> out.append(html(part)));
      out.append("</section>\n");
    }
    return out.append("</main>\n</body></html>\n").toString();
  }

  private static String html(Part part) {
    if (part instanceof Paragraph paragraph) {
      return "<p>" + Html.escape(paragraph.text()) + "</p>\n";
    } else if (part instanceof Items items) {
      return items.items().stream()
          .map(item -> "<li>" + Html.escape(item) + "</li>\n")
          .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
    } else if (part instanceof Table table) {
      return html(table);
    } else if (part instanceof Figure figure) {
      return "<figure><img class=\"plot\" alt=\""
          + Html.escape(figure.caption())
          + "\" src=\"data:image/svg+xml;base64,"
          + Base64.getEncoder().encodeToString(figure.svg().getBytes(StandardCharsets.UTF_8))
          + "\"><figcaption>"
          + Html.escape(figure.caption())
          + "</figcaption></figure>\n";
    } else if (part instanceof Code code) {
      return "<pre><code>" + Html.escape(code.text()) + "</code></pre>\n";
    }
    return ((Links) part)
        .links().stream()
            .map(
                link ->
                    "<li><a href=\""
                        + Html.escape(link.page())
                        + ".html\">"
                        + Html.escape(link.text())
                        + "</a> "
                        + Html.escape(link.note())
                        + "</li>\n")
            .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
  }

  private static String html(Table table) {
    StringBuilder out = new StringBuilder("<div class=\"scroll\" tabindex=\"0\"><table>");
    if (!table.caption().isEmpty()) {
      out.append("<caption>" + Html.escape(table.caption()) + "</caption>");
    }
    out.append("<thead><tr>");
    for (int i = 0; i < table.columns().size(); i++) {
      out.append("<th scope=\"col\"" + (right(table, i) ? " class=\"n\">" : ">"));
      out.append(Html.escape(table.columns().get(i)) + "</th>");
    }
    out.append("</tr></thead><tbody>\n");
    for (List<String> row : table.cells()) {
      out.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        out.append(right(table, i) ? Html.number(row.get(i)) : Html.cell(row.get(i)));
      }
      out.append("</tr>\n");
    }
    return out.append("</tbody></table></div>\n").toString();
  }

  /** Whether a column is of numbers. */
  private static boolean right(Table table, int column) {
    return table.cells().stream()
        .map(row -> row.get(column))
        .allMatch(cell -> cell.isEmpty() || cell.matches("[-–−+≤≥<>≈]?\\s?[0-9∞—–][^:]*|—|∞"));
  }

  public String markdown() {
    StringBuilder out = new StringBuilder("# " + mark(title) + "\n\n" + mark(lead) + "\n");
    for (Section section : sections) {
      out.append("\n## " + mark(section.heading()) + "\n");
      section.parts().forEach(part -> out.append("\n" + markdown(part)));
    }
    return out.toString();
  }

  private static String markdown(Part part) {
    if (part instanceof Paragraph paragraph) {
      return mark(paragraph.text()) + "\n";
    } else if (part instanceof Items items) {
      return items.items().stream()
          .map(item -> "- " + mark(item) + "\n")
          .collect(Collectors.joining());
    } else if (part instanceof Table table) {
      return markdown(table);
    } else if (part instanceof Figure figure) {
      return "![" + mark(figure.caption()) + "](" + figure.file() + ")\n";
    } else if (part instanceof Code code) {
      String fence = "```";
      while (code.text().contains(fence)) {
        fence += "`";
      }
      return fence + "\n" + code.text().stripTrailing() + "\n" + fence + "\n";
    }
    return ((Links) part)
        .links().stream()
            .map(
                link ->
                    "- ["
                        + mark(link.text())
                        + "]("
                        + link.page()
                        + ".md) "
                        + mark(link.note())
                        + "\n")
            .collect(Collectors.joining());
  }

  private static String markdown(Table table) {
    StringBuilder out = new StringBuilder();
    if (!table.caption().isEmpty()) {
      out.append("**" + mark(table.caption()) + "**\n\n");
    }
    out.append(row(table.columns())).append('|');
    for (int i = 0; i < table.columns().size(); i++) {
      out.append(right(table, i) ? " ---: |" : " --- |");
    }
    out.append('\n');
    table.cells().forEach(cells -> out.append(row(cells)));
    return out.toString();
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> " " + mark(cell) + " ")
        .collect(Collectors.joining("|", "|", "|\n"));
  }

  private static String mark(String text) {
    return text.strip()
        .replaceAll("\\s*\\R\\s*", " ")
        .replaceAll("([\\\\`*_\\[\\]<>|#~&$])", "\\\\$1")
        // At the beginning of a line these would begin a list or a rule.
        .replaceAll("^([-+=])(?=[-+=\\s]|$)", "\\\\$1")
        .replaceAll("^([0-9]+)([.)])(?=\\s|$)", "$1\\\\$2");
  }
}
