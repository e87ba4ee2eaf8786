package dev.discreet.report;

import dev.discreet.account.AccountHistory;
import dev.discreet.account.AccountHistory.Kind;
import dev.discreet.account.AccountHistory.Moment;
import dev.discreet.account.AccountShare;
import dev.discreet.account.AccountState;
import dev.discreet.account.AccountState.Item;
import dev.discreet.account.AccountState.Standing;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.FixedInAdvance;
import dev.discreet.account.ListedFile;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.report.TrainingReport.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An {@link AccountReport} from top to bottom. */
final class AccountPage {
  private final AccountReport report;
  private final AccountState state;
  private final AccountTerms terms;
  private final PrivacyFilter ceiling;
  private final StringBuilder out = new StringBuilder(1 << 16);

  AccountPage(AccountReport report) {
    this.report = report;
    this.state = report.state();
    this.terms = state.terms();
    this.ceiling = terms.ceiling();
  }

  private boolean promises() {
    return state.broken().isEmpty();
  }

  String html() {
    out.append(Html.begin((promises() ? "" : "NO PROMISE – ") + state.name()));
    banner();
    out.append("<main><header><h1>" + Html.escape(state.name()) + "</h1>\n");
    out.append("<p class=\"lead\">" + lead() + "</p></header>\n");
    out.append("<section class=\"tiles\" aria-label=\"In short\">" + tiles() + "</section>\n");
    out.append(Html.section("spending", "Spending over time", spending()));
    out.append(Html.section("entries", "What was spent", entries()));
    if (promises()) {
      out.append(Html.section("attack", "What an attacker could do", attack()));
    }
    out.append(Html.section("events", "What else happened", events()));
    out.append(Html.section("account", "The account", account()));
    out.append(Html.section("verify", "How to check this page", verify()));
    return out.append("</main>\n</body></html>\n").toString();
  }

  private void banner() {
    if (!promises()) {
      out.append(
          Html.banner("NOTHING IS PROMISED ANY MORE", "The reason: " + state.broken() + "."));
    }
    int over = state.passedOver().size();
    if (over > 0) {
      out.append(
          Html.banner(
              "OUTSIDE THE PROMISE",
              "The data was used " + times(over) + " without charging it to this account."));
    }
  }

  private static String times(long count) {
    return count == 1 ? "once" : Html.count(count) + " times";
  }

  private String ceilingWords() {
    return "(ε "
        + Digits.exact(ceiling.epsilon())
        + ", δ "
        + Digits.exact(ceiling.delta())
        + ")-private";
  }

  private String lead() {
    if (!promises()) {
      return "This account protects no one any more. Below is what it knows of.";
    }
    return "Everything that is charged to this account is together <b>"
        + ceilingWords()
        + "</b> for each "
        + Html.escape(terms.unit())
        + ", whatever is run next and whenever it ends, unless the account is broken by name later."
        + " This ceiling is the guarantee; what was"
        + " spent is a share of it, and no ε of its own."
        + spaced(Html.escape(state.chosenAfterLooking()))
        + (state.closed().isEmpty()
            ? ""
            : " The account is <b>closed</b>: " + Html.escape(state.closed()) + ".");
  }

  private static String spaced(String sentence) {
    return sentence.isEmpty() ? "" : " " + sentence;
  }

  private String tiles() {
    double settled = Math.min(1, ceiling.share(last().charged()));
    double all = Math.min(1, ceiling.share(last().spent()));
    long open = state.items().stream().filter(item -> item.standing() == Standing.OPEN).count();
    String bar =
        "<span class=\"bar\" aria-hidden=\"true\"><span style=\"width:"
            + Html.percent(settled, 2)
            + "\"></span><span class=\"reserved\" style=\"width:"
            + Html.percent(Math.max(0, all - settled), 2)
            + "\"></span></span>";
    String runs = open + (open == 1 ? " run is open" : " runs are open");
    return Html.tile(
            "Guarantee",
            promises() ? "ε " + Digits.exact(ceiling.epsilon()) : "none",
            promises()
                ? "at δ "
                    + Digits.exact(ceiling.delta())
                    + ", of all runs and queries together; fixed for ever"
                : "see the first line")
        + Html.tile(
            "Spent",
            rounded(state.share()),
            bar
                + (open == 0
                    ? "of the ceiling, and all of it is settled"
                    : "of the ceiling; " + runs + ", whose reservations count"))
        + Html.tile("Left", left(), leftNote())
        + Html.tile(
            "Protected", "each " + Html.escape(terms.unit()), Html.protects(terms.neighbouring()));
  }

