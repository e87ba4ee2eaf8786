package dev.discreet.accounting.statement;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.PublicApi;
import java.util.List;

/**
 * What a release promises, for the person who signs for it: to whom, how much, for which releases
 * and on which conditions. {@link #text} tells it in plain words. Only a {@link Guarantee} can be
 * stated; an infinite one is told as what it is, no promise.
 *
 * <pre>{@code
 * Ledger ledger = Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(2), 1);
 * PrivacyStatement statement = PrivacyStatement.of("patient", ledger, 1e-6).among(4_000);
 * System.out.println(statement.guarantee().epsilon());
 * System.out.println(statement.text());
 * }</pre>
 *
 * @param unit who is protected, as a singular noun: "example", "patient", …
 * @param ledger what was released, and under which neighbouring relation
 * @param guarantee what is promised, and by which accountant
 * @param truePositiveRate the most that an attacker can reach who is wrong in {@link
 *     #FALSE_POSITIVES} of the other cases
 * @param declared whether the ledger says what somebody declares, as opposed to what a session
 *     wrote down while it released
 * @param units the public number of those who are protected; 0 where it is not known
 * @param conditions what the promise does not hold without, each a text on one line; empty for none
 */
@PublicApi
public record PrivacyStatement(
    String unit,
    Ledger ledger,
    Guarantee guarantee,
    double truePositiveRate,
    boolean declared,
    long units,
    List<String> conditions) {

  /** The share of false accusations at which an attack is stated. */
  public static final double FALSE_POSITIVES = 0.01;

  // Most of the time of a statement goes into the attack. A looser bracket is as certified, takes
  // about half of that time, and states a rate that is at most about 1% higher.
  private static final double ATTACK_TOLERANCE = 1e-2;

  /**
   * Refuses texts that do not stay on one line.
   *
   * @param unit who is protected, as a singular noun
   * @param ledger what was released
   * @param guarantee what is promised
   * @param truePositiveRate the most that an attacker can reach
   * @param declared whether the ledger says what somebody declares
   * @param units the public number of units, or 0
   * @param conditions each on one line; may be empty
   */
  public PrivacyStatement {
    // Nobody may slip a paragraph of his own into a statement that others sign.
    Check.that(!unit.isBlank() && Check.oneLine(unit), "unit", "a singular noun on one line", unit);
    Check.that(
        Check.oneLine(guarantee.accountant()), "accountant", "on one line", guarantee.accountant());
    Check.that(Check.oneLine(guarantee.note()), "note", "on one line", guarantee.note());
    conditions = List.copyOf(conditions);
    for (String each : conditions) {
      Check.that(Check.oneLine(each), "condition", "on one line", each);
    }
  }

  /**
   * A statement of what a session wrote down, without conditions or a number of units.
   *
   * @param unit who is protected, as a singular noun
   * @param ledger what was released
   * @param guarantee what is promised
   * @param truePositiveRate the most that an attacker can reach
   */
  public PrivacyStatement(
      String unit, Ledger ledger, Guarantee guarantee, double truePositiveRate) {
    this(unit, ledger, guarantee, truePositiveRate, false, 0, List.of());
  }

  /**
   * The statement of what a session wrote down, by the default accountant.
   *
   * @param unit who is protected, as a singular noun
   * @param ledger what was released
   * @param delta the failure probability at which it is stated
   * @return the statement
   */
  public static PrivacyStatement of(String unit, Ledger ledger, double delta) {
    return of(unit, ledger, delta, false);
  }

  /**
   * The statement of a ledger, by the default accountant.
   *
   * @param unit who is protected, as a singular noun
   * @param ledger what is released
   * @param delta the failure probability at which it is stated
   * @param declared whether the ledger says what somebody declares
   * @return the statement
   */
  public static PrivacyStatement of(String unit, Ledger ledger, double delta, boolean declared) {
    return of(unit, ledger, new PldAccountant().epsilon(ledger, delta), declared);
  }

  /**
   * The statement of a ledger whose cost is known already.
   *
   * @param unit who is protected, as a singular noun
   * @param ledger what is released
   * @param guarantee what an accountant certified of that ledger
   * @param declared whether the ledger says what somebody declares
   * @return the statement
   */
  public static PrivacyStatement of(
      String unit, Ledger ledger, Guarantee guarantee, boolean declared) {
    return new PrivacyStatement(
        unit,
        ledger,
        guarantee,
        new TradeOff(new PldAccountant(ATTACK_TOLERANCE), ledger).truePositiveRate(FALSE_POSITIVES),
        declared,
        0,
        List.of());
  }

  /**
   * The same, told of so many units: whether δ is small enough depends on their number.
   *
   * @param publicNumber the number of units, which must be public
   * @return the statement with that number
   */
  public PrivacyStatement among(long publicNumber) {
    return new PrivacyStatement(
        unit, ledger, guarantee, truePositiveRate, declared, publicNumber, conditions);
  }

  /**
   * The same on other conditions.
   *
   * @param others what the promise does not hold without, each on one line
   * @return the statement with those conditions and no others
   */
  public PrivacyStatement on(List<String> others) {
    return new PrivacyStatement(unit, ledger, guarantee, truePositiveRate, declared, units, others);
  }

  /**
   * Which two data sets the promise compares.
   *
   * @return the relation of the ledger
   */
  public Neighbouring relation() {
    return ledger.neighbouring();
  }

  /**
   * Whether anything is promised: an infinite ε promises nothing.
   *
   * @return whether ε is finite
   */
  public boolean promises() {
    return Double.isFinite(guarantee.epsilon());
  }

  /**
   * What makes the promise weak.
   *
   * @return one sentence, without its full stop, for each weakness; none where there is none
   */
  public List<String> weaknesses() {
    return WeakPromise.of(guarantee, unit, units);
  }

  /**
   * What was released, in words.
   *
   * @return one phrase for each entry of the ledger
   */
  public List<String> releases() {
    return ledger.entries().stream().map(MechanismWords::of).toList();
  }

  /**
   * What the best attack reaches, in words.
   *
   * @return sentences on one line
   */
  public String attack() {
    return new StatementText(this).attack();
  }

  /**
   * The ledger as a file keeps it.
   *
   * @param unitsDeclared whether somebody declared the number of units
   * @return the ledger with unit, number, accountant and conditions
   */
  public LedgerFile file(boolean unitsDeclared) {
    return new LedgerFile(ledger, unit, units, unitsDeclared, guarantee.accountant(), conditions);
  }

  /**
   * The statement in plain words, a title to each paragraph.
   *
   * @return the paragraphs in their order
   */
  public List<StatementParagraph> paragraphs() {
    return new StatementText(this).paragraphs();
  }

  /**
   * The statement in plain words, to be printed.
   *
   * @return a heading and all paragraphs, in lines of at most 88 characters unless a word is longer
   */
  public String text() {
    return StatementText.HEADING + "\n\n" + StatementParagraph.text(paragraphs());
  }
}
