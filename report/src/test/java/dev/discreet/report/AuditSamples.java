package dev.discreet.report;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.membership.RocCurve;
import dev.discreet.report.AuditReport.Attacker;
import dev.discreet.report.AuditReport.Certificate;
import dev.discreet.report.TrainingReport.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Pages about audits as they come, and some that are hard to lay out. */
final class AuditSamples {
  static final String NOTICE = "OUTSIDE THE GUARANTEE: computed from private rows without noise.";

  private AuditSamples() {}

  static Map<String, Supplier<AuditReport>> all() {
    Map<String, Supplier<AuditReport>> all = new LinkedHashMap<>();
    all.put("private", () -> report(2000, 0.1, Optional.of(1.2)));
    all.put("weak", () -> report(200, 0.3, Optional.of(0.25)));
    all.put("non-private", () -> report(20000, 1.5, Optional.empty()));
    return all;
  }

  /**
   * @param apart how far the scores of members are above those of others, in deviations
   * @param noise multiplier of one Gaussian release; empty for no promise
   */
  static AuditReport report(int players, double apart, Optional<Double> noise) {
    Optional<Ledger> ledger =
        noise.map(each -> Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(each), 1));
    return new AuditReport(
        "Who was in the data?",
        NOTICE,
        "Membership inference on a model of <digits>.",
        List.of(
            new Attacker("loss threshold", curve(players, apart / 2, 1), Optional.of(0.0)),
            new Attacker("likelihood ratio", curve(players, apart, 2), Optional.of(0.123456789)),
            new Attacker(
                "likelihood ratio, offline", curve(players, apart * 0.8, 3), Optional.empty())),
        ledger.map(
            each ->
                new Certificate(
                    ClaimedCurve.of(each), new PldAccountant(1e-3).epsilon(each, 1e-6))),
        0.95,
        List.of("For each player a fair coin decided.", "The attacker trained 16 shadow models."),
        List.of(new Row("model", "trained here"), new Row("data", "digits")),
        "discreet audit membership --attack lira --shadows 16");
  }

  private static RocCurve curve(int players, double apart, long seed) {
    Random random = new Random(seed);
    return RocCurve.of(
        random.doubles(players / 2).map(x -> random.nextGaussian() + apart).toArray(),
        random.doubles(players / 2).map(x -> random.nextGaussian()).toArray());
  }
}