  private Moment last() {
    List<Moment> moments = state.history().moments();
    return moments.get(moments.size() - 1);
  }

  private Spending none() {
    return state.history().moments().get(0).charged();
  }

  private boolean isOver() {
    return !promises() || !state.closed().isEmpty();
  }

  private String left() {
    return isOver()
        ? "nothing"
        : Digits.down(100 * Math.max(0, state.limit() - state.share())) + "%";
  }

  private String leftNote() {
    if (isOver()) {
      return promises() ? "the account is closed" : "see the first line";
    }
    String below = state.limit() < 1 ? "up to the working limit, " + percent(state.limit()) : "";
    List<Item> items = state.items();
    if (items.isEmpty()) {
      return below.isEmpty() ? "nothing was spent yet" : below;
    }
    long fits = state.stillFits(items.get(items.size() - 1).cost());
    return (below.isEmpty() ? "" : below + "; ")
        + "still fits: "
        + (fits == Long.MAX_VALUE ? "any number" : Html.count(fits))
        + " more like the last";
  }

  private static String percent(double share) {
    return AccountShare.percent(share);
  }

  private static String rounded(double share) {
    return AccountShare.rounded(share);
  }

  private String spending() {
    List<Moment> moments = state.history().moments();
    Axis time = TimeAxis.of(moments.get(0).at(), last().at());
    Chart.Point from = new Chart.Point(time.from(), 1, "");
    Chart.Point to = new Chart.Point(time.to(), 1, "");
    List<Chart.Line> lines = new ArrayList<>();
    String now = promises() ? rounded(state.share()) : "";
    boolean reserves = moments.stream().anyMatch(moment -> !moment.reserved().equals(none()));
    if (reserves) {
      lines.add(line("with what is reserved", "second", now, time, this::shareOfAll));
    }
    lines.add(line("charged for good", "first", reserves ? "" : now, time, this::shareOfCharged));
    if (moments.stream().anyMatch(moment -> moment.limit() < 1)) {
      lines.add(line("working limit", "soft dashed", "", time, Moment::limit));
    }
    lines.add(new Chart.Line("ceiling", "most dashed", List.of(from, to), ""));
    String summary =
        "Share of the ceiling that was spent by when, up to "
            + rounded(state.share())
            + " at "
            + TimeAxis.minute(last().at())
            + " UTC.";
    return "<div class=\"pair\">"
        + new Chart("Share of the ceiling", summary, time, shares(), lines).html()
        + "<div><p>A run reserves what it may release before its first release, and that counts as"
        + " spent. When the run ends, what it never charged goes back, so a line may fall.</p>"
        + "<p>The line may rise to the ceiling and not beyond. The account refuses what would take"
        + " it further, before anything of that is released.</p>"
        + "<p>A share of 25% means that the same spending fits three times more.</p></div></div>\n";
  }

  /** A share that is beyond all bounds is drawn at the upper end. */
  private static final double TOP = 1.08;

  private static Axis shares() {
    return new Axis("", Html::whole, 0, TOP, List.of(0.0, 0.25, 0.5, 0.75, 1.0), false);
  }

  private double shareOfAll(Moment moment) {
    return Math.min(TOP, ceiling.share(moment.spent()));
  }

  private double shareOfCharged(Moment moment) {
    return Math.min(TOP, ceiling.share(moment.charged()));
  }

  private Chart.Line line(
      String name, String style, String end, Axis time, Function<Moment, Double> share) {
    List<Chart.Point> points = new ArrayList<>();
    for (Moment moment : Chart.thin(state.history().moments())) {
      double value = share.apply(moment);
      String told = TimeAxis.minute(moment.at()) + " UTC: " + rounded(value) + ", " + name;
      boolean isLimit = style.contains("soft");
      points.add(new Chart.Point(moment.at().getEpochSecond(), value, isLimit ? "" : told));
    }
    // What was so last is still so at the end.
    points.add(new Chart.Point(time.to(), points.get(points.size() - 1).y(), ""));
    return new Chart.Line(name, style, points, end, true);
  }

  private String entries() {
    List<Item> items = state.items();
    if (items.isEmpty()) {
      return "<p>Nothing was spent yet.</p>\n";
    }
    int from = Math.max(0, items.size() - report.entries());
    StringBuilder table = new StringBuilder("<p>Its own ε is what an entry costs alone, at δ ");
    table.append(
        Digits.exact(ceiling.delta())
            + ", if it had been fixed in advance, by the Rényi orders of the ceiling: a run's own statement is tighter. The shares");
    table.append(" of single entries need not add up to what is spent in all.</p>");
    if (from > 0) {
      table.append("<p>Below are the last " + Html.count(items.size() - from) + " entries; ");
      table.append(Html.count(from) + " earlier ones are not shown.</p>");
    }
    table.append(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Entries\">"
            + "<table class=\"entries costs\">");
    table.append(
        Html.head(
            List.of("when (UTC)", "who", "what", "recipe", "where", "own ε", "share", "standing")));
    table.append("<tbody>\n");
    items.subList(from, items.size()).forEach(item -> table.append(row(item)));
    table.append("</tbody></table></div>\n");
    return table + "<p>" + Html.escape(FixedInAdvance.of(state).words()) + "</p>\n";
  }

