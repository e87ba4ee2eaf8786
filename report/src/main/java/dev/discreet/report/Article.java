package dev.discreet.report;

import dev.discreet.accounting.Check;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A page of text, tables and pictures that can be written as HTML and as Markdown. All texts are
 * plain: what would be a sign in HTML or Markdown is escaped.
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

  /** A part of a section. It knows how it is written in each language. */
  public sealed interface Part {
    /** Whole elements. */
    String html();

    /** Whole lines. */
    String markdown();
  }

  public record Paragraph(String text) implements Part {
    @Override
    public String html() {
      return "<p>" + Html.escape(text) + "</p>\n";
    }

    @Override
    public String markdown() {
      return mark(text) + "\n";
    }
  }

  public record Items(List<String> items) implements Part {
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public String html() {
      return items.stream()
          .map(item -> "<li>" + Html.escape(item) + "</li>\n")
          .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
    }

    @Override
    public String markdown() {
      return items.stream().map(item -> "- " + mark(item) + "\n").collect(Collectors.joining());
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

    @Override
    public String html() {
      StringBuilder out = new StringBuilder("<div class=\"scroll\" tabindex=\"0\"><table>");
      if (!caption.isEmpty()) {
        out.append("<caption>" + Html.escape(caption) + "</caption>");
      }
      out.append("<thead><tr>");
      for (int i = 0; i < columns.size(); i++) {
        out.append("<th scope=\"col\"" + (right(i) ? " class=\"n\">" : ">"));
        out.append(Html.escape(columns.get(i)) + "</th>");
      }
      out.append("</tr></thead><tbody>\n");
      for (List<String> row : cells) {
        out.append("<tr>");
        for (int i = 0; i < row.size(); i++) {
          out.append(right(i) ? Html.number(row.get(i)) : Html.cell(row.get(i)));
        }
        out.append("</tr>\n");
      }
      return out.append("</tbody></table></div>\n").toString();
    }

    @Override
    public String markdown() {
      StringBuilder out = new StringBuilder();
      if (!caption.isEmpty()) {
        out.append("**" + mark(caption) + "**\n\n");
      }
      out.append(row(columns)).append('|');
      for (int i = 0; i < columns.size(); i++) {
        out.append(right(i) ? " ---: |" : " --- |");
      }
      out.append('\n');
      cells.forEach(row -> out.append(row(row)));
      return out.toString();
    }

    private static String row(List<String> cells) {
      return cells.stream()
          .map(cell -> " " + mark(cell) + " ")
          .collect(Collectors.joining("|", "|", "|\n"));
    }

    /** Whether a column is of numbers. */
    private boolean right(int column) {
      return cells.stream()
          .map(row -> row.get(column))
          .allMatch(cell -> cell.isEmpty() || cell.matches("[-–−+≤≥<>≈]?\\s?[0-9∞—–][^:]*|—|∞"));
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

    @Override
    public String html() {
      return "<figure><img class=\"plot\" alt=\""
          + Html.escape(caption)
          + "\" src=\"data:image/svg+xml;base64,"
          + Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8))
          + "\"><figcaption>"
          + Html.escape(caption)
          + "</figcaption></figure>\n";
    }

    @Override
    public String markdown() {
      return "![" + mark(caption) + "](" + file + ")\n";
    }
  }

  public record Code(String text) implements Part {
    @Override
    public String html() {
      return "<pre><code>" + Html.escape(text) + "</code></pre>\n";
    }

    @Override
    public String markdown() {
      String fence = "```";
      while (text.contains(fence)) {
        fence += "`";
      }
      return fence + "\n" + text.stripTrailing() + "\n" + fence + "\n";
    }
  }

  /** A list of other pages. */
  public record Links(List<Link> links) implements Part {
    public Links {
      links = List.copyOf(links);
    }

    @Override
    public String html() {
      return links.stream()
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

    @Override
    public String markdown() {
      return links.stream()
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
  }

  /**
   * @param page without its ending: a page leads to one of its own kind
   */
  public record Link(String page, String text, String note) {
    public Link {
      checkName(page);
    }
  }

  /** A name goes into addresses and onto disks as it is. */
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
      section.parts().forEach(part -> out.append(part.html()));
      out.append("</section>\n");
    }
    return out.append("</main>\n</body></html>\n").toString();
  }

  public String markdown() {
    StringBuilder out = new StringBuilder("# " + mark(title) + "\n\n" + mark(lead) + "\n");
    for (Section section : sections) {
      out.append("\n## " + mark(section.heading()) + "\n");
      section.parts().forEach(part -> out.append("\n" + part.markdown()));
    }
    return out.toString();
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
