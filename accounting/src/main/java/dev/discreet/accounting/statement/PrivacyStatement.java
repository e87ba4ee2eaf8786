package dev.discreet.accounting.statement;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PldAccountant;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a release promises, in plain words for the person who signs for it. Only a {@link Guarantee}
 * can be stated; an infinite one is told as what it is, no promise.
 *
 * @param unit who is protected, as a singular noun: "example", "patient", …
 * @param declared whether the ledger says what somebody declares, as opposed to what a session
 *     wrote down while it released
 * @param units the public number of those who are protected; 0 where it is not known
 */
public record PrivacyStatement(
    String unit,
    Ledger ledger,
    Guarantee guarantee,
    double truePositiveRate,
    boolean declared,
    long units) {
  private static final double FALSE_POSITIVES = 0.01;
  private static final int WIDTH = 88;

  // Most of the time of a statement goes into the attack. A looser bracket is as certified, takes
  // about half of it, and states a rate that is at most about 1% higher.
  private static final double ATTACK_TOLERANCE = 1e-2;

  public PrivacyStatement {
    // Nobody may slip a paragraph of his own into a statement that others sign.
    Check.that(!unit.isBlank() && Check.oneLine(unit), "unit", "a singular noun on one line", unit);
    Check.that(
        Check.oneLine(guarantee.accountant()), "accountant", "on one line", guarantee.accountant());
    Check.that(Check.oneLine(guarantee.note()), "note", "on one line", guarantee.note());
  }

  /** Of what was released. */
  public PrivacyStatement(
      String unit, Ledger ledger, Guarantee guarantee, double truePositiveRate) {
    this(unit, ledger, guarantee, truePositiveRate, false, 0);
  }

  /** Of what was released. */
  public static PrivacyStatement of(String unit, Ledger ledger, double delta) {
    return of(unit, ledger, delta, false);
  }

  public static PrivacyStatement of(String unit, Ledger ledger, double delta, boolean declared) {
    return new PrivacyStatement(
        unit,
        ledger,
        new PldAccountant().epsilon(ledger, delta),
        new TradeOff(new PldAccountant(ATTACK_TOLERANCE), ledger).truePositiveRate(FALSE_POSITIVES),
        declared,
        0);
  }

  /** Of so many, a public number: whether δ is small enough depends on it. */
  public PrivacyStatement among(long publicNumber) {
    return new PrivacyStatement(unit, ledger, guarantee, truePositiveRate, declared, publicNumber);
  }

  /**
   * The ledger as a file keeps it.
   *
   * @param unitsDeclared whether somebody declared the number of units
   */
  public LedgerFile file(boolean unitsDeclared) {
    return new LedgerFile(ledger, unit, units, unitsDeclared, guarantee.accountant());
  }

  private boolean promises() {
    return Double.isFinite(guarantee.epsilon());
  }

  public String text() {
    StringBuilder text = new StringBuilder("PRIVACY STATEMENT\n\n");
    paragraph(text, "Promise", promise() + ", delta = " + Digits.exact(guarantee.delta()) + ".");
    for (String weak : WeakPromise.of(guarantee, unit, units)) {
      paragraph(text, "WEAK PROMISE", weak + ".");
    }
    if (promises()) {
      paragraph(text, "What that means", meaning());
    }
    paragraph(
        text,
        "Who is protected",
        (promises() ? "Each single " + unit : "No " + unit) + ". " + relation());
    paragraph(text, declared ? "What is released, as declared" : "What was released", releases());
    if (declared) {
      paragraph(
          text,
          "What it depends on",
          "The above was declared, not recorded while it happened. It is true only if each step"
              + " really clips what "
              + ("one " + unit + " can contribute, samples and adds its noise as declared."));
    }
    paragraph(text, "Accountant", accountant());
    String wrong = Digits.plain(100 * FALSE_POSITIVES) + "%";
    paragraph(
        text,
        "What an attacker could do",
        "Someone who sees everything released, knows all other data"
            + attack(wrong, String.format(Locale.ROOT, "%.2f%%", 100 * roundUp(truePositiveRate)))
            + (" Guessing blindly reaches " + wrong + "."));
    if (promises()) {
      coverage(text);
    } else {
      paragraph(text, "Covered", "Nothing.");
    }
    return text.toString().stripTrailing() + "\n";
  }

  private String promise() {
    if (!promises()) {
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

  /** What the best test between neighbours means, by what neighbours are. */
  private String attack(String wrong, String right) {
    return switch (ledger.neighbouring()) {
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

  private void coverage(StringBuilder text) {
    paragraph(
        text,
        "Covered",
        "Everything computed from the noisy releases listed above, now or later, by anyone and with"
            + " any other knowledge.");
    paragraph(
        text,
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
    return switch (ledger.neighbouring()) {
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
    List<Ledger.Entry> entries = ledger.entries();
    if (entries.isEmpty()) {
      return "Nothing.";
    }
    int shown = Math.min(entries.size(), 8);
    String list =
        entries.stream().limit(shown).map(MechanismWords::of).collect(Collectors.joining("; "));
    return list
        + (entries.size() > shown ? "; and " + (entries.size() - shown) + " more entries." : ".");
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
    if (!promises()) {
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

  private static void paragraph(StringBuilder out, String title, String body) {
    StringBuilder line = new StringBuilder(title).append(": ");
    for (String word : body.split(" ")) {
      if (line.length() + word.length() > WIDTH) {
        out.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder("  ");
      }
      line.append(word).append(' ');
    }
    out.append(line.toString().stripTrailing()).append("\n\n");
  }
}
