package dev.discreet.report;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.train.Provenance;
import dev.discreet.core.train.Result;
import dev.discreet.report.TrainingReport.Misread;
import dev.discreet.report.TrainingReport.Row;
import dev.discreet.report.TrainingReport.Score;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A {@link TrainingReport} from top to bottom. */
final class Page {
  private final TrainingReport report;
  private final Result result;
  private final Quality quality;
  private final StringBuilder out = new StringBuilder(1 << 16);

  Page(TrainingReport report) {
    this.report = report;
    this.result = report.result();
    this.quality = new Quality(report);
  }

  /** Whether the run promises something: privately, with secret keys, at a finite ε. */
  private boolean promises() {
    return Double.isFinite(result.epsilon());
  }

  private String unit() {
    return result.provenance().configuration().plan().unit();
  }

  String html() {
    out.append(Html.begin((promises() ? "" : "NO PRIVACY – ") + report.title()));
    banner();
    out.append("<main><header><h1>" + Html.escape(report.title()) + "</h1>\n");
    out.append("<p class=\"lead\">" + lead() + "</p></header>\n");
    out.append("<section class=\"tiles\" aria-label=\"In short\">");
    out.append(quality.tile());
    privacyTiles();
    out.append("</section>\n");
    section("quality", "How well it predicts", quality.html());
    section("cost", "What privacy cost", cost());
    section("attack", "What an attacker could do", attack());
    section("examples", "Classified worst", examples());
    section("plan", "Plan", plan());
    section("statement", "Privacy statement", statement());
    section("provenance", "Provenance", provenance());
    section("reproduce", "How to reproduce it", reproduce());
    out.append("</main>\n<footer>Made by Discreet ");
    out.append(Html.escape(result.provenance().version()) + ".</footer>\n</body></html>\n");
    return out.toString();
  }

  /** A part that a run does not have is left out. */
  private void section(String id, String title, String body) {
    if (!body.isEmpty()) {
      out.append(Html.section(id, title, body));
    }
  }

