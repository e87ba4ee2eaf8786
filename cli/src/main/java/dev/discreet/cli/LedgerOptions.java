package dev.discreet.cli;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.TheoremAccountant;
import dev.discreet.core.privacy.Journal;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** A ledger file that only grows, and what may be spent on it in all. */
final class LedgerOptions {
  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description =
          "A file that remembers what was spent on one set of people; made where there is none.")
  private Path file;

  @Option(
      names = "--budget-epsilon",
      paramLabel = "E",
      converter = Quantity.TargetEpsilon.class,
      description = "With --ledger: refuse what would make it cost more than this in all.")
  private Double budgetEpsilon;

  @Option(
      names = "--budget-delta",
      paramLabel = "D",
      converter = Quantity.Delta.class,
      description = "The delta at which the ledger is read. Default: 0, or --delta.")
  private Double budgetDelta;

  /** A session in which one release of that mechanism is within the budget. */
  PrivacySession open(Mechanism next, Neighbouring relation, String unit, Randomness randomness) {
    if (file == null && (budgetEpsilon != null || budgetDelta != null)) {
      throw new IllegalArgumentException(
          "--ledger FILE is missing, which a budget needs to know what was spent");
    }
    if (budgetEpsilon != null && next instanceof Mechanism.Gaussian && budgetDelta == null) {
      Usage.needed(List.of("--budget-delta D"));
    }
    if (file == null) {
      return PrivacySession.open(Journal.inMemory(relation), randomness);
    }
    Journal journal = Journal.file(file, relation, unit);
    try {
      check(journal.ledger().plus(next, 1));
      return PrivacySession.open(journal, randomness);
    } catch (RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  private void check(Ledger after) {
    if (budgetEpsilon != null) {
      double delta = budgetDelta == null ? 0 : budgetDelta;
      double cost = spent(after, delta);
      // The accountant's own rounding is not a breach: 0.1 and 0.2 are 0.3.
      Check.that(
          cost <= budgetEpsilon * (1 + 1e-9),
          "budget epsilon",
          "at least "
              + Digits.up(cost)
              + " at delta "
              + Digits.exact(delta)
              + ", for what was spent and this answer",
          budgetEpsilon);
    }
  }

  private static double spent(Ledger ledger, double delta) {
    double tight = new PldAccountant().epsilon(ledger, delta).epsilon();
    // Both are upper bounds. A sum of pure costs has no margin for the accountant's rounding.
    return delta > 0
        ? tight
        : Math.min(tight, TheoremAccountant.sequential().epsilon(ledger, 0).epsilon());
  }

  private double delta(double answers) {
    return budgetDelta == null ? answers : budgetDelta;
  }

  /** Nothing where there is no ledger file. */
  Map<String, Object> fields(Ledger ledger, double answersDelta) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (file != null) {
      fields.put("spentEpsilon", spent(ledger, delta(answersDelta)));
      fields.put("spentDelta", delta(answersDelta));
    }
    return fields;
  }

  void row(Table table, Ledger ledger, double answersDelta) {
    if (file != null) {
      double delta = delta(answersDelta);
      table.row(
          "ledger",
          "epsilon "
              + Digits.up(spent(ledger, delta))
              + " at delta "
              + Digits.exact(delta)
              + " spent in all"
              + (budgetEpsilon == null ? "" : ", of " + Digits.exact(budgetEpsilon)));
    } else {
      table.row(
          "ledger", "none: nothing is written, so remember what this cost (or give --ledger)");
    }
  }
}
