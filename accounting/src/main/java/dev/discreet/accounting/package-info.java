/**
 * What a release costs: mechanisms, the ledger, accountants, calibration, trade-off curves and the
 * privacy statement.
 *
 * <p>Everything here is a pure function of immutable descriptions. No data, no noise, no randomness
 * and nothing else of ours may enter; every later room stands on this one.
 *
 * <p>Start with {@link dev.discreet.accounting.Ledger} (what was released) and {@link
 * dev.discreet.accounting.Accountant} (what it cost). Packages below have the rest: {@code
 * calibration} goes from a target to parameters, {@code statement} says what a cost means to
 * people, {@code theorems} has the formulas of published composition theorems.
 */
package dev.discreet.accounting;
