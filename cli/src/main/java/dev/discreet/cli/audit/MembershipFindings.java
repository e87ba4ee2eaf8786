package dev.discreet.cli.audit;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.membership.LikelihoodRatio;
import dev.discreet.audit.membership.MembershipAttack;
import dev.discreet.audit.membership.MembershipAudit;
import dev.discreet.audit.membership.MembershipGame;
import dev.discreet.audit.membership.MembershipRows;
import dev.discreet.audit.membership.RocCurve;
import dev.discreet.cli.console.Table;
import dev.discreet.report.AuditReport;
import dev.discreet.report.TrainingReport.Row;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What an audit of membership found, as a console, a file and a page say it. */
final class MembershipFindings {
  private static final double[] RATES = {0.001, 0.01};

  private final MembershipAudit audit;
  private final String model;
  private final Optional<AuditReport.Certificate> certificate;
  private final List<MembershipAttack> attacks;
  private final double confidence;

  /**
   * @param privacy what a finished run says of itself; empty for a target that was trained here
   * @param ledger empty where nothing is promised
   */
  MembershipFindings(
      MembershipAudit audit, Optional<String> privacy, Optional<Ledger> ledger, double confidence) {
    this.audit = audit;
    attacks = audit.attacks(1 - confidence);
    this.confidence = confidence;
    certificate =
        ledger.map(
            each ->
                new AuditReport.Certificate(
                    ClaimedCurve.of(each),
                    new PldAccountant().epsilon(each, audit.game().delta())));
    model =
        privacy.orElseGet(
            () ->
                certificate
                    .map(each -> "trained here with a random half; its plan: " + words(each.cost()))
                    .orElse("trained here with a random half; NOT PRIVATE"));
  }

  private static String words(Guarantee cost) {
    return "epsilon " + Digits.up(cost.epsilon()) + " at delta " + Digits.exact(cost.delta());
  }

  private MembershipRows rows() {
    return audit.game().rows();
  }

  private RocCurve any() {
    return attacks.get(0).curve();
  }

  /** Where no coins decided who is in, the sides may differ in more than that. */
  private Optional<Double> bound(MembershipAttack attack) {
    return rows().byChance() ? Optional.of(attack.bound().epsilon()) : Optional.empty();
  }

  /**
   * Whether an attack proves more than the ledger certifies, at a confidence in all attacks
   * together; empty where nothing is certified, or no bound follows.
   */
  Optional<Boolean> refuted() {
    if (!rows().byChance()) {
      return Optional.empty();
    }
    return certificate.map(
        each ->
            audit.attacks((1 - confidence) / attacks.size()).stream()
                .anyMatch(attack -> attack.bound().epsilon() > each.cost().epsilon()));
  }

  private String verdict() {
    return refuted()
        .map(refuted -> refuted ? "REFUTED" : "not refuted")
        .orElse(certificate.isEmpty() ? "none: nothing is certified" : "none: no bound follows");
  }

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("notice", MembershipGame.NOTICE);
    fields.put("model", model);
    fields.put("data", rows().data().name());
    fields.put("members", any().members());
    fields.put("others", any().others());
    fields.put("drawnByCoins", rows().byChance());
    fields.put("shadows", audit.shadows().size());
    fields.put("confidence", confidence);
    fields.put("delta", audit.game().delta());
    List<Object> all = new ArrayList<>();
    for (MembershipAttack attack : attacks) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("attack", attack.name());
      one.put("area", attack.curve().area());
      for (double rate : RATES) {
        one.put(at(rate), attack.curve().truePositiveRate(rate));
      }
      bound(attack).ifPresent(epsilon -> one.put("epsilonLower", epsilon));
      all.add(one);
    }
    fields.put("attacks", all);
    certificate.ifPresent(
        each -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("epsilon", each.cost().epsilon());
          for (double rate : RATES) {
            one.put(at(rate), each.curve().truePositiveRate(rate));
          }
          fields.put("certified", one);
        });
    refuted().ifPresent(each -> fields.put("refuted", each));
    return fields;
  }

  private static String at(double falsePositives) {
    return "truePositiveRateAt" + Digits.shortest(falsePositives);
  }

  void print(PrintWriter to) {
    to.println(MembershipGame.NOTICE);
    new Table()
        .row("model", model)
        .row("data", rows().data().name())
        .row(
            "players",
            String.format(
                Locale.ROOT,
                "%,d members, %,d others%s",
                any().members(),
                any().others(),
                rows().byChance() ? "" : ", whom no coins told apart: no bound follows"))
        .row("shadows", Integer.toString(audit.shadows().size()))
        .print(to);
    to.println();
    Table table = new Table();
    table.row(
        "attack",
        "area",
        "found at 0.1%",
        "found at 1%",
        "epsilon at confidence " + Digits.shortest(confidence));
    for (MembershipAttack attack : attacks) {
      table.row(
          attack.name(),
          String.format(Locale.ROOT, "%.3f", attack.curve().area()),
          percent(attack.curve().truePositiveRate(RATES[0])),
          percent(attack.curve().truePositiveRate(RATES[1])),
          bound(attack).map(each -> "at least " + Digits.down(each)).orElse("no bound"));
    }
    certificate.ifPresent(
        each ->
            table.row(
                "certified, any attack",
                "",
                "at most " + percent(each.curve().truePositiveRate(RATES[0])),
                "at most " + percent(each.curve().truePositiveRate(RATES[1])),
                "at most " + Digits.up(each.cost().epsilon())));
    table.print(to);
    to.println();
    to.println("verdict: " + verdict());
    to.println(
        "Found: the share of members that are accused where that share of the others is. A low"
            + " figure proves nothing.");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }

  AuditReport page(String command) {
    return new AuditReport(
        "Who was in the data?",
        MembershipGame.NOTICE,
        "Membership inference on a model of "
            + rows().data().name()
            + ". The figures are lower bounds on what the model gives away; a low one proves"
            + " nothing.",
        attacks.stream()
            .map(each -> new AuditReport.Attacker(each.name(), each.curve(), bound(each)))
            .toList(),
        certificate,
        confidence,
        game(),
        facts(),
        command);
  }

  private List<String> game() {
    List<String> text = new ArrayList<>();
    text.add(
        rows().byChance()
            ? "For each player a fair coin decided whether the model was trained with it,"
                + " independently of the others. The attacker has the model, every row and the"
                + " recipe, but not the coins."
            : "Who was in was decided by whoever published the data, not by coins: the two sides"
                + " may differ in more than membership. So the figures say how well the sides are"
                + " told apart, and no bound on epsilon follows.");
    if (!audit.shadows().isEmpty()) {
      text.add(
          "The attacker trained "
              + audit.shadows().size()
              + " shadow models by the same recipe, each with a random half of the players, and so"
              + " knows how a player's confidence is spread with it and without it. "
              + (audit.shadows().size() / 2 < LikelihoodRatio.OWN_VARIANCE
                  ? "They are few, so one variance serves all players. "
                  : "")
              + "The shadows were deleted; only their scores are kept.");
    }
    text.add(
        "What is found bounds epsilon from below. The certificate bounds it from above, for every"
            + " attack that there can be.");
    return text;
  }

  private List<Row> facts() {
    return List.of(
        new Row("model", model),
        new Row("data", rows().data().name()),
        new Row("a player is one", audit.game().unit()),
        new Row("members among the players", Integer.toString(any().members())),
        new Row("others among the players", Integer.toString(any().others())),
        new Row("members who do not play", Integer.toString(rows().always().length)),
        new Row("shadow models", Integer.toString(audit.shadows().size())),
        new Row("verdict", verdict()));
  }
}
