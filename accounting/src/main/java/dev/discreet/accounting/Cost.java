package dev.discreet.accounting;

/**
 * What an accountant answers: a {@link Guarantee} or, by another name and type, an {@link
 * Approximation}.
 *
 * <pre>{@code
 * Cost cost = accountant.epsilon(ledger, 1e-5);
 * boolean certified = cost instanceof Guarantee;
 * }</pre>
 */
@PublicApi
public sealed interface Cost permits Guarantee, Approximation {

  /**
   * The ε to state.
   *
   * @return at least 0; infinite where nothing is promised
   */
  double epsilon();

  /**
   * The δ to state.
   *
   * @return in [0, 1]
   */
  double delta();

  /**
   * Who accounted.
   *
   * @return the name of the accountant
   */
  String accountant();

  /**
   * Why the answer is infinite, which order was best, and the like.
   *
   * @return words on one line; empty when there is nothing to say
   */
  String note();
}
