package dev.discreet.algorithms.regression;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PrivacyStatement;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.train.Privacy;

/**
 * A fitted model and what it cost. All of it may be released: it holds only what went through the
 * privacy session and what was declared, unless it is non-private by name, and then it says so.
 *
 * @param privacy guarantee, ledger and statement
 */
public record RegressionResult(LinearModel model, Privacy privacy) {

  /** Everything that the session released is in the cost, what it released before too. */
  static RegressionResult of(LinearModel model, PrivacySession session, String unit, double delta) {
    if (!session.isPrivate()) {
      return new RegressionResult(model, new Privacy.NonPrivate(session.isSecure()));
    }
    PrivacyStatement statement = PrivacyStatement.of(unit, session.ledger(), delta);
    return new RegressionResult(
        model,
        new Privacy.Guaranteed(
            statement.ledger(), statement.guarantee(), statement.text(), session.isSecure()));
  }

  /** Refused before anything is charged, for a statement is written last. */
  static void checkUnit(String unit) {
    Check.that(!unit.isBlank() && Check.oneLine(unit), "unit", "a singular noun on one line", unit);
  }
}
