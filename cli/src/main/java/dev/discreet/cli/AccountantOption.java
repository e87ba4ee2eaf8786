package dev.discreet.cli;

import dev.discreet.accounting.Accountant;
import picocli.CommandLine.Option;

/** The option that chooses the accountant. */
final class AccountantOption {
  static final String NAME = "--accountant";

  @Option(
      names = NAME,
      paramLabel = "NAME",
      defaultValue = "pld",
      description =
          "pld (tightest, certified on both sides), rdp, moments, strong, sequential or gdp (an"
              + " approximation, not a guarantee). Default: ${DEFAULT-VALUE}.")
  private Accountant accountant;

  Accountant accountant() {
    return accountant;
  }
}
