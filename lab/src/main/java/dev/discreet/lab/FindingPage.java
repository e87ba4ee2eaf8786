package dev.discreet.lab;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.report.Article;
import dev.discreet.report.Article.Code;
import dev.discreet.report.Article.Figure;
import dev.discreet.report.Article.Items;
import dev.discreet.report.Article.Paragraph;
import dev.discreet.report.Article.Part;
import dev.discreet.report.Article.Section;
import dev.discreet.report.Article.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A finding as files: {@code NAME.html}, {@code NAME.md}, {@code NAME.json} and its pictures.
 *
 * @param reading what someone made of it, in a sentence or two; empty for none
 * @param run how many of the experiment's trials it rests on
 * @param seconds that these took, one after the other
 */
record FindingPage(
    Experiment experiment,
    Effort effort,
    Finding finding,
    String reading,
    int run,
    int trials,
    double seconds) {
  static final String QUICK = "QUICK RUN, shortened: its figures only show that it works. ";

  /** Whether a folder has the page of a run that was not shortened. */
  static boolean ofFullRun(Path folder, Experiment experiment) throws IOException {
    Path rows = folder.resolve(experiment.name() + ".json");
    return Files.exists(rows)
        && JSON.std.listFrom(Files.readString(rows)).stream()
            .noneMatch(row -> row instanceof Map<?, ?> fields && fields.containsKey("quick"));
  }

  void write(Path folder) throws IOException {
    Folders.make(folder);
    Article article = article();
    AtomicFile.write(folder.resolve(experiment.name() + ".html"), article.html());
    AtomicFile.write(folder.resolve(experiment.name() + ".md"), article.markdown());
    for (Figure figure : finding.figures()) {
      AtomicFile.write(folder.resolve(figure.file()), figure.svg());
    }
    AtomicFile.write(
        folder.resolve(experiment.name() + ".json"),
        JsonNumbers.SHORTEST
                .with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
                .asString(finding.json(experiment, effort))
            + "\n");
    if (!finding.runFile().isEmpty() && !finding.isCommand()) {
      AtomicFile.write(folder.resolve(experiment.name() + ".yaml"), finding.runFile());
    }
  }

  private Article article() {
    List<Section> sections = new ArrayList<>();
    if (!finding.verdicts().isEmpty()) {
      List<Part> verdict = new ArrayList<>();
      if (effort.quick()) {
        verdict.add(new Paragraph("These verdicts are of shortened runs and decide nothing."));
      }
      if (run < trials) {
        verdict.add(new Paragraph(unfinished()));
      }
      if (!reading.isEmpty()) {
        verdict.add(new Paragraph("In short: " + reading));
      }
      verdict.add(new Items(finding.verdicts()));
      sections.add(new Section("Verdict", verdict));
    }
    List<Part> results = new ArrayList<>();
    if (!finding.rows().isEmpty()) {
      results.add(table());
    }
    results.addAll(finding.tables());
    results.add(
        new Paragraph(
            "Ours is the mean ± the standard deviation of one run, over the seeds of the last"
                + " column. In a verdict ± is a 95% interval of a difference."));
    sections.add(new Section("Published and ours", results));
    if (!finding.figures().isEmpty()) {
      sections.add(new Section("Figures", List.copyOf(finding.figures())));
    }
    if (!finding.assumed().isEmpty()) {
      sections.add(new Section("What was assumed", new Items(finding.assumed())));
    }
    List<Part> again = new ArrayList<>();
    again.add(new Code("./discreet reproduce " + experiment.name() + options()));
    String took = TimeLeft.duration(seconds);
    again.add(
        new Paragraph(
            "Anew; with --out and the folder that has this page's trials it goes on from them."
                + (took.isEmpty()
                    ? ""
                    : " The trials took "
                        + took
                        + " here, one after the other, on a busy machine.")));
    if (!finding.runFile().isEmpty()) {
      again.add(
          new Paragraph(
              finding.isCommand()
                  ? "A command that shows much the same; noise, where there is any, is fresh:"
                  : "One of its runs, as a run file, with secret keys and so with lots and noise of"
                      + " its own (in "
                      + experiment.name()
                      + ".yaml beside this page, for ./discreet train):"));
      again.add(new Code((finding.isCommand() ? "./" : "") + finding.runFile()));
    }
    again.add(
        new Paragraph(
            finding.trials().stream().allMatch(Trial::isSeeded)
                ? "Data here is public or generated, and lots and noise come from seeds so that"
                    + " each figure can be repeated. An epsilon is what a run would have cost with"
                    + " secret keys."
                : "Data here is public. Lots and noise come from secret keys: repeated, each figure"
                    + " comes out a little otherwise."));
    sections.add(new Section("Run it again", again));
    return new Article(
        experiment.name() + ": " + experiment.summary(),
        (effort.quick() ? QUICK : "")
            + (experiment.number().isEmpty() ? "" : "Document ")
            + experiment.document()
            + ". "
            + finding.question(),
        sections);
  }

  /** Empty when all is done. */
  String unfinished() {
    return run < trials ? "Not finished: " + run + " of " + trials + " trials run." : "";
  }

  private String options() {
    return (effort.quick() ? " --quick" : "")
        + (effort.seeds().isPresent() ? " --seeds " + effort.seeds().getAsInt() : "");
  }

  private Table table() {
    return new Table(
        finding.measure(),
        List.of("setting", "method", "published", "ours", "seeds"),
        finding.rows().stream()
            .map(
                row ->
                    List.of(
                        row.setting(),
                        row.method(),
                        row.publishedText(),
                        row.ours().text(row.decimals()),
                        String.valueOf(row.ours().size())))
            .toList());
  }
}
