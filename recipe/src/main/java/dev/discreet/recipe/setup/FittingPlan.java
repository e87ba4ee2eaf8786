package dev.discreet.recipe.setup;

import dev.discreet.account.AccountState;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.calibration.Calibration;
import dev.discreet.accounting.math.Bisection;
import dev.discreet.core.privacy.ResolvedPlan;

/**
 * What an account has room for in the place of a plan that is too much for it.
 *
 * @param plan with noise
 */
record FittingPlan(AccountState state, ResolvedPlan plan) {

  /** One sentence. */
  String words() {
    if (!fits(plan.ledgerUpTo(0))) {
      return "Nothing would fit: what is released besides the steps is too much already";
    }
    long steps = Bisection.most(n -> fits(plan.ledgerUpTo(n)), plan.steps());
    String fewer =
        steps == 0
            ? "not one step at this noise"
            : steps + " of its " + plan.steps() + " steps at this noise";
    String noisier =
        Calibration.leastNoise(this::fits, plan::ledgerAtNoise)
            .map(
                factor ->
                    "all of its steps at noise multiplier "
                        + Digits.up(factor * plan.multiplier(0))
                        + " in place of "
                        + Digits.plain(plan.multiplier(0)))
            .orElse("no noise is enough for all of its steps");
    return "What would fit: " + fewer + ", or " + noisier;
  }

  private boolean fits(Ledger ledger) {
    return state.fits(state.terms().cost(ledger));
  }
}
