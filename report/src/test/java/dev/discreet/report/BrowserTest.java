package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.discreet.report.Article.Code;
import dev.discreet.report.Article.Figure;
import dev.discreet.report.Article.Items;
import dev.discreet.report.Article.Link;
import dev.discreet.report.Article.Links;
import dev.discreet.report.Article.Paragraph;
import dev.discreet.report.Article.Section;
import dev.discreet.report.Article.Table;
import dev.discreet.report.LinePlot.Line;
import dev.discreet.report.LinePlot.Point;
import dev.discreet.report.TrainingReport.Score;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pages in a real browser: they render, say nothing on the console, ask for nothing, and are
 * legible on a desk and on a phone, in light and dark. With {@code -Dreport.pages=FOLDER} the pages
 * and pictures of them are kept for someone to look at.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowserTest {
  private static final String KEEP = System.getProperty("report.pages");

  private Path folder;
  private Browser browser;
  private String inspect;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    this.folder = folder;
    Path program = Browser.installed().orElse(null);
    if (program == null) {
      return;
    }
    browser = new Browser(program, Files.createDirectory(folder.resolve("profile")));
    try (var script = BrowserTest.class.getResourceAsStream("inspect.js")) {
      inspect = new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
    if (KEEP != null) {
      Files.createDirectories(Path.of(KEEP));
    }
  }

  @AfterAll
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void needsABrowser() {
    assumeTrue(browser != null, "no Chromium on the path and none named by the variable CHROMIUM");
  }

  private static Map<String, Supplier<TrainingReport>> reports() {
    Map<String, Supplier<TrainingReport>> reports = new LinkedHashMap<>();
    reports.put("three", Samples::threeClasses);
    reports.put("clothes", Samples::clothes);
    reports.put("regression", Samples::regression);
    reports.put("insecure", Samples::insecure);
    reports.put("non-private", Samples::nonPrivate);
    reports.put("noised", () -> Samples.unseen(Samples.noised(true, 0.913, 0.012)));
    reports.put("console-only", () -> Samples.unseen(new Score.ConsoleOnly()));
    reports.put("twenty", () -> Samples.with(20, 200));
    reports.put("hundred", () -> Samples.with(100, 1));
    return reports;
  }

  static Set<String> names() {
    return reports().keySet();
  }

  private Path write(String name, String html) throws Exception {
    Path file = (KEEP == null ? folder : Path.of(KEEP)).resolve(name + ".html");
    return Files.writeString(file, html).toAbsolutePath();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPageRendersAndAsksForNothing(String name) throws Exception {
    Path page = write(name, reports().get(name).get().html());
    look(name, page);
    if (KEEP != null) {
      browser.print(page.resolveSibling(name + ".pdf"));
    }
    assertTrue(
        ((List<?>) browser.evaluate("[...document.querySelectorAll('section')].map(s => s.id)"))
            .containsAll(List.of("statement", "provenance", "reproduce")));
  }

  static Set<String> accounts() {
    return AccountSamples.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("accounts")
  void aPageOfAnAccountRendersAndAsksForNothing(String name) throws Exception {
    Path page = write("account-" + name, AccountSamples.all().get(name).get().html());
    look("account-" + name, page);
    if (KEEP != null) {
      browser.print(page.resolveSibling("account-" + name + ".pdf"));
    }
    boolean broken = name.equals("broken");
    assertEquals(
        broken
            ? List.of("", "spending", "entries", "events", "account", "verify")
            : List.of("", "spending", "entries", "attack", "events", "account", "verify"),
        browser.evaluate("[...document.querySelectorAll('section')].map(s => s.id)"));
    assertEquals(4, browser.evaluate("document.querySelectorAll('.tile').length"));
    assertEquals(
        broken ? 1 : 2, browser.evaluate("document.querySelectorAll('.chart > svg').length"));
    assertEquals(0, browser.evaluate("document.scripts.length"));
  }

  static Set<String> audits() {
    return AuditSamples.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("audits")
  void aPageOfAnAuditRendersAndAsksForNothing(String name) throws Exception {
    Path page = write("audit-" + name, AuditSamples.all().get(name).get().html());
    look("audit-" + name, page);
    assertEquals("CSS1Compat", browser.evaluate("document.compatMode"));
    assertEquals(
        List.of("", "attack", "rates", "game", "facts", "reproduce"),
        browser.evaluate("[...document.querySelectorAll('section')].map(s => s.id)"));
    assertEquals(4, browser.evaluate("document.querySelectorAll('.tile').length"));
    assertEquals(1, browser.evaluate("document.querySelectorAll('.chart > svg').length"));
  }

  /** On a desk and on a phone, in light and dark. */
  private void look(String name, Path page) throws Exception {
    for (int width : new int[] {1200, 420}) {
      for (boolean dark : new boolean[] {false, true}) {
        browser.open(page, width, dark);
        String look = name + "-" + width + (dark ? "-dark" : "-light");
        if (KEEP != null) {
          browser.screenshot(page.resolveSibling(look + ".png"));
        }
        assertEquals(List.of(), browser.evaluate(inspect), look);
        assertEquals(dark, dark(), look);
        assertEquals(List.of(page.toUri().toString()), browser.requests(), look);
        assertEquals(List.of(), browser.complaints(), look);
      }
    }
  }

  @Test
  void anArticleRendersAndAsksForNothing() throws Exception {
    LinePlot plot =
        new LinePlot(
            "accuracy over ε",
            "ε",
            "accuracy, %",
            List.of(new Line("ours", false, List.of(new Point(0.1, 60), new Point(10, 70)))));
    String wide = "a_setting_whose_name_is_one_long_word_that_no_phone_is_wide_enough_for";
    Article article =
        new Article(
            "pums: who is employed",
            "Document 003. The slides set the task.",
            List.of(
                new Section("Verdict", new Items(List.of("ε = 1, costs accuracy: confirmed"))),
                new Section(
                    "Published and ours",
                    new Table(
                        "test accuracy, %",
                        List.of("setting", "method", "published", "ours", "seeds"),
                        List.of(
                            List.of(wide, "logistic regression", "97.01", "96.50 ± 0.10", "3"),
                            List.of("ε = 0.1", "32 hidden units", "—", "—", "0")))),
                new Section("Figures", new Figure("a.svg", plot.svg(), "Accuracy over ε.")),
                new Section("Others", new Links(List.of(new Link("index", "all", "– the list")))),
                new Section(
                    "Run it again",
                    new Code("discreet reproduce pums --quick --seeds 3 --out " + wide),
                    new Paragraph("Data here is public."))));
    look("article", write("article", article.html()));
    assertEquals(5, browser.evaluate("document.querySelectorAll('section').length"));
    assertEquals(2, browser.evaluate("document.querySelectorAll('tbody tr').length"));
    assertEquals(true, browser.evaluate("document.images[0].naturalWidth > 300"));
    assertEquals(0, browser.evaluate("document.scripts.length"));
  }

  private boolean dark() throws Exception {
    String colour = (String) browser.evaluate("getComputedStyle(document.body).backgroundColor");
    return colour.startsWith("rgb(1");
  }

  @Test
  void everyPartIsThere() throws Exception {
    browser.open(write("clothes", Samples.clothes().html()), 1200, false);
    assertEquals(
        List.of(
            "",
            "quality",
            "cost",
            "attack",
            "examples",
            "plan",
            "statement",
            "provenance",
            "reproduce"),
        browser.evaluate("[...document.querySelectorAll('section')].map(s => s.id)"));
    assertEquals(6, browser.evaluate("document.querySelectorAll('.chart > svg').length"));
    assertEquals(4, browser.evaluate("document.querySelectorAll('.tile').length"));
    assertEquals(
        100,
        browser.evaluate(
            "document.querySelectorAll('.confusion td:is(.right,.wrong,.zero)').length"));
    assertEquals(20, browser.evaluate("document.querySelectorAll('.gallery img').length"));
    assertEquals(0, browser.evaluate("document.scripts.length"));
  }

  /** What the tests above hold a page to, each broken once. */
  @Test
  void aBadPageIsNoticed() throws Exception {
    Path page =
        write(
            "bad",
            "<!DOCTYPE html><title>bad</title><body style='background:#fff'>"
                + "<p style='color:#ccc'>faint</p><div style='width:3000px'>wide</div>"
                + "<figure class='chart'><svg width='90' height='90'><text y='20'>one</text>"
                + "<text x='4' y='20'>two</text></svg></figure>"
                + "<img src='http://127.0.0.1:9/x.png'><script>console.error('no')</script>");
    browser.open(page, 420, false);
    String faults = String.valueOf(browser.evaluate(inspect));
    for (String fault : List.of("wide in 420", "broken", "alt text", "touches", "\"faint\"")) {
      assertTrue(faults.contains(fault), fault + " in " + faults);
    }
    assertTrue(browser.requests().contains("http://127.0.0.1:9/x.png"), "the request is seen");
    assertTrue(browser.complaints().toString().contains("no"), "the console is heard");
    // The same request from within a report is stopped by the report's own policy.
    String html = Samples.unseen(new Score.ConsoleOnly()).html();
    String worse = html.replace("</body>", "<img src='http://127.0.0.1:9/x.png'></body>");
    browser.open(write("worse", worse), 420, false);
    assertFalse(browser.complaints().isEmpty(), "the policy is broken");
    assertTrue(browser.complaints().toString().contains("Content Security Policy"));
  }
}