  /** What a reader must know before anything else. */
  private void banner() {
    Optional<StatementParagraph> first =
        result.privacy().match(this::warning, none -> Optional.of(none.paragraphs().get(0)));
    if (first.isEmpty()) {
      return;
    }
    String text = first.get().body();
    out.append(
        Html.banner(
            first.get().title(),
            text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1)));
  }

  private Optional<StatementParagraph> warning(Guaranteed kept) {
    if (!kept.secure()) {
      return Optional.of(kept.paragraphs().get(0));
    }
    if (!promises()) {
      return Optional.of(
          new StatementParagraph("NO GUARANTEE", "no finite epsilon. " + kept.guarantee().note()));
    }
    return kept.steered()
        ? Optional.of(
            new StatementParagraph(
                "OUTSIDE THE GUARANTEE",
                "how many steps it took, for it was stopped with un-noised values in view."))
        : Optional.empty();
  }

  private String lead() {
    String noOne = "This run protects no one.";
    return "Trained on <b>"
        + Html.escape(report.data())
        + "</b> in "
        + Html.count(result.steps())
        + (result.steps() == 1 ? " step. " : " steps. ")
        + result
            .privacy()
            .<String>match(
                kept -> promises() ? paidFor(kept) : noOne,
                none -> none.byStart() ? "This model is not private because of its start." : noOne);
  }

  private static String paidFor(Guaranteed kept) {
    return "All that this page shows was public before, or was released with noise and is paid for"
        + " in the ε below"
        + (kept.onTop() ? " or in that of the model that it began with: the two add up." : ".");
  }

  private void privacyTiles() {
    out.append(
        result
            .privacy()
            .<String>match(
                kept -> promises() ? promised(kept) : notPromised(hypothetical(kept)),
                none -> notPromised("no promise")));
  }

  private static String hypothetical(Guaranteed kept) {
    return kept.secure()
        ? "no promise"
        : "no promise; with secret keys it would be at most "
            + Digits.up(kept.guarantee().epsilon());
  }

  private static String notPromised(String epsilon) {
    return Html.tile("Epsilon ε", "none", epsilon)
        + Html.tile("Delta δ", "none", "no promise")
        + Html.tile("Protected", "no one", "see the first line");
  }

  private String promised(Guaranteed kept) {
    Guarantee guarantee = kept.guarantee();
    String upper = Digits.up(guarantee.epsilon());
    String bracket = "[" + Digits.down(guarantee.epsilonLower()) + ", " + upper + "]";
    String certified = "certified: the worst case lies in <span>" + bracket + "</span>";
    return Html.tile("Epsilon ε", "≤ " + upper, certified)
        + Html.tile(
            "Delta δ", Digits.up(guarantee.delta()), "the chance by which the bound may be missed")
        + Html.tile(
            "Protected",
            "each " + Html.escape(unit()),
            Html.protects(kept.ledger().neighbouring()));
  }

  private String cost() {
    return result
        .privacy()
        .match(
            kept -> kept.secure() && !promises() ? "" : new SpendingCharts(report, kept).html(),
            none -> "");
  }

  private String attack() {
    return result.privacy().match(kept -> promises() ? attack(kept) : "", none -> "");
  }

  private String attack(Guaranteed kept) {
    return new Attack(kept.ledger(), kept.guarantee().epsilon())
        .html(kept.ledger().neighbouring(), unit(), kept.stated().attack());
  }

  private String examples() {
    if (!(report.score() instanceof Score.PublicTest test) || test.worst().isEmpty()) {
      return "";
    }
    StringBuilder body = new StringBuilder();
    body.append("<p>Examples of the public test set that the model was most sure of and wrong.");
    body.append("</p><div class=\"gallery\">");
    for (Misread misread : test.worst()) {
      String truth = Html.escape(misread.truth());
      String taken = Html.escape(misread.taken());
      body.append("<figure><img class=\"pixels\" src=\"" + Html.png(image(misread)) + "\" alt=\"");
      body.append("An example of " + truth + " that was taken for " + taken + "\"><figcaption>");
      body.append("<b>" + truth + "</b><br>taken for <b class=\"error\">" + taken + "</b><br>");
      body.append(Html.percent(misread.confidence()) + " sure</figcaption></figure>\n");
    }
    return body.append("</div>\n").toString();
  }

  private static BufferedImage image(Misread misread) {
    int width = misread.shape().width();
    int channels = misread.shape().channels();
    byte[] pixels = misread.pixels();
    BufferedImage image =
        new BufferedImage(
            width,
            misread.shape().height(),
            channels == 1 ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
    for (int at = 0; at < pixels.length; at += channels) {
      int x = at / channels % width;
      int y = at / channels / width;
      for (int channel = 0; channel < channels; channel++) {
        // Samples, not colours: a grey raster's own colour space would brighten them.
        image.getRaster().setSample(x, y, channel, pixels[at + channel] & 0xFF);
      }
    }
    return image;
  }

  private String plan() {
    return report.plan().isEmpty() ? "" : Html.facts(report.plan().stream());
  }

  private String statement() {
    List<StatementParagraph> all = result.privacy().paragraphs();
    // The rest of an insecure run's statement would read as a promise.
    List<StatementParagraph> paragraphs =
        result.privacy().match(kept -> kept.secure() ? all : all.subList(0, 1), none -> all);
    StringBuilder body = new StringBuilder("<dl class=\"statement\">");
    for (StatementParagraph paragraph : paragraphs) {
      body.append("<dt>" + Html.escape(paragraph.title()) + "</dt>")
          .append("<dd>" + Html.escape(paragraph.body()) + "</dd>\n");
    }
    return body.append("</dl>\n").toString();
  }

  private String provenance() {
    Provenance provenance = result.provenance();
    return Html.facts(
        Stream.concat(
            Stream.of(
                new Row("Discreet", provenance.version()),
                new Row("randomness", provenance.seeds().text())),
            provenance.configuration().lines().stream()
                .map(line -> new Row(line.heading(), line.text()))));
  }

  private String reproduce() {
    return (result.privacy().secure()
            ? "<p>Lots and noise come from secret keys that are kept nowhere, so a run that is"
                + " repeated gives slightly other figures.</p>"
            : "<p>This run was made from a seed, and repeats to the bit.</p>")
        + code("Command", options(report.reproduce().command()))
        + code("Run file", Html.escape(report.reproduce().runFile().strip()));
  }

  /** On a narrow page a line breaks between options, not within one. */
  private static String options(String command) {
    String safe = Html.escape(command.strip());
    return safe.isEmpty() || safe.contains("\n")
        ? safe
        : "<span>" + safe.replace(" --", "</span> <span>--") + "</span>";
  }

  private static String code(String name, String html) {
    return html.isEmpty() ? "" : "<h3>" + name + "</h3><pre><code>" + html + "</code></pre>\n";
  }
}
