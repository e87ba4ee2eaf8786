package dev.discreet.algorithms.regression;

import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A fitted model and what it cost. All of it may be released: it holds only what went through the
 * privacy session and what was declared. A result that is non-private by name is the exception, and
 * says so.
 *
 * <pre>{@code
 * RegressionResult result =
 *     FunctionalMechanism.linear(bounds, 0.8).fit(session, examples, Units.each(1_000), "patient");
 * System.out.println(result.privacy().statement());
 * }</pre>
 *
 * @param model what was fitted, for examples in their own units
 * @param privacy guarantee, ledger and statement
 * @param sums what was released of the rows, from which intervals follow
 */
@PublicApi
public record RegressionResult(LinearModel model, Privacy privacy, NoisySums sums) {

  /**
   * The same result, stated for this number of units. The number is public, and decides whether δ
   * is small.
   *
   * @param units how many there are
   * @param declared whether somebody declared it; if not, it was taken as public
   * @return that result; this one stays as it is
   */
  public RegressionResult among(long units, boolean declared) {
    if (!(privacy instanceof Privacy.Guaranteed kept)) {
      return this;
    }
    PrivacyStatement of = kept.stated().among(units);
    List<StatementParagraph> notes = new ArrayList<>(kept.notes());
    notes.add(
        new StatementParagraph(
            "Public",
            "The number of "
                + of.unit()
                + "s, "
                + units
                + (declared
                    ? ", was declared public."
                    : ", was taken as public because none was declared (declare one with"
                        + " --declared-units).")));
    return new RegressionResult(
        model,
        new Privacy.Guaranteed(
            of.file(declared).on(kept.file().conditions()), of, notes, kept.secure()),
        sums);
  }

  /**
   * What the cost depends on, as it was before anything was charged.
   *
   * @param declared what somebody declared; may be empty
   * @param first whether nothing was released before, so that nothing could be chosen by it
   */
  record Before(String declared, boolean first) {}

  /** The cost includes everything that the session released, also before this fit. */
  static RegressionResult of(
      LinearModel model,
      NoisySums sums,
      PrivacySession session,
      PrivacyUnit unit,
      Before before,
      double delta) {
    if (!session.isPrivate()) {
      return new RegressionResult(model, new Privacy.NonPrivate(session.isSecure()), sums);
    }
    PrivacyStatement statement = PrivacyStatement.of(unit.noun(), session.ledger(), delta);
    String chosen = before.first ? "" : session.spent(delta).condition(delta);
    List<StatementParagraph> notes = new ArrayList<>();
    if (!before.declared.isEmpty()) {
      notes.add(new StatementParagraph("Declared", before.declared));
    }
    if (!chosen.isEmpty()) {
      notes.add(new StatementParagraph("Chosen", chosen));
    }
    return new RegressionResult(
        model,
        new Privacy.Guaranteed(
            statement.file(false).on(before.declared, chosen),
            statement,
            notes,
            session.isSecure()),
        sums);
  }

  /** Refuses before anything is charged, because the statement is written last. */
  static Before check(PrivateData data, PrivacySession session, PrivacyUnit unit) {
    data.check(unit);
    data.check(session.ledger().neighbouring());
    String declared = (unit.declared() + " " + data.declared(unit.noun())).strip();
    session.condition(declared);
    return new Before(declared, session.ledger().entries().isEmpty());
  }
}