  private String row(Item item) {
    return "<tr>"
        + Html.rowHead(TimeAxis.minute(item.at()))
        + Html.cell(item.by())
        + Html.cell(item.purpose().verb())
        + ("<td title=\"" + Html.escape(item.purpose().recipe()) + "\">")
        + (Html.escape(item.purpose().shortRecipe()) + "</td>")
        + ("<td class=\"where\">" + Html.escape(item.purpose().folder()) + "</td>")
        + Html.number(Digits.up(ceiling.epsilon(item.cost())))
        + Html.number(rounded(ceiling.share(item.cost())))
        + Html.cell(item.standing().label())
        + "</tr>\n";
  }

  /** The attacker's curve is the ceiling's, for that is what holds whatever is run next. */
  private String attack() {
    Guarantee all =
        Guarantee.epsilonAt(ceiling.delta(), 0, ceiling.epsilon(), "the account's filter", "");
    Attack attack = new Attack(all);
    double found = 1 - attack.missed(PrivacyStatement.FALSE_POSITIVES);
    String sentence =
        new PrivacyStatement(terms.unit(), Ledger.empty(terms.neighbouring()), all, found).attack();
    return "<p>This is the curve of the ceiling, and not of what was spent so far: what is run next"
        + " may depend on what was released, and the ceiling is what holds then.</p>\n"
        + attack.html(terms.neighbouring(), terms.unit(), sentence);
  }

  private String events() {
    StringBuilder table =
        new StringBuilder(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Events\">"
                + "<table class=\"entries\">");
    table.append(Html.head(List.of("when (UTC)", "who", "event", "in words")) + "<tbody>\n");
    List<AccountHistory.Event> events = state.history().events();
    int from = Math.max(0, events.size() - report.entries());
    for (AccountHistory.Event event : events.subList(from, events.size())) {
      table.append("<tr>" + Html.rowHead(TimeAxis.minute(event.at())) + Html.cell(event.by()));
      table.append(Html.cell(event.kind().label()));
      table.append("<td class=\"where\">" + Html.escape(words(event)) + "</td></tr>\n");
    }
    String left = from > 0 ? "<p>" + Html.count(from) + " earlier events are not shown.</p>" : "";
    return left + table.append("</tbody></table></div>\n");
  }

  private String words(AccountHistory.Event event) {
    return event.kind() == Kind.OPENED
        ? "with the ceiling " + ceilingWords()
        : event.kind() == Kind.LIMITED ? "to " + event.text() + " of the ceiling" : event.text();
  }

  private String account() {
    Instant opened = state.history().moments().get(0).at();
    return Html.facts(
        Stream.of(
                new Row("id", state.id()),
                new Row("opened", TimeAxis.minute(opened) + " UTC"),
                new Row("ceiling", ceilingWords()),
                new Row("working limit", percent(state.limit()) + " of the ceiling"),
                new Row(
                    "whose rows are whose",
                    terms.unitColumn().isEmpty()
                        ? "each " + terms.unit() + " was declared to have one row"
                        : "the column " + terms.unitColumn() + " tells"),
                new Row("neighbouring", terms.neighbouring().label()),
                new Row("taken over from another account", state.follows()),
                new Row(
                    "files of these people",
                    state.files().stream().map(ListedFile::path).collect(Collectors.joining(", "))),
                new Row("goes on as", state.next().map(AccountState.Successor::place).orElse("")))
            .filter(row -> !row.value().isEmpty()));
  }

  private String verify() {
    return "<p>When this page was made, the account had <b>"
        + Html.count(state.head().length())
        + (state.head().length() == 1 ? " line" : " lines")
        + "</b>, and the hash of the last was</p><pre><code>"
        + state.head().hash()
        + "</code></pre>\n<p>Each line names the hash of the line before, so nobody can change,"
        + " remove or move one without changing this hash. Whoever has the account can check it,"
        + " and can ask whether it still knows what a run's folder knows of it:</p>"
        + "<pre><code>discreet account verify ACCOUNT --against RUN</code></pre>\n";
  }
}
