package dev.discreet.accounting;

/**
 * Says what a ledger cost. A pure, total function: a number, a certified bound or infinity, never
 * an exception.
 *
 * <pre>{@code
 * Accountant accountant = Accountants.named("rdp");
 * Cost cost = accountant.epsilon(ledger, 1e-5);
 * }</pre>
 */
@PublicApi
public interface Accountant {

  /**
   * The name on the command line and in files.
   *
   * @return one word
   */
  String name();

  /**
   * What a ledger costs at a failure probability.
   *
   * @param ledger what was released
   * @param delta the failure probability, in [0, 1)
   * @return the ε that goes with it
   */
  Cost epsilon(Ledger ledger, double delta);

  /**
   * What a ledger costs at an ε.
   *
   * @param ledger what was released
   * @param epsilon at least 0
   * @return the δ that goes with it
   */
  Cost delta(Ledger ledger, double epsilon);
}
