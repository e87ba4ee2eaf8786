package dev.discreet.accounting;

/**
 * What an accountant answers: a {@link Guarantee} or, by another name and type, an {@link
 * Approximation}.
 */
public sealed interface Cost permits Guarantee, Approximation {

  /** The ε to state; infinite where nothing is promised. */
  double epsilon();

  /** The δ to state. */
  double delta();

  /** Name of the accountant. */
  String accountant();

  /** Why the answer is infinite, which order was best, …; empty when there is nothing to say. */
  String note();
}
