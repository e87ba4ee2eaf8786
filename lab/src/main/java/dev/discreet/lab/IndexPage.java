package dev.discreet.lab;

import dev.discreet.report.Article;
import dev.discreet.report.Article.Link;
import dev.discreet.report.Article.Links;
import dev.discreet.report.Article.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page that leads to those of the experiments. */
public final class IndexPage {
  private IndexPage() {}

  public static void write(
      Path folder, List<Experiment> experiments, List<Finding> findings, Effort effort)
      throws IOException {
    Map<String, List<Link>> byDocument = new LinkedHashMap<>();
    for (int i = 0; i < experiments.size(); i++) {
      Experiment experiment = experiments.get(i);
      Finding finding = findings.get(i);
      long missing = finding.rows().stream().filter(row -> row.ours().size() == 0).count();
      byDocument
          .computeIfAbsent(experiment.document().substring(0, 3), d -> new ArrayList<>())
          .add(
              new Link(
                  experiment.name(),
                  experiment.name(),
                  "– "
                      + experiment.summary()
                      + (missing > 0
                          ? " (" + missing + " of " + finding.rows().size() + " rows not run yet)"
                          : "")));
    }
    List<Section> sections = new ArrayList<>();
    byDocument.forEach(
        (document, links) -> sections.add(new Section("Document " + document, new Links(links))));
    Article article =
        new Article(
            "Every experiment of the seed documents, done again",
            (effort.quick() ? "QUICK RUN, shortened: its figures only show that it works. " : "")
                + "Each page has the published figure beside ours, the curve redrawn, whether the"
                + " ordering holds, and what was assumed. Made by discreet reproduce all.",
            sections);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("index.html"), article.html());
    Files.writeString(folder.resolve("index.md"), article.markdown());
  }
}
