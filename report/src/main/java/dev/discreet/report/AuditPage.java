package dev.discreet.report;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.audit.membership.RocCurve;
import dev.discreet.report.AuditReport.Attacker;
import dev.discreet.report.AuditReport.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** An {@link AuditReport} from top to bottom. */
final class AuditPage {
  /** The false-positive rates at which attackers are compared. */
  private static final double[] RATES = {0.001, 0.01, 0.1};

  private static final int POINTS = 60;
  private static final List<String> STYLES =
      List.of("second", "first", "first dashed", "second dashed");

  private final AuditReport report;

  AuditPage(AuditReport report) {
    this.report = report;
  }

  String html() {
    int colon = report.notice().indexOf(": ");
    StringBuilder out = new StringBuilder(1 << 15);
    // A comment may stand before the type of a document.
    out.append("<!-- " + report.notice().replace("--", "–") + " -->\n");
    out.append(Html.begin(report.notice().substring(0, colon) + " – " + report.title()));
    out.append(
        Html.banner(report.notice().substring(0, colon), report.notice().substring(colon + 2)));
    out.append("<main><header><h1>" + Html.escape(report.title()) + "</h1>\n");
    out.append("<p class=\"lead\">" + Html.escape(report.lead()) + "</p></header>\n");
    out.append("<section class=\"tiles\" aria-label=\"In short\">" + tiles() + "</section>\n");
    out.append(Html.section("attack", "The attackers beside the certificate", attack()));
    out.append(Html.section("rates", "At few false positives", rates()));
    out.append(Html.section("game", "How the game was played", game()));
    out.append(Html.section("facts", "What was attacked", Html.facts(report.facts().stream())));
    out.append(
        Html.section(
            "reproduce",
            "How to repeat it",
            "<pre><code>" + Html.escape(report.command()) + "</code></pre>\n"));
    return out.append("</main>\n</body></html>\n").toString();
  }

  /** The attacker that is best where it accuses few. */
  private Attacker best() {
    return report.attackers().stream()
        .max((a, b) -> Double.compare(found(a, 0.01), found(b, 0.01)))
        .orElseThrow();
  }

  private static double found(Attacker attacker, double rate) {
    return attacker.curve().truePositiveRate(rate);
  }

  private static String area(RocCurve curve) {
    return String.format(Locale.ROOT, "%.3f", curve.area());
  }

  private String tiles() {
    Attacker best = best();
    RocCurve curve = best.curve();
    String who = "of " + Html.escape(best.name());
    Optional<Attacker> proves =
        report.attackers().stream()
            .filter(each -> each.epsilonAtLeast().isPresent())
            .max(
                (a, b) ->
                    Double.compare(
                        a.epsilonAtLeast().orElseThrow(), b.epsilonAtLeast().orElseThrow()));
    return Html.tile("Area under the curve", area(curve), who + "; 0.5 is blind")
        + Html.tile(
            "Found at 1% false positives",
            Html.percent(found(best, 0.01)), who + "; blind guessing finds 1.0%")
        + Html.tile(
            "Epsilon is at least",
            proves.map(each -> Digits.down(each.epsilonAtLeast().orElseThrow())).orElse("unknown"),
            proves
                .map(
                    each ->
                        "by "
                            + Html.escape(each.name())
                            + ", at confidence "
                            + Axis.percent(report.confidence())
                            + "; 0 proves nothing")
                .orElse("no coins decided who was in, so no bound follows"))
        + Html.tile(
            "Epsilon is at most",
            report.certificate().map(each -> Digits.up(each.cost().epsilon())).orElse("unbounded"),
            report
                .certificate()
                .map(each -> "certified, at delta " + Digits.up(each.cost().delta()))
                .orElse("nothing is promised"));
  }

  private String attack() {
    return "<div class=\"pair\">"
        + chart()
        + "<div><p>An attacker gives every player a score, and accuses those above a threshold."
        + " Each point of a line is a threshold: how many members it finds, and how many others it"
        + " accuses. Both axes are logarithmic, because accusing few and being right is what"
        + " hurts.</p><p>"
        + report
            .certificate()
            .map(
                each ->
                    "The shaded region is what the certificate forbids: no attack of any kind may"
                        + " reach into it, but for chance.")
            .orElse("There is no certificate, so nothing is forbidden.")
        + "</p><p>A line that stays low proves nothing: another attack may do better. A line that"
        + " rises shows what the model gives away.</p></div></div>\n";
  }

