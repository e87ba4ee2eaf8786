package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.ResolvedPlan;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The one release of a run's score on its held-out units. */
public record HeldOutScore(TestSet.Released test, Mechanism.Gaussian mechanism) {

  public HeldOutScore(TestSet.Released test, Mechanism.Gaussian mechanism, ResolvedPlan plan) {
    this(test, mechanism);
    // A journal must tell the two apart, or a resumed run could not say what it has done.
    Check.that(
        !plan.ledger(plan.steps()).totals().containsKey(mechanism),
        "noise multiplier of the held-out score",
        "another than that of a step",
        mechanism.noiseMultiplier());
  }

  /**
   * What came of it.
   *
   * @param refused how many examples are none and scored 0; the operator's own
   */
  public record Outcome(NoisyScore score, long refused) {}

  /** Charges the release, and then makes it. */
  public Outcome release(PrivacySession session, Engine engine, Layout layout, float[] parameters) {
    AtomicLong refused = new AtomicLong();
    NoisyValue noisy =
        session.release(
            mechanism,
            id -> {
              HeldOutSum sum =
                  HeldOutSum.of(test.rows(), engine, layout, parameters, test.allFigures());
              refused.set(sum.refused());
              return sum;
            });
    return new Outcome(
        NoisyScore.of(layout, test, noisy, mechanism.noiseMultiplier()), refused.get());
  }

  /** What a privacy statement says about it, once it is charged. */
  public StatementParagraph statement(String unit, Optional<NoisyScore> score) {
    String value =
        score
            .map(
                known ->
                    String.format(
                        Locale.ROOT,
                        "The %s on held-out %ss, one of the releases above, is %.4f, with noise of"
                            + " standard error %.4f%s.%s",
                        known.accuracy()
                            ? "accuracy"
                            : "score (1 less the mean squared error of labels scaled to [0, 1])",
                        unit,
                        known.value(),
                        known.standardError(),
                        known.saysNothing() ? ", so much that it says nothing" : "",
                        Double.isNaN(known.labelVariance())
                            ? ""
                            : " How labels vary left with it, as noisy."))
            .orElse("A score on held-out " + unit + "s is one of the releases above.");
    return new StatementParagraph(
        "Held out",
        value
            + (" The number of held-out " + unit + "s, " + test.declaredUnits())
            + (test.follows()
                ? ", follows from the declared number and the share held out."
                : test.declared().isPresent()
                    ? ", was declared public."
                    : ", was taken as public because none was declared (declare one with"
                        + " --declared-held-out, or in Java declaring)."));
  }
}
