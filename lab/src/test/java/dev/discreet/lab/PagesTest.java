package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.data.DataOptions;
import dev.discreet.lab.catalog.Experiments;
import dev.discreet.report.Article.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PagesTest {
  @TempDir private Path folder;

  private Laboratory laboratory() {
    return new Laboratory(folder, 1, DataOptions.none(), new Toy.Watcher());
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void aPageHasAllItsFiles() throws IOException {
    Experiment toy =
        Toy.of(
            "toy",
            new ToyTrial("R | 3", w -> Outcome.of("value", 2.5)),
            new ToyTrial("σ = 0", w -> Outcome.of("value", Double.POSITIVE_INFINITY)));
    laboratory().run(List.of(toy), Toy.EFFORT);
    assertEquals(
        Set.of("toy.html", "toy.md", "toy.json", "toy.yaml", "toy-a.svg", "trials"), files());
    String html = Files.readString(folder.resolve("toy.html"));
    assertTrue(html.contains("toy: a toy &lt;b&gt;of&lt;/b&gt; tests"), html);
    assertTrue(html.contains("discreet reproduce toy"));
    assertTrue(html.contains("data: digits"));
    assertFalse(html.contains("QUICK"));
    String markdown = Files.readString(folder.resolve("toy.md"));
    assertTrue(markdown.contains("| R \\| 3 | toy | 1.50 | 2.50 | 1 |"), markdown);
    assertTrue(markdown.contains("| σ = 0 | toy | 1.50 | ∞ | 1 |"), markdown);
    assertTrue(markdown.contains("](toy-a.svg)"), markdown);
    List<?> rows = JSON.std.listFrom(Files.readString(folder.resolve("toy.json")));
    assertEquals(2.5, ((Map<?, ?>) rows.get(0)).get("ours"));
    assertEquals("Infinity", ((Map<?, ?>) rows.get(1)).get("ours"));
    assertEquals(
        Set.of("experiment", "setting", "method", "published", "ours", "sd", "seeds"),
        ((Map<?, ?>) rows.get(0)).keySet());
  }

  @Test
  void aQuickRunSaysSo() throws IOException {
    Experiment toy = Toy.of("toy", new ToyTrial("t", w -> Outcome.of("value", 2)));
    Experiment other = Toy.of("other", new ToyTrial("t", w -> Outcome.of("value", 2)));
    laboratory().run(List.of(toy, other), new Effort(true, OptionalInt.of(2)));
    String page = Files.readString(folder.resolve("toy.md"));
    assertTrue(page.contains("of shortened runs and decide nothing"), page);
    assertFalse(Files.readString(folder.resolve("index.md")).contains("confirmed"));
    List<?> rows = JSON.std.listFrom(Files.readString(folder.resolve("toy.json")));
    assertEquals(true, ((Map<?, ?>) rows.get(0)).get("quick"));
    assertTrue(page.contains("QUICK RUN"), page);
    assertTrue(page.contains("discreet reproduce toy --quick --seeds 2"), page);
  }

  @Test
  void theIndexLeadsToEveryPage() throws IOException {
    Trial trial = new ToyTrial("t", w -> Outcome.of("value", 2));
    Experiment first = Toy.of("first", "000", List.of(trial));
    Experiment second = Toy.of("second", "009", List.of(trial));
    laboratory().run(List.of(first), Toy.EFFORT);
    assertFalse(files().contains("index.html"));
    laboratory().write(List.of(first, second), Toy.EFFORT);
    String markdown = Files.readString(folder.resolve("index.md"));
    assertTrue(
        markdown.contains("- [first](first.md) – a toy \\<b\\>of\\</b\\> tests. (1 confirmed)\n"),
        markdown);
    assertTrue(
        markdown.contains("## Not run yet\n\n- second – a toy \\<b\\>of\\</b\\> tests\n"),
        markdown);
    assertTrue(markdown.contains("## Document 000: Differential privacy meets"), markdown);
    laboratory().run(List.of(second), Toy.EFFORT);
    laboratory().write(List.of(first, second), Toy.EFFORT);
    markdown = Files.readString(folder.resolve("index.md"));
    assertTrue(markdown.contains("## Document 009\n"), markdown);
    assertFalse(markdown.contains("Not run yet"), markdown);
    String html = Files.readString(folder.resolve("index.html"));
    assertTrue(html.contains("<a href=\"first.html\">first</a>"), html);
  }

  private static Finding finding(List<Figure> figures, String command) {
    return new Finding(
        "q", "m", List.of(), List.of(), figures, List.of(), List.of(), List.of(), command, true,
        List.of());
  }

  @Test
  void aCommandIsNoRunFile() throws IOException {
    Finding finding = finding(List.of(), "discreet regress --data census");
    new FindingPage(Toy.of("toy"), Toy.EFFORT, finding, "", 1, 1, 0).write(folder);
    assertEquals(Set.of("toy.html", "toy.md", "toy.json"), files());
    assertTrue(Files.readString(folder.resolve("toy.md")).contains("\n./discreet regress --data"));
  }

  @Test
  void figuresOfOneNameAreRefused() {
    Figure figure = new Figure("a.svg", "<svg/>", "a");
    assertThrows(IllegalArgumentException.class, () -> finding(List.of(figure, figure), ""));
  }

  @Test
  void everyExperimentHasANameOfItsOwn() {
    List<Experiment> all = Experiments.all();
    assertEquals(all.size(), new HashSet<>(all.stream().map(Experiment::name).toList()).size());
    for (Experiment each : all) {
      assertTrue(each.name().matches("[a-z0-9-]+"), each.name());
      assertTrue(each.number().matches("(00[0-4])?"), each.number());
      assertEquals(each.name(), Experiments.named(each.name()).name());
      for (Effort effort : List.of(Effort.full(), new Effort(true, OptionalInt.empty()))) {
        List<Trial> trials = each.trials(effort);
        assertFalse(trials.isEmpty(), each.name());
      }
    }
  }

  @Test
  void theDocumentIsItsNumberAndAPlaceInIt() {
    assertEquals("009 §1", Toy.of("toy").document());
    assertEquals("009, end", new Experiment("toy", "009", ", end", "", null).document());
    assertEquals("009", new Experiment("toy", "009", "", "", null).document());
    assertEquals("a paper", new Experiment("toy", "", "a paper", "", null).document());
  }

  @Test
  void theIndexCountsTheRulingsOfEachPage() throws IOException {
    List<Ruling> rulings = List.of(Ruling.REFUTED, Ruling.CONFIRMED, Ruling.REFUTED);
    Finding finding =
        new Finding(
            "",
            "",
            List.of(),
            List.of(),
            List.of(),
            List.of("inconclusive"),
            rulings,
            List.of(),
            "",
            false,
            List.of());
    FindingPage page = new FindingPage(Toy.of("toy"), Toy.EFFORT, finding, "", 1, 1, 0);
    IndexPage.write(folder, List.of(page), List.of(), Toy.EFFORT);
    String markdown = Files.readString(folder.resolve("index.md"));
    assertTrue(markdown.contains(" (1 confirmed, 2 refuted)\n"), markdown);
  }

  /**
   * Whoever writes such a word into a text, and not as an argument of it, hides it from the index.
   */
  private static void hasNoUncountedRuling(Finding finding) {
    String said = String.join("\n", finding.verdicts()).toLowerCase(Locale.ROOT);
    List<String> words =
        Pattern.compile("\\b(confirmed|refuted|inconclusive)\\b")
            .matcher(said)
            .results()
            .map(MatchResult::group)
            .toList();
    assertEquals(finding.rulings().stream().map(Ruling::toString).toList(), words, said);
  }

  /** Also of what was run in part there is a page, and of nothing at worst. */
  @Test
  void everyExperimentHasAPageBeforeItIsRun() throws IOException {
    for (Effort effort : List.of(Effort.full(), new Effort(true, OptionalInt.empty()))) {
      for (Experiment each : Experiments.all()) {
        Finding finding = each.finding(effort, new Outcomes(Map.of()));
        assertFalse(finding.rows().isEmpty(), each.name());
        hasNoUncountedRuling(finding);
        new FindingPage(each, effort, finding, "", 0, 1, 0).write(folder);
        String page = Files.readString(folder.resolve(each.name() + ".md"));
        assertFalse(page.contains("NaN"), each.name() + ": " + page);
        assertTrue(page.contains("0 of 1 trials run."), page);
      }
    }
  }

  /** The pages in the sources are those of the trials in the sources. */
  @Test
  void theKeptPagesAreOfTheKeptTrials() throws IOException {
    Path kept = Path.of("..", "docs", "results");
    Files.createDirectory(folder.resolve("trials"));
    try (Stream<Path> trials = Files.list(kept.resolve("trials"))) {
      for (Path each : trials.filter(file -> file.toString().endsWith(".jsonl")).toList()) {
        Files.copy(each, folder.resolve("trials").resolve(each.getFileName()));
      }
    }
    Files.copy(kept.resolve("readings.json"), folder.resolve("readings.json"));
    laboratory().write(Experiments.all(), Effort.full()).forEach(PagesTest::hasNoUncountedRuling);
    Set<String> pages =
        files().stream().filter(name -> name.endsWith(".md")).collect(Collectors.toSet());
    assertTrue(pages.size() > 20, pages.toString());
    for (String page : pages) {
      assertEquals(
          Files.readString(folder.resolve(page)),
          Files.readString(kept.resolve(page)),
          page + ": discreet reproduce all --pages-only --out docs/results writes it again");
    }
  }

  @Test
  void aReadingOpensItsPageAndTheIndexHasIt() throws IOException {
    Experiment toy = Toy.of("toy", new ToyTrial("t", w -> Outcome.of("value", 2)));
    Experiment other = Toy.of("other", new ToyTrial("t", w -> Outcome.of("value", 2)));
    Files.writeString(folder.resolve("readings.json"), "{\"toy\": \"It holds.\"}");
    laboratory().run(List.of(toy, other), Toy.EFFORT);
    assertTrue(Files.readString(folder.resolve("toy.md")).contains("In short: It holds."));
    assertFalse(Files.readString(folder.resolve("other.md")).contains("In short"));
    assertTrue(Files.readString(folder.resolve("index.md")).contains("It holds."));
  }
}
