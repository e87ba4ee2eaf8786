package dev.discreet.lab;

import dev.discreet.core.files.AtomicFile;
import dev.discreet.report.Article;
import dev.discreet.report.Article.Items;
import dev.discreet.report.Article.Link;
import dev.discreet.report.Article.Links;
import dev.discreet.report.Article.Section;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page that leads to those of the experiments. */
final class IndexPage {
  private static final Map<String, String> TITLES =
      Map.of(
          "000", "Differential privacy meets weight decay (2024)",
          "001", "Differentially private stochastic gradient descent (course notes, 2023)",
          "002", "Differentially private deep learning (lecture)",
          "003", "Training a private deep learning model with DP-SGD (slides)",
          "004", "Deep learning with differential privacy (report, 2018)");

  private IndexPage() {}

  static void write(Path folder, List<FindingPage> pages, List<Experiment> missing, Effort effort)
      throws IOException {
    Map<String, List<Link>> byDocument = new LinkedHashMap<>();
    for (FindingPage page : pages) {
      Experiment experiment = page.experiment();
      byDocument
          .computeIfAbsent(document(experiment), name -> new ArrayList<>())
          .add(
              new Link(
                  experiment.name(),
                  experiment.name(),
                  "– "
                      + experiment.summary()
                      + (experiment.summary().endsWith("?") ? " " : ". ")
                      + (page.reading().isEmpty() ? "" : page.reading() + " ")
                      + outcome(page, effort)));
    }
    List<Section> sections = new ArrayList<>();
    byDocument.forEach(
        (document, links) ->
            sections.add(
                new Section(
                    document.isEmpty() ? "Beyond the documents" : "Document " + document,
                    new Links(links))));
    if (!missing.isEmpty()) {
      sections.add(
          new Section(
              "Not run yet",
              new Items(
                  missing.stream().map(each -> each.name() + " – " + each.summary()).toList())));
    }
    Article article =
        new Article(
            "Every experiment of the seed documents, done again",
            (effort.quick() ? FindingPage.QUICK : "")
                + "Each page has the published figure beside ours, the curve redrawn, whether the"
                + " ordering holds, and what was assumed; the numbers in brackets count its"
                + " verdicts, on the document's claims and on our own. Made by discreet reproduce"
                + " all.",
            sections);
    Folders.make(folder);
    AtomicFile.write(folder.resolve("index.html"), article.html());
    AtomicFile.write(folder.resolve("index.md"), article.markdown());
  }

  /** The document that an experiment is from. */
  private static String document(Experiment experiment) {
    String title = TITLES.get(experiment.number());
    return experiment.number() + (title == null ? "" : ": " + title);
  }

  /** How its claims fared, counted, and what is left. */
  private static String outcome(FindingPage page, Effort effort) {
    List<Ruling> rulings = page.finding().rulings();
    String counted =
        Stream.of(Ruling.values())
            .filter(rulings::contains)
            .map(ruling -> Collections.frequency(rulings, ruling) + " " + ruling)
            .collect(Collectors.joining(", "));
    // Those of shortened runs decide nothing.
    return (counted.isEmpty() || effort.quick() ? "" : "(" + counted + ")")
        + (page.unfinished().isEmpty() ? "" : " " + page.unfinished());
  }
}
