package dev.discreet.report;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.membership.RocCurve;
import java.util.List;
import java.util.Optional;

/**
 * The page about an audit: what attackers found out, beside what the certificate allows any
 * attacker. It is computed from private rows, and is the operator's: the first line says so.
 *
 * @param title the heading of the page
 * @param notice what must not be done with the page
 * @param lead one paragraph under the title
 * @param attackers at least one
 * @param certificate empty where nothing is promised
 * @param confidence that a bound of one attacker holds, in (0, 1)
 * @param game how it was played, by paragraphs
 * @param facts lines of a table
 * @param command that makes the page again
 */
public record AuditReport(
    String title,
    String notice,
    String lead,
    List<Attacker> attackers,
    Optional<Certificate> certificate,
    double confidence,
    List<String> game,
    List<TrainingReport.Row> facts,
    String command) {

  /**
   * What one attacker found out.
   *
   * @param name in words
   * @param epsilonAtLeast what it proves; 0 for nothing, empty where no bound follows
   */
  public record Attacker(String name, RocCurve curve, Optional<Double> epsilonAtLeast) {}

  /**
   * What is promised.
   *
   * @param curve the most that any attacker can reach
   * @param cost the same as one pair
   */
  public record Certificate(ClaimedCurve curve, Guarantee cost) {}

  public AuditReport {
    Check.that(!attackers.isEmpty(), "attackers", "at least one", "none");
    attackers = List.copyOf(attackers);
    game = List.copyOf(game);
    facts = List.copyOf(facts);
  }

  /** One file that needs no other and asks the network for nothing. To be written as UTF-8. */
  public String html() {
    return new AuditPage(this).html();
  }
}
