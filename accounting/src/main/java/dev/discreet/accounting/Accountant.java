package dev.discreet.accounting;

/**
 * Says what a ledger cost. A pure, total function: a number, a certified bound or infinity, never
 * an exception.
 */
public interface Accountant {

  /** The name on the command line and in files. */
  String name();

  /** The ε that goes with the failure probability {@code delta} in [0, 1). */
  Cost epsilon(Ledger ledger, double delta);

  /** The δ that goes with {@code epsilon} ≥ 0. */
  Cost delta(Ledger ledger, double epsilon);
}
