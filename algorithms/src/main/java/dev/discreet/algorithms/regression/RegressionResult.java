package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PrivacyStatement;
import dev.discreet.core.engine.PrivateRows;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.train.Privacy;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fitted model and what it cost. All of it may be released: it holds only what went through the
 * privacy session and what was declared, unless it is non-private by name, and then it says so.
 *
 * @param privacy guarantee, ledger and statement
 * @param stated what the statement was written from; empty where nothing is promised
 */
public record RegressionResult(
    LinearModel model, Privacy privacy, Optional<PrivacyStatement> stated) {

  /** Without a promise. */
  RegressionResult(LinearModel model, Privacy.NonPrivate privacy) {
    this(model, privacy, Optional.empty());
  }

  /**
   * The same, stated of so many units: a public number, which decides whether δ is small.
   *
   * @param declared whether somebody declared it; if not, it was taken as public
   */
  public RegressionResult among(long units, boolean declared) {
    if (!(privacy instanceof Privacy.Guaranteed kept)) {
      return this;
    }
    PrivacyStatement of = stated.orElseThrow().among(units);
    String beside =
        "\nPublic: The number of "
            + of.unit()
            + "s, "
            + units
            + (declared
                ? ", was declared public.\n"
                : ", was taken as public because none was declared\n  (declare one with --declared-units).\n");
    // What was declared stands after the statement, and stays.
    String text = of.text() + kept.text().substring(stated.get().text().length()) + beside;
    return new RegressionResult(
        model,
        new Privacy.Guaranteed(LedgerFile.of(of, declared), kept.guarantee(), text, kept.secure()),
        Optional.of(of));
  }

  /** Everything that the session released is in the cost, what it released before too. */
  static RegressionResult of(
      LinearModel model, PrivacySession session, PrivacyUnit unit, String declared, double delta) {
    if (!session.isPrivate()) {
      return new RegressionResult(model, new Privacy.NonPrivate(session.isSecure()));
    }
    PrivacyStatement statement = PrivacyStatement.of(unit.noun(), session.ledger(), delta);
    return new RegressionResult(
        model,
        new Privacy.Guaranteed(
            LedgerFile.of(statement, false),
            statement.guarantee(),
            statement.text() + (declared.isEmpty() ? "" : "\nDeclared: " + declared + "\n"),
            session.isSecure()),
        Optional.of(statement));
  }

  /**
   * Refused before anything is charged, for a statement is written last.
   *
   * @return what the statement is to say of what was declared
   */
  static String check(PrivateRows rows, PrivacySession session, PrivacyUnit unit) {
    unit.check(rows.rowsAreUnits());
    rows.check(session.ledger().neighbouring());
    return Stream.of(unit.declared(), rows.declared(unit.noun()), chosen(session))
        .filter(each -> !each.isBlank())
        .collect(Collectors.joining(" "));
  }

  /** Where there were releases before, this one may have been chosen by them. */
  private static String chosen(PrivacySession session) {
    if (session.ledger().entries().isEmpty()) {
      return "";
    }
    return "Earlier releases are in this cost: as stated it holds if all were fixed before the first"
        + " was seen."
        + session
            .budget()
            .map(
                budget ->
                    (" However they were chosen, epsilon " + Digits.exact(budget.epsilon()))
                        + (" at delta " + Digits.exact(budget.delta()))
                        + ", the budget that was fixed first, holds.")
            .orElse("");
  }
}
