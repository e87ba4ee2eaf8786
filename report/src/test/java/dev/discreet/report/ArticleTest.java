package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.report.Article.Code;
import dev.discreet.report.Article.Figure;
import dev.discreet.report.Article.Items;
import dev.discreet.report.Article.Link;
import dev.discreet.report.Article.Links;
import dev.discreet.report.Article.Paragraph;
import dev.discreet.report.Article.Part;
import dev.discreet.report.Article.Section;
import dev.discreet.report.Article.Table;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArticleTest {
  private static final String NASTY = "<script>\"it's\"</script> & a|b *c* _d_ `e` [f](g) ~h~ $i$";

  private static String html(Part part) {
    return new Article("t", "l", List.of(new Section("h", part))).html();
  }

  private static String markdown(Part part) {
    String text = new Article("t", "l", List.of(new Section("h", part))).markdown();
    assertTrue(text.startsWith("# t\n\nl\n\n## h\n\n"), text);
    return text.substring("# t\n\nl\n\n## h\n\n".length());
  }

  @Test
  void nothingIsTakenForASign() {
    Article article =
        new Article(
            NASTY,
            NASTY,
            List.of(
                new Section(
                    NASTY,
                    new Paragraph(NASTY),
                    new Items(List.of(NASTY)),
                    new Table(NASTY, List.of(NASTY), List.of(List.of(NASTY))),
                    new Figure("a.svg", "<svg/>", NASTY),
                    new Links(List.of(new Link("page", NASTY, NASTY))))));
    String html = article.html();
    assertFalse(html.contains("<script"), html);
    assertFalse(html.contains("it's"), html);
    String escaped =
        "\\<script\\>\"it's\"\\</script\\> \\& a\\|b \\*c\\* \\_d\\_ \\`e\\` \\[f\\](g) \\~h\\~ \\$i\\$";
    String markdown = article.markdown();
    assertEquals(11, markdown.split(java.util.regex.Pattern.quote(escaped), -1).length - 1);
    assertFalse(markdown.replace(escaped, "").contains("script"), markdown);
  }

  /** What begins a line must not begin a list, a rule or a heading. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "- a; \\- a",
        "+ a; \\+ a",
        "---; \\---",
        "===; \\===",
        "1. a; 1\\. a",
        "12) a; 12\\) a",
        "# a; \\# a",
        "-0.5 a; -0.5 a",
        "1.5 a; 1.5 a"
      })
  void theBeginningOfALine(String text, String expected) {
    assertEquals(expected + "\n", markdown(new Paragraph(text)));
  }

  @Test
  void aTextIsOneLine() {
    assertEquals("a b c\n", markdown(new Paragraph(" a\n  b\r\nc ")));
    assertEquals("- a b\n", markdown(new Items(List.of("a\nb"))));
  }

  @Test
  void codeKeepsItsOwnFences() {
    assertEquals("```\na: 1\nb: <2>\n```\n", markdown(new Code("a: 1\nb: <2>\n")));
    assertEquals("````\n```\nx\n```\n````\n", markdown(new Code("```\nx\n```")));
    assertTrue(html(new Code("a < b\n")).contains("<pre><code>a &lt; b\n</code></pre>"));
  }

  @Test
  void numbersStandToTheRight() {
    Table table =
        new Table(
            "",
            List.of("name", "ours", "note"),
            List.of(List.of("a", "1.5 ± 0.1", "1 of two"), List.of("b", "—", "none")));
    assertEquals(
        "| name | ours | note |\n| --- | ---: | --- |\n| a | 1.5 ± 0.1 | 1 of two |\n| b | — | none |\n",
        markdown(table));
    assertTrue(html(table).contains("<td>a</td><td class=\"n\">1.5 ± 0.1</td><td>1 of two</td>"));
    Table words = new Table("", List.of("where"), List.of(List.of("002: a slide")));
    assertEquals("| where |\n| --- |\n| 002: a slide |\n", markdown(words));
  }

  @Test
  void aRowHasACellForEachColumn() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Table("", List.of("a", "b"), List.of(List.of("1"))));
  }

  @Test
  void aFigureIsInThePageAndBesideTheMarkdown() {
    String svg = "<svg xmlns='http://www.w3.org/2000/svg'>λ</svg>";
    Figure figure = new Figure("a-b.svg", svg, "a curve");
    String encoded = Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
    assertTrue(html(figure).contains("alt=\"a curve\" src=\"data:image/svg+xml;base64," + encoded));
    assertEquals("![a curve](a-b.svg)\n", markdown(figure));
  }

  @Test
  void aLinkLeadsToAPageOfItsKind() {
    Links links = new Links(List.of(new Link("mnist-decay", "MNIST", "– weight decay")));
    assertTrue(html(links).contains("<a href=\"mnist-decay.html\">MNIST</a> – weight decay"));
    assertEquals("- [MNIST](mnist-decay.md) – weight decay\n", markdown(links));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../a.svg", "a b.svg", "a/b", "a)b", ".hidden", "a\"b"})
  void aFileHasAPlainName(String name) {
    assertThrows(IllegalArgumentException.class, () -> new Figure(name, "<svg/>", "c"));
    assertThrows(IllegalArgumentException.class, () -> new Link(name, "t", "n"));
  }
}
