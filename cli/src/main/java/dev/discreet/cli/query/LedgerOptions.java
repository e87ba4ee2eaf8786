package dev.discreet.cli.query;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.privacy.journal.SpentSoFar;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      description =
          "With a new --ledger: what all answers may cost together, however they are chosen;"
              + " what would cost more is refused, now and later.")
  private Double budgetEpsilon;

  @Option(
      names = "--budget-delta",
      paramLabel = "D",
      converter = Quantity.Delta.class,
      description =
          "The delta of the budget, or at which the ledger is read. Default: 0, or --delta.")
  private Double budgetDelta;

  /** Null for none. */
  Path file() {
    return file;
  }

  /** A session in which releases of that cost are within the budget. */
  PrivacySession open(Ledger next, String unit, Randomness randomness, Budget account) {
    Neighbouring relation = next.neighbouring();
    if (file == null && (budgetEpsilon != null || budgetDelta != null)) {
      throw new IllegalArgumentException(
          "--ledger FILE is missing, which a budget needs to know what was spent");
    }
    if (budgetEpsilon != null && budgetDelta == null && !isPure(next)) {
      Usage.needed(List.of("--budget-delta D"));
    }
    if (file == null) {
      return PrivacySession.open(Journal.inMemory(relation), randomness, account);
    }
    Journal journal = Journal.file(file, relation, unit);
    try {
      if (budgetEpsilon != null) {
        journal.budget(new PrivacyFilter(budgetEpsilon, budgetDelta == null ? 0 : budgetDelta));
      }
      journal.refuseBeyondBudget(journal.ledger().plus(next));
      return PrivacySession.open(journal, randomness, account);
    } catch (RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  private static boolean isPure(Ledger next) {
    return next.totals().keySet().stream()
        .allMatch(
            each -> each instanceof Mechanism.Laplace || each instanceof Mechanism.Exponential);
  }

  private double delta(double answers) {
    return budgetDelta == null ? answers : budgetDelta;
  }

  /** Nothing where there is no ledger file. */
  Map<String, Object> fields(PrivacySession session, double answersDelta) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (file != null) {
      SpentSoFar standing = session.spent(delta(answersDelta));
      fields.put("spentEpsilon", standing.epsilon());
      fields.put("spentDelta", standing.delta());
      fields.put("spentHolds", standing.holds());
      session.budget().ifPresent(budget -> fields.put("budgetEpsilon", budget.epsilon()));
    }
    return fields;
  }

  /** What the ledger has, in words; empty where there is no ledger file. */
  Optional<String> standing(PrivacySession session) {
    return file == null ? Optional.empty() : Optional.of(session.spent(delta(0)).words());
  }

  /**
   * Says what the ledger has.
   *
   * @param isCharged whether an account remembers what this cost
   */
  void row(Table table, PrivacySession session, double answersDelta, boolean isCharged) {
    if (file != null) {
      table.row("ledger", session.spent(delta(answersDelta)).words());
    } else if (!isCharged) {
      table.row(
          "ledger", "none: nothing is written, so remember what this cost (or give --ledger)");
    }
  }
}
