package dev.discreet.accounting.statement;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A privacy statement in plain words. */
final class StatementText {
  static final String HEADING = "PRIVACY STATEMENT";

  // A longer ledger is told by its first entries only.
  private static final int MOST_ENTRIES = 8;

  private final PrivacyStatement statement;
  private final Guarantee guarantee;
  private final String unit;
  private final List<StatementParagraph> paragraphs = new ArrayList<>();

  StatementText(PrivacyStatement statement) {
    this.statement = statement;
    this.guarantee = statement.guarantee();
    this.unit = statement.unit();
  }

  List<StatementParagraph> paragraphs() {
    paragraphs.clear();
    boolean promises = statement.promises();
    add("Promise", promise() + ", delta = " + Digits.exact(guarantee.delta()) + ".");
    statement.weaknesses().forEach(weak -> add("WEAK PROMISE", weak + "."));
    if (promises) {
      add("What that means", meaning());
    }
    add("Who is protected", (promises ? "Each single " + unit : "No " + unit) + ". " + relation());
    add(statement.declared() ? "What is released, as declared" : "What was released", releases());
    if (statement.declared()) {
      add(
          "What it depends on",
          "The above was declared, not recorded while it happened. It is true only if each step"
              + " really clips what one "
              + unit
              + " can contribute, samples and adds its noise as declared.");
    }
    add("Accountant", accountant());
    add("What an attacker could do", attack());
    if (promises) {
      addCoverage();
    } else {
      add("Covered", "Nothing.");
    }
    if (!statement.conditions().isEmpty()) {
      add("Conditions", String.join(" ", statement.conditions()));
    }
    return List.copyOf(paragraphs);
  }

  private void add(String title, String body) {
    paragraphs.add(new StatementParagraph(title, body));
  }

  private String promise() {
    if (!statement.promises()) {
      return "None. There is no guarantee: no finite epsilon (" + guarantee.note() + ")";
    }
    String epsilon = Digits.up(guarantee.epsilon());
    return "epsilon = "
        + epsilon
        + (lowerEndIsKnown()
            ? String.format(
                " (certified: the true value lies between %s and %s)",
                Digits.down(guarantee.epsilonLower()), epsilon)
            : " (certified: the true value is not above it)");
  }

  private String meaning() {
    return "Epsilon bounds how much one "
        + unit
        + " can matter: no result becomes more than e^epsilon times as likely because of that "
        + (unit + " (at 0.1 about 1.1 times, ")
        + "at 1 about 2.7 times, at 10 about 22000 times). Delta is the probability by which that "
        + ("bound may be missed: at worst, the chance that the " + unit + " is exposed outright.");
  }

  String attack() {
    String wrong = Digits.plain(100 * PrivacyStatement.FALSE_POSITIVES) + "%";
    double right = roundUp(statement.truePositiveRate());
    return "Someone who sees everything released, knows all other data"
        + attack(wrong, String.format(Locale.ROOT, "%.2f%%", 100 * right))
        + (" Guessing blindly reaches " + wrong + ".");
  }

  /** What the best test between neighbours means, by what neighbours are. */
  private String attack(String wrong, String right) {
    return switch (statement.relation()) {
      case ADD_REMOVE ->
          (" and wrongly accuses " + wrong + " of the absent")
              + (" can recognise at most " + right + " of the present.");
      case REPLACE_ONE ->
          (", must choose between two records that one " + unit + " may have")
              + (" and is wrong for " + wrong + " of those who have the first")
              + (" can be right for at most " + right + " of those who have the second.");
      case ZERO_OUT ->
          (" and wrongly accuses " + wrong + " of those whose contribution was set to zero")
              + (" can recognise at most " + right + " of the others.");
    };
  }

  private boolean lowerEndIsKnown() {
    return guarantee.epsilonLower() > 0 || guarantee.epsilon() == 0;
  }

  private void addCoverage() {
    add(
        "Covered",
        "Everything computed from the noisy releases listed above, now or later, by anyone and with"
            + " any other knowledge.");
    add(
        "Not covered",
        "What the data of all others tell about one "
            + unit
            + "; several "
            + unit
            + "s that have to do with each other, such as those of one family (the promise weakens"
            + " with each); releases not listed above; what the operator saw while the program ran;"
            + " access to the machine, its memory or its random generator.");
  }

  private String relation() {
    return switch (statement.relation()) {
      case ADD_REMOVE -> "Compared are the data with and without one " + unit + " (add/remove).";
      case REPLACE_ONE ->
          "Compared are data in which one "
              + (unit + " is replaced by another (replace-one); the number of ")
              + (unit + "s is not protected.");
      case ZERO_OUT ->
          "Compared are the data as they are and with the contribution of one "
              + (unit + " set to zero (zero-out); the number of ")
              + (unit + "s is not protected.");
    };
  }

  private String releases() {
    List<String> all = statement.releases();
    if (all.isEmpty()) {
      return "Nothing.";
    }
    int shown = Math.min(all.size(), MOST_ENTRIES);
    String list = String.join("; ", all.subList(0, shown));
    return list + (all.size() > shown ? "; and " + (all.size() - shown) + " more entries." : ".");
  }

  private String accountant() {
    String name = guarantee.accountant();
    String method =
        switch (name) {
          case "pld" -> "Privacy loss distributions (pld)";
          case "rdp" -> "Renyi differential privacy (rdp)";
          case "moments" -> "The moments accountant (moments)";
          case "strong" -> "Strong composition (strong)";
          case "sequential" -> "Sequential composition (sequential)";
          default -> name;
        };
    if (!statement.promises()) {
      return method + ".";
    }
    return method
        + (lowerEndIsKnown() ? ", both ends certified" : ", an upper bound")
        + (name.equals("pld")
            ? "; discretisation, truncation and floating-point error are charged to the upper end."
            : ".")
        + (guarantee.note().isEmpty() ? "" : " Note: " + guarantee.note() + ".");
  }

  /** To four digits, never below the value: a statement may promise less, not more. */
  private static double roundUp(double value) {
    return Double.isInfinite(value)
        ? value
        : BigDecimal.valueOf(value).setScale(4, RoundingMode.CEILING).doubleValue();
  }
}