  private String chart() {
    double from = 1e-3;
    for (Attacker attacker : report.attackers()) {
      from = Math.min(from, Math.pow(10, -Math.round(Math.log10(attacker.curve().others()))));
    }
    double least = from;
    List<Chart.Line> lines = new ArrayList<>();
    report
        .certificate()
        .ifPresent(
            certificate -> {
              List<Chart.Point> bound =
                  points(least, "the certificate", certificate.curve()::truePositiveRate);
              List<Chart.Point> region = new ArrayList<>(bound);
              region.add(new Chart.Point(least, 1, ""));
              lines.add(new Chart.Line("", "forbidden", plain(region), ""));
              lines.add(new Chart.Line("certified: at most", "most", bound, ""));
            });
    lines.add(
        new Chart.Line(
            "guessing blindly",
            "soft dashed",
            List.of(new Chart.Point(least, least, ""), new Chart.Point(1, 1, "")),
            ""));
    for (int i = 0; i < report.attackers().size(); i++) {
      Attacker attacker = report.attackers().get(i);
      lines.add(
          new Chart.Line(
              attacker.name(),
              STYLES.get(i % STYLES.size()),
              points(least, attacker.name(), attacker.curve()::truePositiveRate),
              ""));
    }
    return new Chart(
            "Members found, by others accused",
            summary(),
            Axis.logarithmicShares(least, "false positives"),
            Axis.logarithmicShares(least, "true positives"),
            lines)
        .html();
  }

  private static List<Chart.Point> plain(List<Chart.Point> points) {
    return points.stream().map(point -> new Chart.Point(point.x(), point.y(), "")).toList();
  }

  /** Evenly over the logarithmic axis. What lies below it is drawn on its edge. */
  private static List<Chart.Point> points(double from, String who, DoubleUnaryOperator rate) {
    List<Chart.Point> points = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      double x = Math.min(1, from * Math.pow(1 / from, i / (POINTS - 1.0)));
      double y = rate.applyAsDouble(x);
      String text = Axis.percent(x) + " false positives: " + who + " " + Axis.percent(y);
      points.add(new Chart.Point(x, Math.max(from, Math.min(1, y)), text));
    }
    return points;
  }

  private String summary() {
    StringBuilder text = new StringBuilder("Members found at 1% false positives:");
    for (Attacker attacker : report.attackers()) {
      text.append(" " + attacker.name() + " " + Html.percent(found(attacker, 0.01)) + ";");
    }
    return report
        .certificate()
        .map(
            each ->
                text
                    + " the certificate allows at most "
                    + Html.percent(each.curve().truePositiveRate(0.01))
                    + ".")
        .orElse(text + " nothing is certified.");
  }

  private String rates() {
    List<List<String>> rows = new ArrayList<>();
    for (Attacker attacker : report.attackers()) {
      List<String> row = new ArrayList<>(List.of(attacker.name()));
      row.add(area(attacker.curve()));
      for (double rate : RATES) {
        row.add(Html.percent(found(attacker, rate), 2));
      }
      row.add(attacker.epsilonAtLeast().map(each -> "≥ " + Digits.down(each)).orElse("—"));
      rows.add(row);
    }
    report.certificate().ifPresent(certificate -> rows.add(certified(certificate)));
    List<String> columns = new ArrayList<>(List.of("attacker", "area"));
    for (double rate : RATES) {
      columns.add("found at " + Axis.percent(rate));
    }
    columns.add("epsilon");
    RocCurve any = report.attackers().get(0).curve();
    return new Article.Table("", columns, rows).html()
        + "<p>"
        + Html.count(any.members())
        + " players were in the data, and "
        + Html.count(any.others())
        + " were not: a rate of one of these is "
        + Axis.percent(1.0 / any.others())
        + ", and smaller ones cannot be seen. Each bound on epsilon holds by itself at confidence "
        + Axis.percent(report.confidence())
        + ".</p>\n";
  }

  private static List<String> certified(Certificate certificate) {
    Guarantee cost = certificate.cost();
    List<String> row = new ArrayList<>(List.of("certified, any attacker", "—"));
    for (double rate : RATES) {
      row.add("≤ " + Html.percent(certificate.curve().truePositiveRate(rate), 2));
    }
    row.add("≤ " + Digits.up(cost.epsilon()));
    return row;
  }

  private String game() {
    StringBuilder text = new StringBuilder();
    report.game().forEach(each -> text.append("<p>" + Html.escape(each) + "</p>\n"));
    return text.toString();
  }
}
